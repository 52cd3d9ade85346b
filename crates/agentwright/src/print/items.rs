//! Agents, cohorts, plans and skills as people read about them: one page and one listing for all.

use domain::id::ToolName;
use domain::library::{Body, Considered, Draft, ItemSummary, Kind, Lineage, Record, Use};
use domain::skill::{Parameter, Template};
use domain::store::Cursor;
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

use super::Ink;
use super::runs::short_ids;
use super::table::{Cell, lines, table};
use super::text::{ago, count, line, tame, value};

/// Everything about one version of one item.
#[derive(Debug, Serialize)]
pub struct ItemPage {
    /// The version, and how its item stands.
    #[serde(flatten)]
    pub summary: ItemSummary,
    /// The tools it needs.
    pub tools: Vec<ToolHold>,
    /// What it was used for lately.
    pub uses: Vec<Use>,
}

/// A tool that something needs, and whether it can still be had.
#[derive(Debug, Clone, Serialize)]
pub struct ToolHold {
    /// The tool.
    pub tool: ToolName,
    /// Whether it can still be had.
    pub state: Hold,
}

/// What became of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Hold {
    /// It is there, as it was.
    There,
    /// It is there, and declares something else.
    Changed,
    /// It is not there any more.
    Gone,
}

/// One line an item, and how to see more.
pub fn listing(kind: Kind, items: &[ItemSummary], next: Option<&Cursor>, now: Timestamp, ink: Ink) -> String {
    if items.is_empty() {
        return format!("no {kind}s\n");
    }
    let rows = items.iter().map(|it| {
        let last = it.record.last.map_or_else(|| "never".to_owned(), |last| ago(last, now));
        vec![
            it.item.draft.name.to_string().into(),
            format!("{} of {}", it.item.version, it.versions).into(),
            state(it, now),
            used(&it.record).into(),
            last.into(),
            line(&it.item.draft.description, 80).into(),
        ]
    });
    let mut text = table(ink, &["NAME", "VERSION", "STATE", "USED", "LAST", "WHAT IT IS FOR"], rows.collect());
    if let Some(next) = next {
        text.push_str(&format!("\nmore: add `--cursor {}`\n", next.0));
    }
    text
}

/// What was found, best first.
pub fn found(found: &[Considered], ink: Ink) -> String {
    if found.is_empty() {
        return "nothing fits\n".to_owned();
    }
    let rows = found
        .iter()
        .map(|it| vec![line(&it.name, 64).into(), format!("{:.2}", it.score.get()).into(), line(&it.why, 120).into()]);
    table(ink, &["NAME", "SCORE", "WHY"], rows.collect())
}

/// The page as text.
pub fn page(page: &ItemPage, now: Timestamp, ink: Ink) -> String {
    let ItemSummary { item, versions, record, .. } = &page.summary;
    let draft = &item.draft;
    let which = if page.summary.current { "" } else { ", not the one that is used" };
    let mut rows: Vec<Vec<Cell>> = vec![
        vec![Cell::marked(item.kind().word(), Ink::faint), Cell::marked(draft.name.as_str(), Ink::strong)],
        row("version", format!("{} of {versions}{which}", item.version)),
        vec![Cell::marked("state", Ink::faint), state(&page.summary, now)],
        row("kept", ago(item.at, now)),
        row("used", used(record)),
    ];
    rows.extend(lineage(&draft.lineage).map(|words| row("made", words)));
    let mut text = lines(ink, &rows);
    for (name, said) in fields(draft).iter().filter(|(_, said)| !said.is_empty()) {
        text.push_str(&format!("\n{}\n", ink.faint(name)));
        for said in said {
            let mark = page.tools.iter().filter(|_| *name == "tools").find(|it| said.starts_with(it.tool.as_str()));
            let mark = match mark.map(|it| it.state) {
                Some(Hold::Gone) => ink.bad(" (gone)"),
                Some(Hold::Changed) => ink.bad(" (changed)"),
                Some(Hold::There) | None => String::new(),
            };
            text.push_str(format!("  {}{mark}", tame(said)).trim_end());
            text.push('\n');
        }
    }
    text.push_str(&uses(&page.uses, now, ink));
    text
}

/// What a version says, field by field, each in lines: what pages show and differences are made of.
pub fn fields(draft: &Draft) -> Vec<(&'static str, Vec<String>)> {
    let mut fields = vec![("description", whole(&draft.description)), ("keywords", joined(&draft.keywords))];
    let pinned = |pins: &std::collections::BTreeMap<ToolName, domain::hash::Hash>| {
        pins.iter().map(|(tool, pin)| format!("{tool} {}", &pin.to_string()[..19])).collect::<Vec<_>>()
    };
    match &draft.body {
        Body::Agent(agent) => {
            fields.push(("prompt", whole(&agent.prompt)));
            fields.push(("tools", agent.tools.iter().map(ToString::to_string).collect()));
            fields.push(("turns", agent.max_iterations.iter().map(|turns| format!("at most {turns}")).collect()));
        }
        Body::Cohort(cohort) => {
            fields.push(("request", whole(&cohort.request)));
            fields.push(("strategy", vec![cohort.strategy.word().to_owned()]));
            let seat = |seat: &domain::library::Seat| format!("{}: {}", seat.step, seat.agent);
            fields.push(("members", cohort.members.iter().map(seat).collect()));
            fields.push(("steps", steps(&serde_json::to_value(&cohort.plan).unwrap_or_default())));
            let taken = cohort.template.iter().flat_map(|template| template.parameters()).map(parameter);
            fields.push(("parameters", taken.collect()));
            fields.push(("tools", pinned(&cohort.pins)));
        }
        Body::Plan(plan) => {
            fields.extend(of_template(&plan.template));
            fields.push(("tools", pinned(&plan.pins)));
            fields.push(("worked in", plan.runs.iter().map(ToString::to_string).collect()));
        }
        Body::Skill(skill) => {
            fields.extend(of_template(&skill.template));
            fields.push(("tools", pinned(&skill.pins)));
            fields.push(("guards", skill.guards.iter().map(|guard| line(guard, 200)).collect()));
            fields.push(("made from", skill.runs.iter().map(ToString::to_string).collect()));
        }
    }
    fields
}

