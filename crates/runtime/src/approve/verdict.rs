//! The one place where an answer to a proposal is taken: it must name what would be carried out now, and be in time.

use domain::approval::{Proposal, Ruling, Verdict};
use domain::event::{Event, Need};
use domain::hash::Hash;
use jiff::Timestamp;
use serde_json::Value;

use crate::record::{Halt, answer_key};
use crate::work::Work;

/// What somebody said.
pub(super) enum Said {
    /// Do it.
    Yes,
    /// Do this instead.
    Instead { what: Value, by: Option<String> },
    /// Don't, and why.
    No(String),
    /// Neither: words to be taken into account.
    Words(String),
}

/// What may be asked about, and under which name.
pub(super) struct Matter<'m> {
    pub(super) name: &'m str,
    /// The hash of what would be carried out.
    pub(super) hash: Hash,
    /// The hash that was asked about before proposals were.
    pub(super) plainly: Hash,
}

/// What a person says about a matter, or the end of this advance. An answer to something else is none: the same is asked
/// once more, under another name.
pub(super) async fn verdict(
    work: &Work<'_>,
    matter: &Matter<'_>,
    ask: impl Fn() -> (String, Proposal),
) -> Result<Said, Halt> {
    let mut name = matter.name.to_owned();
    for nth in 2.. {
        let question = format!("{name}/waiting");
        let (need, until) = match work.journal.known(&question) {
            Some(Event::Waiting { wait }) => (wait.need.clone(), wait.until),
            _ => {
                let (question, proposal) = ask();
                let need = Need::Approval { question, hash: matter.hash, proposal: Some(Box::new(proposal)) };
                (need, work.until())
            }
        };
        let Need::Approval { hash: asked, ref proposal, .. } = need else {
            return Err(Halt::Diverged(format!("`{question}` does not ask for an approval")));
        };
        let plain = proposal.is_none();
        if asked != matter.hash && !(plain && asked == matter.plainly) {
            return Err(Halt::Diverged(format!(
                "what would be carried out is not what a person was asked about: `{}` instead of `{asked}`",
                matter.hash
            )));
        }
        let answer = work.journal.answer(&name, need, until).await?;
        let (at, by) = match work.journal.past_entry(&answer_key(&name)) {
            Some(entry) => match &entry.event {
                Event::Answered { by, .. } => (Some(entry.at), by.clone()),
                _ => (Some(entry.at), None),
            },
            None => (None, None),
        };
        if let Some(said) = read(&answer, asked, plain, by, too_late(at, until)) {
            return Ok(said);
        }
        name = format!("{}~{nth}", matter.name);
    }
    Err(Halt::Diverged("a question was asked without end".into()))
}

/// What was said about the same matter in the run that this one is compared with. Who only tries things out asks nobody.
pub(super) fn verdict_before(work: &Work<'_>, matter: &Matter<'_>) -> Option<Said> {
    let entry = work.journal.past_entry(&answer_key(matter.name))?;
    let Event::Answered { answer, by, .. } = &entry.event else { return None };
    read(answer, matter.hash, false, by.clone(), false)
}

fn too_late(at: Option<Timestamp>, until: Option<Timestamp>) -> bool {
    at.zip(until).is_some_and(|(at, until)| at > until)
}

/// Nothing where it is no answer to this. A plain yes is one only where nothing more than a question was asked.
fn read(answer: &Value, asked: Hash, plain: bool, by: Option<String>, late: bool) -> Option<Said> {
    if answer.is_null() || late {
        return Some(Said::No("nobody agreed in time".into()));
    }
    let verdict =
        Verdict::read(answer, asked).filter(|verdict| verdict.hash == asked && (plain || answer.is_object()))?;
    Some(match verdict.decision {
        Ruling::Approve => Said::Yes,
        Ruling::Edit { plan } => Said::Instead { what: plan, by },
        Ruling::Reject => Said::No(match verdict.reason {
            Some(reason) if !reason.trim().is_empty() => format!("a person said no: {}", reason.trim()),
            _ => "a person said no".into(),
        }),
        Ruling::Respond { message } => Said::Words(message),
    })
}
