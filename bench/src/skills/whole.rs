//! The same stream through whole runs: the runtime looks for what can be used again, a planner that is always right is
//! asked where nothing can, and in the end every tool changes what it says about itself.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use domain::chat::{Ask, ChatModel, Delta, Message, ModelError, Reply, Stop, Usage};
use domain::dispatch::Advance;
use domain::event::{Event, Recorded};
use domain::id::ToolName;
use domain::library::Decision;
use domain::plan::{Plan, PlanDraft, Strategy};
use domain::request::Request;
use domain::store::Store;
use domain::tool::{CallContext, Effect, Tool, ToolError, ToolSpec};
use futures::stream::BoxStream;
use runtime::{Reuse, Runtime, Settings};
use serde_json::{Value, json};

use super::stream::{Asked, Mixture, stream};
use super::{Args, deeds, line};
use crate::compose;

/// How many requests come after the tools have changed.
const AFTERWARDS: usize = 500;

/// What became of the requests of one part of the stream.
#[derive(Default)]
struct Count {
    asked: u64,
    planned: u64,
    used: u64,
    wrong: u64,
    failed: u64,
}

/// Runs the stream, and then some of it again with tools that have changed.
pub async fn measure(args: &Args) -> anyhow::Result<Value> {
    let mixture = || Mixture { twisted: args.twisted, noise: args.noise };
    let all: Vec<Asked> = stream(args.seed, args.requests + AFTERWARDS, mixture()).collect();
    let tools: BTreeSet<ToolName> =
        all.iter().filter_map(|asked| Plan::try_from(asked.plan.clone()).ok()).flat_map(|plan| plan.tools()).collect();
    let folder = tempfile::tempdir()?;
    let store = compose::ledger(folder.path()).await?;
    let model = Arc::new(AlwaysRight::default());
    let begun = std::time::Instant::now();
    let runtime = runtime(&store, &model, &tools, "does what its name says")?;
    let (mut warm_up, mut after) = (Count::default(), Count::default());
    for (nth, asked) in all[..args.requests].iter().enumerate() {
        let count = if nth < args.warm_up { &mut warm_up } else { &mut after };
        one(&runtime, &model, asked, count, args.misses).await?;
    }
    let wall = begun.elapsed().as_secs_f64();
    let changed = self::runtime(&store, &model, &tools, "does something else by now")?;
    let mut anew = Count::default();
    for asked in &all[args.requests..] {
        one(&changed, &model, asked, &mut anew, args.misses).await?;
    }
    let share = |part: u64, of: u64| (part as f64 / of.max(1) as f64 * 10_000.0).round() / 10_000.0;
    Ok(json!({
        "bench": "skills", "whole_runs": true,
        "warm_up": {"asked": warm_up.asked, "planner_calls_per_request": share(warm_up.planned, warm_up.asked)},
        "after_warm_up": {
            "asked": after.asked,
            "planner_calls_per_request": share(after.planned, after.asked),
            "used_again": after.used,
            "wrong_of_used": share(after.wrong, after.used),
            "wrong": after.wrong + warm_up.wrong,
            "failed": after.failed,
        },
        "after_every_tool_changed": {"asked": anew.asked, "wrong": anew.wrong, "planned": anew.planned, "used_again": anew.used},
        "ms_per_run": wall * 1e3 / args.requests.max(1) as f64,
    }))
}

fn runtime(
    store: &Arc<dyn Store>,
    model: &Arc<AlwaysRight>,
    tools: &BTreeSet<ToolName>,
    says: &str,
) -> anyhow::Result<Runtime> {
    let chat: Arc<dyn ChatModel> = Arc::clone(model) as Arc<dyn ChatModel>;
    let settings = Settings { strategy: Strategy::TaskGraph, ..Settings::default() };
    let tools = tools.iter().map(|name| loose(name, says)).collect();
    let runtime = compose::runtime(Arc::clone(store), Some(chat), tools, settings)?;
    let settings = Settings { reuse: Reuse::default(), ..runtime.settings };
    Ok(Runtime { settings, ..runtime })
}

