//! A stream of requests with the plan that each means: tasks that come again with other values, requests that nearly are
//! one of them, and requests that are none. The same seed, the same stream.

use std::collections::BTreeMap;

use domain::plan::{ActionDraft, PlanDraft, StepDraft};
use jiff::{SignedDuration, Zoned};
use serde_json::{Map, Value, json};

use super::shapes::{NOISE, SHAPES, TWISTS};
use super::values::{Spoken, value};
use crate::dice::Dice;

/// What a request of the stream is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    /// One of the tasks, by its number, in one of its wordings.
    Task(usize, usize),
    /// One of the tasks, turned into something else.
    Twisted,
    /// None of the tasks.
    Noise,
}

/// A request and what it means.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The words.
    pub text: String,
    /// When they were said.
    pub now: Zoned,
    /// The right plan.
    pub plan: PlanDraft,
    /// What it is.
    pub sort: Sort,
}

/// How many of a thousand requests are twisted, and how many are noise.
#[derive(Debug, Clone, Copy)]
pub struct Mixture {
    /// Nearly a task.
    pub twisted: u64,
    /// No task.
    pub noise: u64,
}

/// So many requests.
pub fn stream(seed: u64, count: usize, mixture: Mixture) -> impl Iterator<Item = Asked> {
    let mut dice = Dice::new(seed);
    let start: Zoned = "2026-11-15T09:00:00+01:00[Europe/Oslo]".parse().unwrap_or_else(|_| Zoned::default());
    (0..count).map(move |nth| {
        // Seven minutes apart, by day: whoever asks at midnight means another day.
        let days = nth as i64 / 80;
        let later = SignedDuration::from_hours(24 * days) + SignedDuration::from_mins(7 * (nth as i64 % 80));
        let now = start.checked_add(later).unwrap_or_else(|_| start.clone());
        let throw = dice.below(1000);
        match throw {
            _ if throw < mixture.twisted => twisted(now, &mut dice),
            _ if throw < mixture.twisted + mixture.noise => noise(now, &mut dice),
            _ => task(now, &mut dice),
        }
    })
}

fn task(now: Zoned, dice: &mut Dice) -> Asked {
    let which = dice.below(SHAPES.len() as u64) as usize;
    let shape = &SHAPES[which];
    let wording = dice.below(shape.said.len() as u64) as usize;
    let mut values = BTreeMap::new();
    let text = spoken(shape.said[wording], &now, &mut values, dice);
    let plan = plan(shape.plan, &text, &values, which);
    let text = dressed(text, dice);
    // A goal that is the request is the request as it was said.
    let plan = if which.is_multiple_of(3) { PlanDraft { goal: text.clone(), ..plan } } else { plan };
    Asked { text, now, plan, sort: Sort::Task(which, wording) }
}

fn twisted(now: Zoned, dice: &mut Dice) -> Asked {
    let shape = &SHAPES[dice.below(SHAPES.len() as u64) as usize];
    let wording = shape.said[dice.below(shape.said.len() as u64) as usize];
    let twist = TWISTS[dice.below(TWISTS.len() as u64) as usize].replace("{}", wording);
    let text = spoken(&twist, &now, &mut BTreeMap::new(), dice);
    Asked { plan: by_agent(&text), text, now, sort: Sort::Twisted }
}

fn noise(now: Zoned, dice: &mut Dice) -> Asked {
    let wording = NOISE[dice.below(NOISE.len() as u64) as usize];
    let text = spoken(wording, &now, &mut BTreeMap::new(), dice);
    Asked { plan: by_agent(&text), text, now, sort: Sort::Noise }
}

/// What a planner makes of a request that it has no tools for.
fn by_agent(text: &str) -> PlanDraft {
    let how = ActionDraft { prompt: format!("Do what is asked: {text}"), ..ActionDraft::default() };
    let step = StepDraft { id: Some("s1".into()), goal: text.to_owned(), how, ..StepDraft::default() };
    PlanDraft { goal: text.to_owned(), steps: vec![step], ..PlanDraft::default() }
}

/// A wording with values in its braces.
fn spoken(wording: &str, now: &Zoned, values: &mut BTreeMap<String, Spoken>, dice: &mut Dice) -> String {
    let mut text = String::new();
    let mut rest = wording;
    while let Some((before, after)) = rest.split_once('{') {
        let (kind, after) = after.split_once('}').unwrap_or((after, ""));
        // Nobody travels from a place to itself.
        let other = loop {
            let other = value(kind, now, dice);
            if !values.values().any(|known| known.said == other.said) {
                break other;
            }
        };
        text.push_str(before);
        text.push_str(&other.said);
        values.insert(kind.to_owned(), other);
        rest = after;
    }
    text + rest
}

