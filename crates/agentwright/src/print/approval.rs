//! What a person reads before they decide: what it comes to, who would do it, what it would change, and what is known
//! about it. Everything in it may come from a model, so everything is tamed.

use std::time::Duration;

use domain::approval::{
    Approval, ApprovalStatus, Estimate, Patch, ProposedAgent, ProposedEffect, Risk, Subject, Verdict,
};
use domain::finding::{Finding, Weight};
use domain::money::Usd;
use domain::plan::{Plan, PlanDraft, StepDraft};
use jiff::Timestamp;
use serde_json::Value;

use super::Ink;
use super::table::{Cell, lines};
use super::text::{ago, count, duration, indented, line, tame, value};

/// How many lines of a prompt, and of a call's arguments, are shown before somebody asks for all of them.
const FIRST: usize = 3;
const ARGUMENTS: usize = 30;

/// How much is shown of what is long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// How it begins; keys show the rest.
    Glance,
    /// All of it.
    Whole,
}

/// Everything a person should see before they decide.
pub fn review(approval: &Approval, detail: Detail, now: Timestamp, ink: Ink) -> String {
    let proposal = &approval.proposal;
    let mut text = format!("{}\n", ink.strong(&line(question(approval), 240)));
    if !proposal.summary.is_empty() {
        text.push_str(&format!("{}\n", tame(proposal.summary.trim())));
    }
    text.push_str(&format!("\n{}", head(approval, now, ink)));
    let (what, agents) = match &proposal.subject {
        Subject::Plan { base: Some(base), plan, diff, .. } => {
            let touched: Vec<ProposedAgent> =
                proposal.agents.iter().filter(|agent| is_touched(agent, plan, diff)).cloned().collect();
            let title = format!("What changes from plan {base}, which was agreed to");
            ((title, patches(plan, diff, ink)), touched)
        }
        Subject::Plan { base: None, plan, .. } => (("Steps".to_owned(), steps(plan, ink)), proposal.agents.clone()),
        Subject::Call { call, .. } => {
            let arguments = shortened(&pretty(&call.arguments), ARGUMENTS, detail, "f shows all of it", ink);
            ((format!("Arguments of {}", call.tool), arguments), proposal.agents.clone())
        }
    };
    let parts = [
        (what.0, what.1),
        ("Agents".to_owned(), agents.iter().map(|agent| seat(agent, detail, ink)).collect()),
        ("What it would do".to_owned(), effects(&proposal.effects, ink)),
        ("What was found".to_owned(), findings(&proposal.findings, ink)),
    ];
    for (title, part) in parts.into_iter().filter(|(_, part)| !part.is_empty()) {
        text.push_str(&format!("\n{}\n{}\n", ink.strong(&title), indented(&part, 2)));
    }
    if let Some(estimate) = &proposal.estimate {
        text.push_str(&format!("\nIt is expected to take {}.\n", expected(estimate)));
    }
    text.push_str(&format!("\n{}\n", ink.faint(&format!("{} {}", approval.id, approval.hash))));
    text.push_str(&standing(approval, now));
    text
}

/// What every agent is told, from beginning to end.
pub fn prompts(approval: &Approval, ink: Ink) -> String {
    match approval.proposal.agents.as_slice() {
        [] => "nobody is told anything: no agent takes part\n".to_owned(),
        agents => agents.iter().map(|agent| seat(agent, Detail::Whole, ink)).collect(),
    }
}

/// What is different from what was agreed to before.
pub fn difference(approval: &Approval, ink: Ink) -> String {
    match &approval.proposal.subject {
        Subject::Plan { base: Some(_), plan, diff, .. } => patches(plan, diff, ink),
        Subject::Plan { base: None, .. } | Subject::Call { .. } => {
            "nothing was agreed to before: all of it is new\n".to_owned()
        }
    }
}

/// The whole of what would be carried out.
pub fn whole(approval: &Approval, ink: Ink) -> String {
    match &approval.proposal.subject {
        Subject::Plan { plan, .. } => match Plan::parse(PlanDraft::clone(plan)) {
            Ok(plan) => super::plan::words(&plan, ink),
            Err(_) => format!("{}\n", pretty(&serde_json::to_value(plan).unwrap_or_default())),
        },
        Subject::Call { call, .. } => format!("{}\n{}\n", call.tool, pretty(&call.arguments)),
    }
}

