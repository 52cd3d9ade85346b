//! What the chain between a request and its plan costs of our own: thought, plan, proof, critique, confidence, assessment
//! and gate, over a model that answers at once, with the ledger on disk.

use std::sync::Arc;
use std::time::Instant;

use anyhow::ensure;
use async_trait::async_trait;
use clap::Parser;
use domain::chat::{Ask, ChatModel, Delta, Message, ModelError, Reply, Stop, Usage};
use domain::plan::Strategy;
use domain::run::Ending;
use domain::thought::Orchestration;
use domain::tool::{Effect, Tool};
use domain::view::fold;
use futures::StreamExt;
use futures::stream::BoxStream;
use runtime::{Reached, Runtime, Settings};
use serde_json::json;

use crate::compose::{self, Made};
use crate::process::{cpu, percentiles};

/// Measures the processor time of planned requests of the `adaptive` kind.
#[derive(Debug, Clone, Parser)]
pub struct Args {
    /// How many requests
    #[arg(long, default_value_t = 400)]
    pub runs: usize,
    /// How many before the measurement begins
    #[arg(long, default_value_t = 40)]
    pub warmup: usize,
    /// How many tools the planner is shown
    #[arg(long, default_value_t = 40)]
    pub tools: usize,
}

/// A model that answers every stage at once; the critic lets a plan go back so often.
struct AtOnce {
    sent_back: usize,
}

impl AtOnce {
    fn answer(&self, ask: &Ask) -> String {
        let text = |message: &Message| match message {
            Message::System { text } | Message::User { text } => text.clone(),
            _ => String::new(),
        };
        let first = ask.messages.first().map(text).unwrap_or_default();
        let last = ask.messages.last().map(text).unwrap_or_default();
        if first.starts_with("You think about") {
            json!({"reasoning": "Weather first, then the note.", "approaches": ["look, then write"], "confidence": 0.9})
                .to_string()
        } else if first.starts_with("You criticise") {
            let version = first.matches("again ").count();
            let score = if version < self.sent_back { 0.5 } else { 0.9 };
            json!({"scores": {"correctness": score, "completeness": score, "feasibility": score, "efficiency": score,
                "safety": score}, "overall": score, "summary": "the evening is missing"})
            .to_string()
        } else if first.starts_with("You judge reasoning") {
            json!({"quality": 0.9, "assessment": "sound"}).to_string()
        } else {
            let times = ask.messages.iter().filter(|message| matches!(message, Message::Assistant { .. })).count();
            debug_assert!(times == 0 || last.contains("not good enough"));
            json!({"plan": {"goal": format!("{}dry feet", "again ".repeat(times)), "answer": "It is ${look.sky}.", "steps": [
                {"id": "look", "goal": "see the sky", "tool": "kind0.look", "arguments": {"text": "Oslo"}},
                {"id": "near", "goal": "see the sky nearby", "tool": "kind1.look", "arguments": {"text": "Drammen"}},
                {"id": "note", "goal": "write it down", "tool": "kind0.note", "arguments": {"text": "${look.sky} ${near.sky}"}}]},
                "system_prompt": "You look.", "tool_names": ["kind0.look", "kind1.look", "kind0.note"], "confidence": 0.9})
            .to_string()
        }
    }
}

#[async_trait]
impl ChatModel for AtOnce {
    fn name(&self) -> &str {
        "bench:at-once"
    }

    async fn reply(&self, ask: &Ask) -> Result<Reply, ModelError> {
        Ok(Reply { text: self.answer(ask), calls: Vec::new(), stop: Stop::End, usage: Usage::default() })
    }

    async fn stream(&self, ask: &Ask) -> Result<BoxStream<'static, Result<Delta, ModelError>>, ModelError> {
        let reply = self.reply(ask).await?;
        Ok(futures::stream::iter([Ok(Delta::Done(reply))]).boxed())
    }
}

fn tools(kinds: usize) -> Vec<Arc<dyn Tool>> {
    let text = json!({"text": {"type": "string", "description": "what it is about"}});
    let mut tools = Vec::new();
    for kind in 0..kinds.div_ceil(2).max(2) {
        let look = Made::new(&format!("kind{kind}.look"), Effect::Read, text.clone(), |_| json!({"sky": "clear"}));
        let note = Made::new(&format!("kind{kind}.note"), compose::write(), text.clone(), |_| json!({"noted": true}));
        tools.extend([look.boxed(), note.boxed()]);
    }
    tools
}

/// Measures, and prints a line for a plan that goes through and one for each way back.
pub async fn print(args: &Args) -> anyhow::Result<()> {
    println!("one request of the adaptive kind, {} tools, ledger on disk:", args.tools);
    let mut figures = Vec::new();
    for sent_back in 0..=2 {
        let folder = tempfile::tempdir()?;
        let settings = Settings {
            strategy: Strategy::TaskGraph,
            orchestration: Some(Orchestration::Adaptive),
            ..Settings::default()
        };
        let model = Arc::new(AtOnce { sent_back });
        let runtime =
            compose::runtime(compose::ledger(folder.path()).await?, Some(model), tools(args.tools), settings)?;
        for _ in 0..args.warmup {
            one(&runtime, sent_back).await?;
        }
        let before = cpu();
        let mut took = Vec::new();
        let mut asked = 0;
        for _ in 0..args.runs {
            let begun = Instant::now();
            asked = one(&runtime, sent_back).await?;
            took.push(begun.elapsed().as_secs_f64() * 1e3);
        }
        let each = (cpu() - before).as_secs_f64() * 1e3 / args.runs as f64;
        let (middle, slow) = percentiles(&mut took);
        figures.push(json!({
            "sent_back": sent_back, "model_calls": asked, "cpu_ms": each, "p50_ms": middle, "p99_ms": slow,
        }));
        println!(
            "- sent back {sent_back} times: {asked} model calls, {each:.2} ms of processor time, {middle:.1} ms p50, {slow:.1} ms p99"
        );
    }
    println!("{}", json!({ "bench": "chain", "requests": args.runs, "tools": args.tools, "figures": figures }));
    Ok(())
}

/// One request; says how often a model was asked.
async fn one(runtime: &Runtime, sent_back: usize) -> anyhow::Result<u64> {
    let request = compose::words("Look at the weather here and nearby, and write it down");
    let claim = runtime.begin(request).await?;
    let run = claim.token.run;
    let reached = runtime.advance_claimed(claim).await?;
    ensure!(matches!(reached, Reached::End(Ending::Completed { .. })), "{run} reached {reached:?}");
    let ledger = runtime.ledger(run).await?;
    let view = fold(&ledger);
    ensure!(view.plans.len() == sent_back + 1, "{run} has {} plans", view.plans.len());
    Ok(view.spent.model_calls)
}
