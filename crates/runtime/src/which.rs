//! Which one is meant: a tool that found several asks, and the person's answer chooses among them.

use domain::event::StepOutcome;
use domain::id::StepId;
use domain::plan::{Action, Call, Plan, PlanDraft};
use serde_json::{Value, json};

use crate::engine::Results;

/// A step whose tool found several things and did nothing.
pub(crate) struct Open {
    step: StepId,
    call: Call,
    candidates: Vec<Value>,
    /// What the person is asked.
    pub(crate) question: String,
}

/// The first such step of a plan that has ended.
pub(crate) fn open(plan: &Plan, results: &Results) -> Option<Open> {
    plan.steps().iter().find_map(|step| {
        let (Action::Call(call), Some(StepOutcome::Done { output })) = (&step.action, results.get(&step.id)) else {
            return None;
        };
        let candidates = output.get("candidates")?.as_array().filter(|some| !some.is_empty())?;
        let question = output.get("said")?.as_str()?;
        (output.get("ambiguous") == Some(&json!(true))).then(|| Open {
            step: step.id.clone(),
            call: call.clone(),
            candidates: candidates.clone(),
            question: question.to_owned(),
        })
    })
}

/// The plan with that step made about the one that an answer names, if it names one.
pub(crate) fn chosen(plan: &Plan, open: &Open, answer: &str) -> Option<PlanDraft> {
    let id = candidate(&open.candidates, answer)?.get("id")?.clone();
    let mut arguments = open.call.arguments.clone();
    match (arguments.get("target").is_some(), open.call.tool.domain()) {
        (true, _) => arguments["target"] = json!({ "id": id }),
        (false, "calendar") => arguments["event"] = id,
        (false, _) => {
            arguments.as_object_mut()?.retain(|name, _| !["name", "duration", "at", "kind"].contains(&name.as_str()));
            arguments["id"] = id;
        }
    }
    let mut draft = PlanDraft::from(plan.clone());
    let step = draft.steps.iter_mut().find(|step| step.id.as_deref() == Some(open.step.as_str()))?;
    step.id = Some(format!("{}_chosen", open.step));
    step.how.arguments = arguments;
    Some(draft)
}

/// The candidate that shares the most words with an answer, if no other shares as many; or the one it counts to.
fn candidate<'c>(candidates: &'c [Value], answer: &str) -> Option<&'c Value> {
    let words = words(answer);
    let ordinal =
        ["first", "second", "third", "fourth", "fifth"].iter().position(|word| words.iter().any(|w| w == word));
    if let Some(at) = ordinal.or_else(|| words.iter().any(|w| w == "last").then(|| candidates.len() - 1)) {
        return candidates.get(at);
    }
    let shared = |candidate: &Value| {
        let about = self::words(&candidate.to_string());
        words.iter().filter(|word| about.contains(word)).count()
    };
    let most = candidates.iter().map(shared).max().filter(|most| *most > 0)?;
    let mut best = candidates.iter().filter(|candidate| shared(candidate) == most);
    best.next().filter(|_| best.next().is_none())
}

/// Words that tell things apart.
fn words(text: &str) -> Vec<String> {
    let split = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
    split
        .filter(|word| !word.is_empty() && !["the", "a", "an", "one", "my", "timer"].contains(&word.as_str()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(answer: &str) -> Option<String> {
        let candidates = [
            json!({"id": "t1", "name": "pasta", "said": "the pasta timer, 8 minutes left"}),
            json!({"id": "t2", "said": "the 10-minute timer, 9 minutes left"}),
            json!({"id": "t3", "name": "egg", "said": "the egg timer, 2 minutes left"}),
        ];
        candidate(&candidates, answer).map(|chosen| chosen["id"].as_str().unwrap_or_default().to_owned())
    }

    #[test]
    fn an_answer_names_one_of_several() {
        assert_eq!(named("the pasta one").as_deref(), Some("t1"));
        assert_eq!(named("10 minute").as_deref(), Some("t2"));
        assert_eq!(named("the second").as_deref(), Some("t2"));
        assert_eq!(named("last").as_deref(), Some("t3"));
    }

    #[test]
    fn an_answer_that_names_none_or_several_chooses_nothing() {
        for answer in ["", "the blue one", "minutes"] {
            assert_eq!(named(answer), None, "{answer}");
        }
    }
}
