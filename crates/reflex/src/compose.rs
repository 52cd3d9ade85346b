//! Several things in one request: taken apart, each understood, and put together as a plan.

use domain::plan::{ActionDraft, PlanDraft, StepDraft};
use domain::role::OTHER;
use domain::route::{Judgement, Part};
use serde_json::Value;

use crate::router::{Circumstances, Router};
use crate::split::{Link, split};

/// From this probability on a request wants several things.
const SEVERAL: f32 = 0.5;

/// From this one on it does, even if one sentence could be made of it.
const SURELY: f32 = 0.9;

/// From this confidence on a part that nobody answers is no name or title within another.
const STRANGE: f64 = 0.9;

/// The things that a request wants, if they are several or one of them hangs on a condition.
pub(crate) fn parts(router: &Router, text: &str, whole: &Part, circumstances: &Circumstances<'_>) -> Option<Vec<Part>> {
    let split = split(text);
    let conditional = split.parts.iter().any(|part| !matches!(part.link, Link::First | Link::And | Link::Then));
    if split.parts.is_empty() || (!conditional && (split.parts.len() < 2 || split.several < SEVERAL)) {
        return whole.act.is_none().then(|| shared_verb(router, text, circumstances)).flatten();
    }
    // What is quoted after a colon, or runs over several sentences, belongs to whoever takes a text.
    let takes_text = whole.act.as_ref().is_some_and(|act| act.arguments.contains_key("text") && act.confidence > 0.95);
    if takes_text && !router.knows.mind.is_trained(&whole.role) && (text.contains(": ") || text.contains(". ")) {
        return None;
    }
    // One sentence that is understood to the last word is one thing, whatever it looks like.
    let understood = whole.act.as_ref().is_some_and(|act| act.confidence > 0.95) && whole.missing.is_none();
    if !conditional && understood && split.several < SURELY {
        let apart: Vec<Part> =
            split.parts.iter().map(|part| router.understand(&part.text, circumstances, None)).collect();
        let strange = |part: &Part| part.act.is_none() && part.role == OTHER && part.confidence >= STRANGE;
        if !apart.iter().all(|part| part.act.is_some()) && !apart.iter().any(strange) {
            return None;
        }
    }
    let mut parts: Vec<Part> = Vec::new();
    let mut last_when: Option<String> = None;
    for piece in split.parts {
        let (condition, holds) = match &piece.link {
            Link::If { condition } => (Some(condition.clone()), true),
            Link::Unless { condition } => (Some(condition.clone()), false),
            _ => (None, true),
        };
        let when = match (&condition, &piece.link) {
            (Some(words), _) => decided(router, words, &mut parts, circumstances).map(|when| negated(when, !holds)),
            (None, Link::Otherwise) => last_when.clone().map(|when| negated(when, true)),
            (None, _) => None,
        };
        if condition.is_some() {
            last_when.clone_from(&when);
        }
        let (text, points_to) = pointing(router, &piece.text, piece.refers_back.as_deref(), &parts);
        let mut part = router.understand(&text, circumstances, points_to.as_deref());
        part.text.clone_from(&piece.text);
        part.then = piece.link == Link::Then || points_to.is_some();
        part.condition = match piece.link {
            Link::Otherwise => Some("it is otherwise".to_owned()),
            Link::Unless { condition } => Some(format!("not {condition}")),
            _ => condition,
        };
        let found = points_to.filter(|_| part.act.is_some()).and_then(|reference| exists(&reference));
        part.when = match (when, found) {
            (Some(when), Some(found)) => Some(format!("{when} && {found}")),
            (when, found) => when.or(found),
        };
        parts.push(part);
    }
    Some(parts)
}

/// Two things that are to be dealt with alike: `turn off the kitchen light and the bedroom lamp`.
fn shared_verb(router: &Router, text: &str, circumstances: &Circumstances<'_>) -> Option<Vec<Part>> {
    let (first, second) = text.rsplit_once(" and ")?;
    let verb = &first[..first.find(" the ").or_else(|| first.find(" my "))?];
    let second = format!("{verb} {second}");
    let parts = [first, &second].map(|text| router.understand(text, circumstances, None));
    let clear = |part: &Part| part.act.is_some() && part.missing.is_none();
    let alike = parts[0].role == parts[1].role && parts[0].act.as_ref()?.tool == parts[1].act.as_ref()?.tool;
    (alike && parts.iter().all(clear)).then(|| parts.to_vec())
}