/// What was proved about something, gravest first.
pub fn findings(found: &[Finding], ink: Ink) -> String {
    let mut found: Vec<&Finding> = found.iter().collect();
    found.sort_by_key(|finding| std::cmp::Reverse(finding.weight));
    let words = found.into_iter().map(|finding| {
        let said = format!("- {}", tame(&finding.to_string()));
        match finding.weight {
            Weight::Fatal => format!("{}\n", ink.bad(&said)),
            Weight::Approval => format!("{}\n", ink.odd(&said)),
            Weight::Notice => format!("{said}\n"),
        }
    });
    words.collect()
}

/// How a risk is marked.
pub fn mark(risk: Risk) -> fn(Ink, &str) -> String {
    match risk {
        Risk::High => Ink::bad,
        Risk::Medium => Ink::odd,
        Risk::Low => Ink::faint,
    }
}

/// How long something is still worth deciding.
pub fn left(expires: Option<Timestamp>, now: Timestamp) -> String {
    match expires {
        None => "never".to_owned(),
        Some(at) if at <= now => "over".to_owned(),
        Some(at) => format!("in {}", ago(now, at).trim_end_matches(" ago")),
    }
}

/// What is asked, without what stands below anyway.
fn question(approval: &Approval) -> &str {
    approval.question.split_inclusive('?').next().unwrap_or_default()
}

/// Where it stands, where that is not open.
fn standing(approval: &Approval, now: Timestamp) -> String {
    match (&approval.decided, approval.status) {
        (None, ApprovalStatus::Pending) => String::new(),
        (None, status) => format!("It is {}.\n", status.word()),
        (Some(decided), _) => {
            let by = decided.by.as_ref().map(|by| format!(" by {}", line(by, 40))).unwrap_or_default();
            let verdict = Verdict::read(&decided.answer, approval.hash);
            let word = verdict.as_ref().map_or("answered", |verdict| verdict.decision.word());
            let why = verdict.and_then(|it| it.reason).map(|why| format!(" ({})", line(&why, 200))).unwrap_or_default();
            format!("It was decided{by} {}: {word}{why}.\n", ago(decided.at, now))
        }
    }
}

fn head(approval: &Approval, now: Timestamp, ink: Ink) -> String {
    let proposal = &approval.proposal;
    let what = match &proposal.subject {
        Subject::Plan { version, base: None, plan, .. } => {
            format!("plan {version} with {}", count(plan.steps.len(), "step"))
        }
        Subject::Plan { version, base: Some(base), .. } => format!("plan {version}, which replaces plan {base}"),
        Subject::Call { step: Some(step), call } => format!("one call of {} in step `{step}`", call.tool),
        Subject::Call { step: None, call } => format!("one call of {}", call.tool),
    };
    let mut rows: Vec<(&str, Cell)> = vec![
        ("risk", Cell::marked(proposal.risk.word(), mark(proposal.risk))),
        ("about", what.into()),
        ("why", line(&proposal.why, 400).into()),
    ];
    if let Some(rule) = &proposal.rule {
        rows.push(("rule", line(rule, 200).into()));
    }
    rows.push(("asked", format!("{} by {}", ago(approval.asked_at, now), approval.run).into()));
    rows.push(("expires", left(approval.expires_at, now).into()));
    let rows: Vec<_> = rows.into_iter().map(|(name, cell)| vec![Cell::marked(name, Ink::faint), cell]).collect();
    lines(ink, &rows)
}

fn steps(plan: &PlanDraft, ink: Ink) -> String {
    let row = |(at, step): (usize, &StepDraft)| -> Vec<Cell> {
        let after = match step.depends_on.is_empty() {
            true => String::new(),
            false => format!(" after {}", line(&step.depends_on.join(", "), 80)),
        };
        let when = step.when.as_ref().map(|when| format!(" when {}", line(when, 80))).unwrap_or_default();
        let by = match (&step.how.tool, &step.how.agent) {
            (Some(tool), _) => format!("{} {}", line(tool, 60), value(&step.how.arguments, 100)),
            (None, Some(agent)) => format!("agent `{}`", line(agent, 60)),
            (None, None) => "an agent".to_owned(),
        };
        let name = step.id.as_deref().map_or_else(|| format!("step_{}", at + 1), |id| line(id, 60));
        vec![
            Cell::marked(format!("{}.", at + 1), Ink::faint),
            Cell::marked(name, Ink::strong),
            line(&step.goal, 80).into(),
            format!("{by}{after}{when}").into(),
        ]
    };
    let mut text = lines(ink, &plan.steps.iter().enumerate().map(row).collect::<Vec<_>>());
    for intent in &plan.intents {
        text.push_str(&format!("then {} {}\n", intent.tool, value(&intent.arguments, 160)));
    }
    if let Some(answer) = &plan.answer {
        text.push_str(&format!("answer: {}\n", line(answer, 200)));
    }
    text
}

