//! Many teams at once in one process: whether all complete, whether any of them hears of another, and what one costs.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use anyhow::{Context, ensure};
use async_trait::async_trait;
use clap::Parser;
use domain::chat::{Ask, ChatModel, Delta, Message, ModelError, Reply, Stop, ToolCall, Usage};
use domain::dispatch::Advance;
use domain::event::Event;
use domain::plan::Strategy;
use domain::run::Ending;
use domain::tool::Effect;
use futures::stream::BoxStream;
use runtime::Settings;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::compose::{self, Made};
use crate::process::{cpu, memory};

/// Runs teams side by side whose agents use a tool, write to each other and answer, over a model that takes no time.
#[derive(Debug, Clone, Parser)]
pub struct Args {
    /// How many teams at once
    #[arg(long, default_value_t = 200)]
    pub cohorts: usize,
    /// How many agents each has
    #[arg(long, default_value_t = 5)]
    pub agents: usize,
}

/// A model that plays every agent of every team, and looks whether it is asked about one team at a time.
#[derive(Default)]
struct Everybody {
    asked: AtomicU64,
    mixed: Mutex<Vec<String>>,
}

/// Measures whole runs, from the first request to the last answer.
pub async fn measure(args: &Args) -> anyhow::Result<Value> {
    let folder = tempfile::tempdir()?;
    let look = Made::new("bench.look", Effect::Read, json!({"what": {"type": "string"}}), |it| it["what"].clone());
    let model = Arc::new(Everybody::default());
    let chat: Arc<dyn ChatModel> = Arc::clone(&model) as Arc<dyn ChatModel>;
    let store = compose::ledger(folder.path()).await?;
    let runtime = Arc::new(compose::runtime(store, Some(chat), vec![look.boxed()], Settings::default())?);
    let (cpu_before, memory_before, begun) = (cpu(), memory().0, Instant::now());
    let mut teams = JoinSet::new();
    for cohort in 0..args.cohorts {
        let mut request = compose::request(&format!("Do what {} does.", marker(cohort)), plan(cohort, args.agents));
        request.wishes.strategy = Some(Strategy::Cohort);
        let run = runtime.accept(request).await?;
        let runtime = Arc::clone(&runtime);
        teams.spawn(async move { runtime.advance(run).await.map(|_| (cohort, run)) });
    }
    let mut runs = Vec::new();
    while let Some(run) = teams.join_next().await {
        runs.push(run??);
    }
    let (wall, spent, (resident, peak)) = (begun.elapsed(), cpu() - cpu_before, memory());
    let (mut messages, mut events) = (0, 0);
    for (cohort, run) in &runs {
        let ledger = runtime.ledger(*run).await?;
        events += ledger.len();
        messages += own_messages(*cohort, args.agents, &ledger)?;
    }
    let mixed = model.mixed.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone();
    ensure!(mixed.is_empty(), "{} asks mix teams, the first: {}", mixed.len(), mixed[0]);
    let each = |total: f64| total / args.cohorts.max(1) as f64;
    Ok(json!({
        "bench": "cohorts", "cohorts": runs.len(), "agents": args.agents, "completed": runs.len(), "mixed": mixed.len(),
        "messages": messages, "events": events, "model_calls": model.asked.load(Ordering::Relaxed),
        "wall_s": wall.as_secs_f64(), "cpu_s": spent.as_secs_f64(),
        "cpu_ms_per_cohort": each(spent.as_secs_f64() * 1e3),
        "rss_before_mb": memory_before as f64 / 1e6, "rss_after_mb": resident as f64 / 1e6, "rss_peak_mb": peak as f64 / 1e6,
        "peak_kb_per_cohort": each(peak.saturating_sub(memory_before) as f64 / 1e3),
    }))
}

fn marker(cohort: usize) -> String {
    format!("cohort-{cohort:04}")
}

fn plan(cohort: usize, agents: usize) -> Value {
    let marker = marker(cohort);
    let steps: Vec<Value> = (0..agents)
        .map(|n| {
            json!({"id": format!("m{n}"), "goal": format!("do part {n} of {marker}"), "tools": ["bench.look"],
                "prompt": format!("You belong to {marker} of {agents}.")})
        })
        .collect();
    let answers: Vec<String> = (0..agents).map(|n| format!("${{m{n}}}")).collect();
    json!({"steps": steps, "answer": answers.join(" ")})
}