/// The plan that a judgement means: a step for each part that acts.
pub fn draft(goal: &str, judgement: &Judgement) -> PlanDraft {
    let mut steps: Vec<StepDraft> = Vec::new();
    for (at, part) in judgement.parts.iter().enumerate() {
        let Some(act) = &part.act else { continue };
        let depends_on = match part.then {
            true => steps.last().and_then(|step| step.id.clone()).into_iter().collect(),
            false => Vec::new(),
        };
        steps.push(StepDraft {
            id: Some(step_id(at)),
            goal: goal_of(part),
            how: ActionDraft {
                tool: Some(act.tool.to_string()),
                arguments: Value::Object(act.arguments.clone()),
                ..ActionDraft::default()
            },
            depends_on,
            when: part.when.clone(),
            ..StepDraft::default()
        });
    }
    let answer = match judgement.parts.as_slice() {
        [only] => only.act.as_ref().and_then(|act| act.answer.clone()),
        _ => None,
    };
    PlanDraft { goal: goal.to_owned(), steps, answer, ..PlanDraft::default() }
}

/// What a step is for, with what it hangs on: a step that is skipped is told by it.
fn goal_of(part: &Part) -> String {
    match (&part.condition, &part.when) {
        (Some(condition), _) => format!("{} (only if {condition})", part.text),
        (None, Some(_)) => format!("{} (only if something is found)", part.text),
        (None, None) => part.text.clone(),
    }
}

/// What the step of a part is called.
fn step_id(part: usize) -> String {
    format!("s{}", part + 1)
}

/// A condition in words as one on the result of an earlier part, or of a part that is put in to find out.
fn decided(router: &Router, words: &str, parts: &mut Vec<Part>, circumstances: &Circumstances<'_>) -> Option<String> {
    let lower = words.to_lowercase();
    let meant = |conditions: &std::collections::BTreeMap<String, String>| {
        let mut fitting: Vec<_> = conditions.iter().filter(|(key, _)| lower.contains(key.as_str())).collect();
        fitting.sort_by_key(|(key, _)| std::cmp::Reverse(key.len()));
        fitting.first().map(|(_, when)| (*when).clone())
    };
    for (at, part) in parts.iter().enumerate().rev() {
        let Some(skill) = part.act.as_ref().and_then(|act| router.skill(&part.role, &act.action)) else { continue };
        if let Some(when) = meant(&skill.action.conditions) {
            return Some(of_step(&when, at));
        }
    }
    let (role, skill) = router.skills_of_all().find(|(_, skill)| meant(&skill.action.conditions).is_some())?;
    let when = meant(&skill.action.conditions)?;
    parts.push(router.asking(role, skill, words, circumstances)?);
    Some(of_step(&when, parts.len() - 1))
}

fn negated(when: String, negate: bool) -> String {
    if negate { format!("!({when})") } else { when }
}

/// The text without a word that points back, and what it points to.
fn pointing(router: &Router, text: &str, word: Option<&str>, parts: &[Part]) -> (String, Option<String>) {
    let found = word.and_then(|word| {
        parts.iter().enumerate().rev().find_map(|(at, part)| {
            let act = part.act.as_ref()?;
            let skill = router.skill(&part.role, &act.action)?;
            skill.action.gives.get(&word.to_lowercase()).map(|gives| (word, of_step(gives, at)))
        })
    });
    match found {
        None => (text.to_owned(), None),
        Some((word, reference)) => {
            let kept: Vec<&str> = text
                .split_whitespace()
                .filter(|other| !other.trim_matches(|c: char| !c.is_alphanumeric()).eq_ignore_ascii_case(word))
                .collect();
            (kept.join(" "), Some(reference))
        }
    }
}

/// A reference or condition that speaks of `step`, as one that speaks of the step of a part.
fn of_step(words: &str, part: usize) -> String {
    words.replace("${step.", &format!("${{{}.", step_id(part)))
}

fn exists(reference: &str) -> Option<String> {
    let parent = reference.rsplit_once('.').map(|(parent, _)| format!("{parent}}}"))?;
    Some(format!("exists {parent}"))
}