async fn one(
    runtime: &Runtime,
    model: &AlwaysRight,
    asked: &Asked,
    count: &mut Count,
    misses: bool,
) -> anyhow::Result<()> {
    model.is_about(&asked.plan);
    let zone = asked.now.time_zone().iana_name().map(str::to_owned);
    let request = Request { at: asked.now.timestamp(), zone, ..compose::words(&asked.text) };
    let before = model.planned.load(Ordering::Relaxed);
    let run = runtime.accept(request).await?;
    runtime.advance(run).await?;
    let ledger = runtime.ledger(run).await?;
    count.asked += 1;
    count.planned += u64::from(model.planned.load(Ordering::Relaxed) > before);
    count.failed += u64::from(!ledger.iter().any(|it| {
        matches!(&it.entry.event, Event::Finished { ending, .. }
        if matches!(ending, domain::run::Ending::Completed { .. }))
    }));
    if let Some(plan) = used_again(&ledger) {
        count.used += 1;
        if deeds(plan.clone()) != deeds(as_read(&asked.plan)) {
            count.wrong += 1;
            if misses {
                println!("wrong: {}\n  {}\n  {}", asked.text, line(&plan), line(&asked.plan));
            }
        }
    } else if misses && count.asked.is_multiple_of(10) {
        let chosen = ledger.iter().find_map(|it| match &it.entry.event {
            Event::Chosen { step: None, choice, .. } => Some(choice.why.clone()),
            _ => None,
        });
        println!("planned: {}: {}", asked.text, chosen.unwrap_or_default());
    }
    Ok(())
}

/// A plan as it is once read: what a step refers to is what it waits for.
fn as_read(draft: &PlanDraft) -> PlanDraft {
    Plan::try_from(draft.clone()).map_or_else(|_| draft.clone(), PlanDraft::from)
}

/// The plan of a run that took it from the library.
fn used_again(ledger: &[Recorded]) -> Option<PlanDraft> {
    let mut events = ledger.iter().map(|recorded| &recorded.entry.event);
    events.find(
        |event| matches!(event, Event::Chosen { step: None, choice, .. } if choice.decision == Decision::Reuse),
    )?;
    events.find_map(|event| match event {
        Event::Planned { plan, .. } => Some(PlanDraft::from(plan.clone())),
        _ => None,
    })
}

/// A planner that knows the right plan, and an agent that has nothing to say.
#[derive(Default)]
struct AlwaysRight {
    planned: AtomicU64,
    plan: Mutex<String>,
}

impl AlwaysRight {
    fn is_about(&self, plan: &PlanDraft) {
        let answer = json!({"plan": plan, "system_prompt": "You do it.", "tool_names": []});
        *self.plan.lock().unwrap_or_else(PoisonError::into_inner) = answer.to_string();
    }
}

#[async_trait]
impl ChatModel for AlwaysRight {
    fn name(&self) -> &str {
        "bench:always-right"
    }

    async fn reply(&self, ask: &Ask) -> Result<Reply, ModelError> {
        let plans = |message: &Message| matches!(message, Message::System { text } if text.starts_with("You plan how"));
        let text = match ask.messages.iter().any(plans) {
            true => {
                self.planned.fetch_add(1, Ordering::Relaxed);
                self.plan.lock().unwrap_or_else(PoisonError::into_inner).clone()
            }
            false => "done".to_owned(),
        };
        Ok(Reply { text, calls: Vec::new(), stop: Stop::End, usage: Usage::default() })
    }

    async fn stream(&self, _: &Ask) -> Result<BoxStream<'static, Result<Delta, ModelError>>, ModelError> {
        Err(ModelError::Refused { model: self.name().into(), detail: "nothing is streamed here".into() })
    }
}

/// A tool that takes anything, and brings whatever the plans of the stream look for in a result.
struct Loose(ToolSpec);

fn loose(name: &ToolName, says: &str) -> Arc<dyn Tool> {
    Arc::new(Loose(ToolSpec {
        name: name.clone(),
        description: format!("`{name}` {says}"),
        parameters: json!({"type": "object"}),
        returns: None,
        effect: Effect::Read,
        timeout: None,
    }))
}

#[async_trait]
impl Tool for Loose {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    async fn call(&self, arguments: &Value, _: &CallContext) -> Result<Value, ToolError> {
        let mut result = json!({
            "account": "a-1", "content": "words", "hits": ["one"], "id": "i-1", "mail": "m@example.org",
            "number": 17, "summary": "short", "offers": [{"id": "o-1"}],
        });
        if let (Some(result), Some(given)) = (result.as_object_mut(), arguments.as_object()) {
            given.iter().for_each(|(name, value)| drop(result.insert(format!("given_{name}"), value.clone())));
        }
        Ok(result)
    }
}
