//! Spans: a run that was planned, carried out by an agent, waited and went on, as OpenTelemetry sees it.

use std::collections::HashSet;

use domain::chat::{ModelError, Reply, Stop, ToolCall, Usage};
use domain::event::{Entry, Event, Need, Origin, Recorded, Route, StepOutcome, Wait};
use domain::guideline::{Guideline, Point};
use domain::id::RunId;
use domain::intent::{Intent, Settlement};
use domain::money::Usd;
use domain::plan::Strategy as Way;
use domain::run::{Ending, FailureKind};
use domain::span::{Attribute, Content, Span, SpanEnd, of_run, root, told_before};
use domain::tool::ToolError;
use proptest::prelude::*;
use serde_json::json;

use crate::ledgers::{at, ledgers, plan, received};

/// What nobody must see unless they asked for it.
const SECRET: &str = "canary";

fn run() -> RunId {
    RunId::from_bytes([7; 16])
}

fn filed(entries: Vec<(&str, Event)>) -> Vec<Recorded> {
    let entry = |(n, (key, event)): (usize, (&str, Event))| Recorded {
        seq: n as u64 + 1,
        entry: Entry { key: key.to_owned(), input: None, at: at(n), event },
    };
    entries.into_iter().enumerate().map(entry).collect()
}

fn asked(component: &str, reply: Result<&str, ModelError>) -> Event {
    let usage = Usage { input_tokens: 100, output_tokens: 20, cost: Usd::micros(1_500) };
    let call = ToolCall { id: "c1".into(), name: "shop__find".into(), arguments: json!({"what": SECRET}) };
    let reply = reply.map(|text| Reply { text: text.to_owned(), calls: vec![call], stop: Stop::Tools, usage });
    Event::ModelCalled { component: component.into(), model: "gemini:flash".into(), reply: reply.into(), millis: 400 }
}

fn called(tool: &str, result: Result<serde_json::Value, ToolError>) -> Event {
    let arguments = json!({"what": SECRET});
    Event::ToolCalled { tool: tool.parse().expect("a tool"), arguments, result: result.into(), millis: 250 }
}

fn begun(route: Route) -> Vec<(&'static str, Event)> {
    let guideline = Guideline::new("planner", "1.2.0", vec![Point::said("x", SECRET)]);
    vec![
        ("received", received()),
        ("routed", Event::Routed { route, strategy: Way::TaskGraph, why: SECRET.into(), judgement: None }),
        (
            "recalled",
            Event::Recalled {
                memories: vec![SECRET.into()],
                recent: vec![],
                guidelines: vec![guideline],
                shortlist: None,
                experience: vec![],
            },
        ),
    ]
}

/// Planned at the second attempt, carried out by an agent that reads and writes, with a wait in between.
fn whole() -> Vec<Recorded> {
    let tool = || "shop.order".parse().expect("a tool");
    let step = || "buy".parse().expect("a step");
    let busy = ModelError::Busy { model: "gemini:flash".into(), retry_after: None };
    let intent = Intent {
        key: "k1".into(),
        step: Some(step()),
        tool: tool(),
        arguments: json!({"what": SECRET}),
        priority: Default::default(),
    };
    let failed = ToolError::Failed { tool: "shop.find".parse().expect("a tool"), detail: SECRET.into() };
    let wait = Wait { name: "w".into(), need: Need::Answer { question: SECRET.into() }, until: None };
    let forged = Event::Forged {
        agent: "agent:buy".into(),
        step: Some(step()),
        tools: vec![tool()],
        prompt: SECRET.into(),
        max_iterations: 3,
        offered: None,
    };
    let planned = Event::Planned { version: 1, plan: plan(&["buy"]), configuration: None, because: None, notes: None };
    let mut entries = begun(Route::Plan);
    entries.extend([
        ("plan/1/model", asked("planner", Err(busy))),
        ("plan/1/refused", Event::PlanRefused { version: 1, findings: vec![SECRET.into()] }),
        ("plan/2/model", asked("planner", Ok(SECRET))),
        ("plan/1", planned),
        ("step/buy/1/started", Event::StepStarted { step: step(), attempt: 1 }),
        ("step/buy/1/way/1/forged", forged),
        ("step/buy/1/way/1/turn/1", asked("agent", Ok(SECRET))),
        ("step/buy/1/way/1/turn/1/tool/0", called("shop.find", Err(failed))),
        ("step/buy/1/way/1/turn/1/tool/1", called("shop.find", Ok(json!(SECRET)))),
        ("ask/waiting", Event::Waiting { wait }),
        ("answer/w", Event::Answered { name: "w".into(), answer: json!(SECRET), by: Some(SECRET.into()) }),
        ("resumed/2", Event::Resumed { epoch: 2 }),
        ("step/buy/1/way/1/turn/2/tool/0/declared", Event::IntentDeclared { intent }),
        ("step/buy/1/way/1/turn/2/tool/0/sent/1", Event::IntentSent { intent: "k1".into(), attempt: 1 }),
        (
            "step/buy/1/way/1/turn/2/tool/0/settled",
            Event::IntentSettled { intent: "k1".into(), settlement: Settlement::Done { result: json!(SECRET) } },
        ),
        (
            "step/buy/1/finished",
            Event::StepFinished { step: step(), attempt: 1, outcome: StepOutcome::Done { output: json!(SECRET) } },
        ),
        (
            "finished",
            Event::Finished {
                ending: Ending::Completed { answer: SECRET.into() },
                spent: Default::default(),
                worked_ms: Some(1_200),
            },
        ),
    ]);
    filed(entries)
}