fn of_template(template: &Template) -> Vec<(&'static str, Vec<String>)> {
    let named = |at: usize| format!("{{{}}}", template.parameters().get(at).map_or("", |it| it.name.as_str()));
    vec![
        ("says", vec![line(&template.phrase(), 400)]),
        ("parameters", template.parameters().iter().map(parameter).collect()),
        ("steps", steps(&template.plan().sketch(&named))),
    ]
}

fn parameter(parameter: &Parameter) -> String {
    let mut examples: Vec<String> = Vec::new();
    for example in &parameter.examples {
        let said = format!("`{}`", line(&example.said, 60));
        if examples.len() < 5 && !examples.contains(&said) {
            examples.push(said);
        }
    }
    let optional = if parameter.required { "" } else { ", optional" };
    format!("{} ({}{optional}): for example {}", parameter.name, parameter.kind.word(), examples.join(", "))
}

/// The steps of a plan that is not checked: it may have holes.
fn steps(plan: &Value) -> Vec<String> {
    let step = |step: &Value| {
        let text = |name: &str| line(step[name].as_str().unwrap_or_default(), 160);
        let how = match (step["tool"].as_str(), step["agent"].as_str()) {
            (Some(tool), _) => format!("{} {}", line(tool, 64), value(&step["arguments"], 160)),
            (None, Some(agent)) => format!("agent {}: {}", line(agent, 64), text("goal")),
            (None, None) => format!("an agent: {}", text("goal")),
        };
        let after: Vec<&str> = step["depends_on"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let after = if after.is_empty() { String::new() } else { format!(" (after {})", line(&after.join(", "), 80)) };
        format!("{}: {}{after}", text("id"), how.trim_end())
    };
    let mut said: Vec<String> = plan["steps"].as_array().into_iter().flatten().map(step).collect();
    said.extend(plan["answer"].as_str().map(|answer| format!("answer: {}", line(answer, 200))));
    for intent in plan["intents"].as_array().into_iter().flatten() {
        said.push(format!("then {} {}", value(&intent["tool"], 64), value(&intent["arguments"], 160)));
    }
    said
}

fn whole(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

fn joined(words: &[String]) -> Vec<String> {
    if words.is_empty() { Vec::new() } else { vec![line(&words.join(", "), 400)] }
}

fn row(name: &'static str, words: String) -> Vec<Cell> {
    vec![Cell::marked(name, Ink::faint), words.into()]
}

fn state(it: &ItemSummary, now: Timestamp) -> Cell {
    match it.item.draft.offered_from {
        _ if !it.active => Cell::marked("switched off", Ink::odd),
        Some(from) if from > now => {
            let left = super::text::duration(super::text::between(now, from));
            Cell::marked(format!("offered in {left}"), Ink::odd)
        }
        _ => Cell::marked("offered", Ink::good),
    }
}

fn used(record: &Record) -> String {
    match record.uses {
        0 => "never".to_owned(),
        uses => format!("in {}: {} good, {} bad", count(uses as usize, "run"), record.good, record.bad),
    }
}

fn lineage(lineage: &Lineage) -> Option<String> {
    let run = lineage.run.map(|run| format!("by {run}"));
    let from = lineage.from.as_ref().map(|(name, _)| format!("from `{name}`"));
    let person = lineage.by.as_ref().map(|by| format!("for {}", line(by, 60)));
    let words: Vec<String> = run.into_iter().chain(from).chain(person).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

fn uses(uses: &[Use], now: Timestamp, ink: Ink) -> String {
    if uses.is_empty() {
        return String::new();
    }
    let ids = short_ids(&uses.iter().map(|it| it.run).collect::<Vec<_>>());
    let rows = uses.iter().zip(ids).map(|(it, id)| {
        let went = match it.good {
            Some(true) => Cell::marked("good", Ink::good),
            Some(false) => Cell::marked("bad", Ink::bad),
            None => Cell::from("not known"),
        };
        vec![
            id.into(),
            it.decision.word().into(),
            format!("{:.2}", it.score).into(),
            went,
            ago(it.at, now).into(),
            line(&it.text, 80).into(),
        ]
    });
    format!("\n{}", table(ink, &["RUN", "HOW", "SCORE", "WENT", "WHEN", "FOR"], rows.collect()))
}
