//! What a ledger says may have been done, held against what was done.

use domain::approval::{Ruling, Subject, Verdict};
use domain::event::{Event, Need, Recorded};
use domain::plan::{Action, Plan, PlanDraft};
use serde_json::Value;

/// Something that a receiver did: for which step, with what.
pub(super) type Deed = (String, Value);

/// What is wrong.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Faults {
    /// Deeds that were agreed to once and done again.
    pub(super) twice: u64,
    /// Deeds that nobody agreed to.
    pub(super) unasked: u64,
}

/// Holds deeds against what people agreed to, each of which is good for one deed.
pub(super) fn audit(ledger: &[Recorded], deeds: &[Deed]) -> Faults {
    let mut left = agreed(ledger);
    let all = left.clone();
    let mut faults = Faults::default();
    for deed in deeds {
        match left.iter().position(|other| other == deed) {
            Some(at) => drop(left.remove(at)),
            None if all.contains(deed) => faults.twice += 1,
            None => faults.unasked += 1,
        }
    }
    faults
}

/// Everything that was agreed to, in time and by its hash.
fn agreed(ledger: &[Recorded]) -> Vec<Deed> {
    let mut deeds = Vec::new();
    for asked in ledger {
        let Event::Waiting { wait } = &asked.entry.event else { continue };
        let Need::Approval { hash, proposal: Some(proposal), .. } = &wait.need else { continue };
        let said = ledger.iter().find_map(|recorded| match &recorded.entry.event {
            Event::Answered { name, answer, .. } if *name == wait.name => Some((recorded.entry.at, answer)),
            _ => None,
        });
        let Some((at, answer)) = said.filter(|(at, _)| wait.until.is_none_or(|until| *at <= until)) else { continue };
        debug_assert!(at >= asked.entry.at || answer.is_object());
        let verdict: Option<Verdict> = serde_json::from_value(answer.clone()).ok();
        let Some(verdict) = verdict.filter(|it| it.hash == *hash && proposal.hash() == *hash) else { continue };
        match (&verdict.decision, &proposal.subject) {
            (Ruling::Approve, Subject::Plan { plan, .. }) => deeds.extend(of_plan(plan)),
            (Ruling::Edit { plan }, Subject::Plan { .. }) => {
                let plan: Option<PlanDraft> = serde_json::from_value(plan.clone()).ok();
                deeds.extend(plan.iter().flat_map(of_plan));
            }
            (Ruling::Approve, Subject::Call { step, call }) => {
                deeds.push((step.as_ref().map(ToString::to_string).unwrap_or_default(), call.arguments.clone()));
            }
            (Ruling::Edit { plan }, Subject::Call { step, .. }) => {
                deeds.push((step.as_ref().map(ToString::to_string).unwrap_or_default(), plan.clone()));
            }
            (Ruling::Reject | Ruling::Respond { .. }, _) => {}
        }
    }
    deeds
}

/// The calls that a plan makes by itself.
fn of_plan(draft: &PlanDraft) -> Vec<Deed> {
    let Ok(plan) = Plan::parse(draft.clone()) else { return Vec::new() };
    let calls = plan.steps().iter().filter_map(|step| match &step.action {
        Action::Call(call) => Some((step.id.to_string(), call.arguments.clone())),
        Action::Agent(_) => None,
    });
    calls.collect()
}

#[cfg(test)]
mod tests {
    use domain::approval::{Proposal, Risk};
    use domain::event::{Entry, Wait};
    use domain::plan::Call;
    use serde_json::json;

    use super::*;

    /// A ledger in which somebody agreed to write "a".
    fn ledger(decision: Ruling) -> Vec<Recorded> {
        let call = Call { tool: "door.write".parse().expect("a name"), arguments: json!({"text": "a"}) };
        let proposal = Proposal {
            subject: Subject::Call { step: Some("s".parse().expect("a name")), call },
            summary: String::new(),
            why: String::new(),
            rule: None,
            agents: Vec::new(),
            effects: Vec::new(),
            estimate: None,
            findings: Vec::new(),
            risk: Risk::Low,
        };
        let hash = proposal.hash();
        let need = Need::Approval { question: String::new(), hash, proposal: Some(Box::new(proposal)) };
        let answer = serde_json::to_value(Verdict { decision, hash, reason: None }).expect("JSON");
        let events = [
            Event::Waiting { wait: Wait { name: "x".into(), need, until: None } },
            Event::Answered { name: "x".into(), answer, by: None },
        ];
        let at = jiff::Timestamp::UNIX_EPOCH;
        let recorded = events.into_iter().enumerate().map(|(seq, event)| Recorded {
            seq: seq as u64 + 1,
            entry: Entry { key: seq.to_string(), input: None, at, event },
        });
        recorded.collect()
    }

    #[test]
    fn what_is_done_twice_or_without_consent_is_found() {
        let deed = |text: &str| ("s".to_owned(), json!({"text": text}));
        let found = |decision, deeds: &[Deed]| {
            let Faults { twice, unasked } = audit(&ledger(decision), deeds);
            (twice, unasked)
        };
        let edit = || Ruling::Edit { plan: json!({"text": "b"}) };
        assert_eq!(found(Ruling::Approve, &[deed("a")]), (0, 0));
        assert_eq!(found(Ruling::Approve, &[deed("a"), deed("a")]), (1, 0));
        assert_eq!(found(Ruling::Approve, &[deed("b")]), (0, 1));
        assert_eq!(found(Ruling::Reject, &[deed("a")]), (0, 1));
        assert_eq!(found(edit(), &[deed("b")]), (0, 0));
        assert_eq!(found(edit(), &[deed("a")]), (0, 1));
    }
}