fn seat(agent: &ProposedAgent, detail: Detail, ink: Ink) -> String {
    let description = line(&agent.description, 200);
    let mut text = format!("{}  {description}\n", ink.strong(&line(&agent.id, 80)));
    let mut row =
        |name: &str, words: String| text.push_str(&format!("  {} {words}\n", ink.faint(&format!("{name:<6}"))));
    if agent.id != agent.step.as_str() {
        row("step", agent.step.to_string());
    }
    let tools = agent.tools.iter().map(|tool| tool.as_str()).collect::<Vec<_>>().join(", ");
    row("tools", if tools.is_empty() { "none".to_owned() } else { tools });
    if !agent.why.is_empty() {
        row("chosen", line(&agent.why, 200));
    }
    let told = shortened(agent.prompt.trim_end(), FIRST, detail, "p shows all of it", ink);
    if !told.is_empty() {
        text.push_str(&format!("  {}\n{}\n", ink.faint("told"), indented(&told, 4)));
    }
    text
}

fn shortened(text: &str, most: usize, detail: Detail, how: &str, ink: Ink) -> String {
    let tamed = tame(text);
    if detail == Detail::Whole {
        return tamed.into_owned();
    }
    let all: Vec<&str> = tamed.lines().collect();
    let mut shown: Vec<String> = all.iter().take(most).map(|one| cut(one)).collect();
    if all.len() > most {
        shown.push(ink.faint(&format!("… {} more ({how})", count(all.len() - most, "line"))));
    }
    shown.join("\n")
}

/// A line that is not longer than a few rows of a terminal; its indentation stays.
fn cut(text: &str) -> String {
    const MOST: usize = 240;
    match text.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

fn effects(effects: &[ProposedEffect], ink: Ink) -> String {
    let words = effects.iter().map(|effect| {
        let back = match effect.reversible {
            true => "can be taken back".to_owned(),
            false => ink.bad("cannot be taken back"),
        };
        let away = if effect.external { ", reaches beyond this machine" } else { "" };
        let step = effect.step.as_ref().map(|step| format!(" in step `{step}`")).unwrap_or_default();
        let with = ink.faint(&format!("({}{step})", effect.tool));
        format!("- {}; {back}{away} {with}\n", line(&effect.words, 200))
    });
    words.collect()
}

fn expected(estimate: &Estimate) -> String {
    let seconds = |number: f64| duration(Duration::try_from_secs_f64(number).unwrap_or_default());
    let [cheap, dear] = estimate.usd.map(|number| Usd::dollars(number).to_string());
    let [short, long] = estimate.seconds.map(seconds);
    format!("{cheap} to {dear} and {short} to {long}")
}

/// Whether an agent has to do with what is different.
fn is_touched(agent: &ProposedAgent, plan: &PlanDraft, diff: &[Patch]) -> bool {
    diff.iter().any(|patch| step_of(plan, &patch.path).is_some_and(|(id, _)| id == agent.step.as_str()))
}

/// The step that a path leads into, by its id, and where it leads from there.
fn step_of<'p>(plan: &'p PlanDraft, path: &'p str) -> Option<(&'p str, &'p str)> {
    let within = path.strip_prefix("/steps/")?;
    let (at, rest) = within.split_once('/').unwrap_or((within, ""));
    let step = plan.steps.get(at.parse::<usize>().ok()?)?;
    Some((step.id.as_deref()?, rest))
}

fn patches(plan: &PlanDraft, diff: &[Patch], ink: Ink) -> String {
    let words = diff.iter().map(|patch| {
        let place = match step_of(plan, &patch.path).filter(|_| patch.op != "remove") {
            Some((id, "")) => format!("step `{id}`"),
            Some((id, rest)) => format!("step `{id}`, {}", named(rest)),
            None => named(patch.path.trim_start_matches('/')),
        };
        let what = patch.value.as_ref().map(|it| format!(": {}", value(it, 400))).unwrap_or_default();
        let place = line(&place, 120);
        match patch.op.as_str() {
            "add" => format!("{}\n", ink.good(&format!("+ {place}{what}"))),
            "remove" => format!("{}\n", ink.bad(&format!("- {place}"))),
            _ => format!("{}\n", ink.odd(&format!("~ {place}{what}"))),
        }
    });
    words.collect()
}

/// A JSON pointer as people write paths.
fn named(pointer: &str) -> String {
    pointer.split('/').map(|part| part.replace("~1", "/").replace("~0", "~")).collect::<Vec<_>>().join(".")
}

fn pretty(value: &Value) -> String {
    tame(&serde_json::to_string_pretty(value).unwrap_or_default()).into_owned()
}