/// How many messages a team sent. All of them, and all answers, must be its own.
fn own_messages(cohort: usize, agents: usize, ledger: &[domain::event::Recorded]) -> anyhow::Result<usize> {
    let marker = marker(cohort);
    let mut sent = 0;
    for recorded in ledger {
        if let Event::MessageSent { text, refused, .. } = &recorded.entry.event {
            // Who is asked to read on after its answer is told so; nothing else is refused here.
            let late = refused.as_ref().is_none_or(|why| why.contains("has finished"));
            ensure!(late, "{marker}: a message was refused: {refused:?}");
            ensure!(text.contains(&marker), "{marker} sent what belongs to another: {text}");
            sent += 1;
        }
    }
    let last = ledger.last().map(|last| &last.entry.event).context("an empty ledger")?;
    let Event::Finished { ending: Ending::Completed { answer }, .. } = last else {
        anyhow::bail!("{marker} did not complete: {last:?}");
    };
    ensure!(markers(answer).iter().all(|other| *other == marker), "{marker} answered for another: {answer}");
    ensure!(answer.matches(&marker).count() == agents && sent == agents, "{marker} is not whole: {answer}");
    Ok(sent)
}

/// Every team that a text speaks of.
fn markers(text: &str) -> Vec<&str> {
    text.match_indices("cohort-").filter_map(|(at, _)| text.get(at..at + "cohort-0000".len())).collect()
}

#[async_trait]
impl ChatModel for Everybody {
    fn name(&self) -> &str {
        "bench:everybody"
    }

    async fn reply(&self, ask: &Ask) -> Result<Reply, ModelError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let all = ask.messages.iter().map(words).collect::<Vec<_>>().join("\n");
        let own = markers(&all).first().copied().unwrap_or_default().to_owned();
        if let Some(other) = markers(&all).iter().find(|other| **other != own) {
            let mut mixed = self.mixed.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            mixed.push(format!("{own} reads of {other}"));
        }
        let number = |before: &str, until: &str| -> usize {
            let rest = all.split_once(before).map_or("", |(_, rest)| rest);
            rest.split_once(until).and_then(|(number, _)| number.parse().ok()).unwrap_or_default()
        };
        let (me, agents) = (number("You are `agent:m", "`"), number(" of ", "."));
        let turn = ask.messages.iter().filter(|message| matches!(message, Message::Assistant { .. })).count();
        let call =
            |name: &str, arguments: Value| vec![ToolCall { id: format!("c{turn}"), name: name.to_owned(), arguments }];
        let (text, calls) = match turn {
            0 => (String::new(), call("bench__look", json!({"what": format!("{own} {me}")}))),
            1 => {
                let to = format!("agent:m{}", (me + 1) % agents.max(1));
                let text = format!("{own}: {me} has looked");
                (String::new(), call("send_message", json!({"to": to, "purpose": "update", "text": text})))
            }
            _ => (format!("{own}/{me}"), Vec::new()),
        };
        let stop = if calls.is_empty() { Stop::End } else { Stop::Tools };
        Ok(Reply { text, calls, stop, usage: Usage::default() })
    }

    async fn stream(&self, _: &Ask) -> Result<BoxStream<'static, Result<Delta, ModelError>>, ModelError> {
        Err(ModelError::Refused { model: self.name().into(), detail: "nothing is streamed here".into() })
    }
}

fn words(message: &Message) -> String {
    match message {
        Message::System { text } | Message::User { text } | Message::Tool { text, .. } => text.clone(),
        Message::Assistant { text, calls } => {
            let arguments: Vec<String> = calls.iter().map(|call| call.arguments.to_string()).collect();
            format!("{text} {}", arguments.join(" "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn ten_teams_of_five_complete_and_hear_only_of_themselves() {
        let measured = measure(&Args { cohorts: 10, agents: 5 }).await.expect("measured");
        assert_eq!(
            (&measured["completed"], &measured["mixed"], &measured["messages"]),
            (&json!(10), &json!(0), &json!(50))
        );
    }
}