/// A trace as a tree, with everything that is known about each span.
fn tree(spans: &[Span]) -> String {
    let mut text = String::new();
    let above: HashSet<_> = spans.iter().map(|span| span.id).collect();
    let tops = spans.iter().filter(|span| span.parent.is_none_or(|parent| !above.contains(&parent)));
    tops.for_each(|span| branch(spans, span, 0, &mut text));
    text
}

fn branch(spans: &[Span], span: &Span, depth: usize, text: &mut String) {
    let pad = "  ".repeat(depth);
    let begin = at(0);
    let since = |moment: jiff::Timestamp| moment.duration_since(begin).as_secs_f64();
    text.push_str(&format!("{pad}{} [{:.2}..{:.2}] #{}\n", span.name, since(span.from), since(span.to), span.closed));
    for (name, value) in &span.attributes {
        let value = match value {
            Attribute::Text(text) => text.clone(),
            other => format!("{other:?}"),
        };
        text.push_str(&format!("{pad}    {name} = {value}\n"));
    }
    for mark in &span.marks {
        text.push_str(&format!("{pad}    at {:.2}: {} {:?}\n", since(mark.at), mark.name, mark.attributes));
    }
    if let SpanEnd::Failed(words) = &span.ended {
        text.push_str(&format!("{pad}    failed: {words:?}\n"));
    }
    for child in spans.iter().filter(|child| child.parent == Some(span.id)) {
        branch(spans, child, depth + 1, text);
    }
}

#[test]
fn a_run_is_one_trace_of_everything_it_did() {
    insta::assert_snapshot!(tree(&of_run(run(), &whole(), Content::Withheld)));
}

#[test]
fn what_was_said_is_told_only_to_those_who_asked_for_it() {
    let told = |content| format!("{:?}", of_run(run(), &whole(), content));
    assert!(!told(Content::Withheld).contains(SECRET), "{}", told(Content::Withheld));
    assert!(!told(Content::Withheld).contains("feed the cat"));
    insta::assert_snapshot!(tree(&of_run(run(), &whole(), Content::Told)));
}

#[test]
fn a_run_that_rested_is_told_in_parts_that_make_the_whole() {
    let ledger = whole();
    let rest = ledger.iter().position(|it| matches!(it.entry.event, Event::Waiting { .. })).expect("a wait") + 1;
    let first = of_run(run(), &ledger[..rest], Content::Withheld);
    assert_eq!(told_before(&ledger[..rest]), 0);
    let told = told_before(&ledger);
    let then: Vec<Span> =
        of_run(run(), &ledger, Content::Withheld).into_iter().filter(|span| span.closed > told).collect();
    let names = |spans: &[Span]| spans.iter().map(|span| span.name.clone()).collect::<Vec<_>>();
    assert_eq!(
        names(&first),
        [
            "plan planner",
            "create_agent agent:buy",
            "chat flash",
            "chat flash",
            "chat flash",
            "execute_tool shop.find",
            "execute_tool shop.find"
        ]
    );
    assert_eq!(names(&then), ["invoke_agent agent:buy", "execute_tool shop.order", "invoke_workflow task_graph"]);
}

#[test]
fn a_failure_says_what_kind_it_was_and_a_fork_where_it_comes_from() {
    let parent = RunId::from_bytes([3; 16]);
    let Event::Received { request, .. } = received() else { panic!("it is received") };
    let mut entries = begun(Route::Given);
    entries[0].1 = Event::Received { request, parent: Some(Origin { run: parent, seq: 4 }) };
    let ending = Ending::Failed { reason: FailureKind::Budget, error: SECRET.into(), answer: None };
    entries.extend([
        ("step/a/1/way/1/call", called("shop.find", Ok(json!(1)))),
        ("step/b/1/way/1/call", called("shop.find", Ok(json!(1)))),
        ("finished", Event::Finished { ending, spent: Default::default(), worked_ms: None }),
    ]);
    let spans = of_run(run(), &filed(entries), Content::Withheld);
    let names: Vec<&str> = spans.iter().map(|span| span.name.as_str()).collect();
    assert_eq!(
        names,
        ["execute_tool shop.find", "invoke_workflow task_graph"],
        "what is shared is the parent's to tell"
    );
    let whole = spans.last().expect("the whole");
    assert_eq!(whole.links, [(*parent.bytes(), root(parent))]);
    assert!(whole.attributes.contains(&("error.type", Attribute::Text("budget".into()))));
    assert_eq!(whole.ended, SpanEnd::Failed(None));
    assert_eq!((whole.trace, whole.parent), (*run().bytes(), None));
}

proptest! {
    /// Whatever happened: ids are unique, parents are there once the run has ended, and nothing ends before it begins.
    #[test]
    fn every_ledger_is_a_trace_that_hangs_together(ledger in ledgers()) {
        let spans = of_run(run(), &ledger, Content::Withheld);
        prop_assert_eq!(&spans, &of_run(run(), &ledger, Content::Withheld));
        let ids: HashSet<_> = spans.iter().map(|span| span.id).collect();
        prop_assert_eq!(ids.len(), spans.len());
        let ended = matches!(ledger.last().map(|last| &last.entry.event), Some(Event::Finished { .. }));
        for span in &spans {
            prop_assert!(span.from <= span.to, "{:?}", span);
            if ended {
                prop_assert!(span.parent.is_none_or(|parent| ids.contains(&parent)), "{:?}", span);
            }
        }
    }
}