/// The same words as people write them: with courtesies, capitals and punctuation.
fn dressed(text: String, dice: &mut Dice) -> String {
    let capital = |text: &str| {
        let mut letters = text.chars();
        letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>()).unwrap_or_default()
    };
    match dice.below(8) {
        0 => format!("please {text}"),
        1 => format!("{}.", capital(&text)),
        2 => format!("could you {text}?"),
        3 => format!("{}, thanks!", capital(&text)),
        _ => text,
    }
}

fn plan(source: &str, text: &str, values: &BTreeMap<String, Spoken>, which: usize) -> PlanDraft {
    let steps: Vec<StepDraft> =
        source.split(" | ").enumerate().map(|(at, step)| step_of(at, step, values, which)).collect();
    let goal = if which % 3 == 1 { "What the person asked for".to_owned() } else { text.to_owned() };
    let needs_words = steps.iter().any(|step| step.how.tool.is_none());
    let answer = (!needs_words && which.is_multiple_of(2)).then(|| "Done: ${s1}".to_owned());
    PlanDraft { goal, steps, answer, ..PlanDraft::default() }
}

fn step_of(at: usize, source: &str, values: &BTreeMap<String, Spoken>, which: usize) -> StepDraft {
    let id = Some(format!("s{}", at + 1));
    if let Some(prompt) = source.strip_prefix("agent: ") {
        let how = ActionDraft { prompt: aloud(&written(prompt, values)), ..ActionDraft::default() };
        return StepDraft { id, goal: "Say it in words".into(), how, ..StepDraft::default() };
    }
    let (tool, rest) = source.split_once(' ').unwrap_or((source, ""));
    let mut arguments = Map::new();
    for (name, given) in pairs(rest) {
        let list = given.strip_prefix('[').and_then(|given| given.strip_suffix(']'));
        let value = list.map_or_else(|| written(given, values), |item| json!([written(item, values)]));
        arguments.insert(name.to_owned(), value);
    }
    // Some planners say what is done with what.
    let first = arguments.values().find_map(Value::as_str).unwrap_or_default();
    let goal = if which.is_multiple_of(4) { format!("Use {tool} for {first}") } else { format!("Use {tool}") };
    let how =
        ActionDraft { tool: Some(tool.to_owned()), arguments: Value::Object(arguments), ..ActionDraft::default() };
    StepDraft { id, goal, how, ..StepDraft::default() }
}

/// `key=value key='longer value'`, in pairs.
fn pairs(source: &str) -> Vec<(&str, &str)> {
    let mut pairs = Vec::new();
    let mut rest = source.trim();
    while let Some((name, after)) = rest.split_once('=') {
        let (given, next) = match after.strip_prefix('\'') {
            Some(quoted) => quoted.split_once('\'').unwrap_or((quoted, "")),
            None => after.split_once(' ').unwrap_or((after, "")),
        };
        pairs.push((name, given));
        rest = next.trim_start();
    }
    pairs
}

/// A value of a plan: alone it keeps its type, within words it is read aloud.
fn written(source: &str, values: &BTreeMap<String, Spoken>) -> Value {
    let look_up = |name: &str| {
        let (kind, form) = name.split_once('.').unwrap_or((name, ""));
        values.get(kind).and_then(|value| value.written.get(form)).cloned().unwrap_or_default()
    };
    if let Some(name) = source.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')).filter(|it| !it.contains('<'))
    {
        return look_up(name);
    }
    let mut text = String::new();
    let mut rest = source;
    while let Some((before, after)) = rest.split_once('<') {
        let (name, after) = after.split_once('>').unwrap_or((after, ""));
        text.push_str(before);
        text.push_str(&aloud(&look_up(name)));
        rest = after;
    }
    json!(text + rest)
}

fn aloud(value: &Value) -> String {
    domain::reference::aloud(value)
}

#[cfg(test)]
mod tests {
    use domain::plan::Plan;

    use super::*;

    #[test]
    fn the_same_seed_makes_the_same_stream_and_every_plan_holds() {
        let mixture = Mixture { twisted: 50, noise: 50 };
        let texts = |seed| stream(seed, 300, mixture).map(|asked| asked.text).collect::<Vec<_>>();
        assert_eq!(texts(7), texts(7));
        assert_ne!(texts(7), texts(8));
        for asked in stream(7, 2000, mixture) {
            let plan = serde_json::to_string(&asked.plan).expect("JSON");
            assert!(
                !plan.contains('<') && !plan.contains("null") && !asked.text.contains('{'),
                "{}: {plan}",
                asked.text
            );
            Plan::parse(asked.plan).unwrap_or_else(|why| panic!("{}: {why:?}", asked.text));
        }
    }
}
