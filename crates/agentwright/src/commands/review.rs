//! A person at the terminal decides: they read, press a key, and may change what is proposed in their editor.

mod edit;

use std::io::{IsTerminal, Write};

use console::{Key, Term};
use domain::approval::{Approval, Ruling, Verdict};
use jiff::Timestamp;
use runtime::DecideError;

use super::{Here, audit};
use crate::args::Output;
use crate::compose::Parts;
use crate::print::Ink;
use crate::print::approval::{self as page, Detail};
use crate::print::text::tame;

pub(super) use edit::{Edited, edit};

/// How many keys are read before something is left for later.
const MOST_KEYS: usize = 1_000;

const KEYS: &str = "[a]pprove  [e]dit  [r]eject  [m]essage  [p]rompts  [d]ifference  [f]ull  [l]ater  [?]";

const HELP: &str = "\
  a  approve: carry it out as it is
  e  edit: change it in your editor and have that carried out
  r  reject: do not carry it out
  m  message: say something that is taken into account before it is proposed again
  p  everything that agents are told
  d  what is different from what was agreed to before
  f  all of it as text
  l  later: leave it as it is; so do q, Esc and Ctrl-C
";

/// What came of a review.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reviewed {
    /// It is settled: decided by this person or by somebody else, or too late.
    Settled,
    /// It is still to be decided.
    Later,
}

/// Whether somebody is there who can be asked.
pub(super) fn person_is_here(here: &Here) -> bool {
    here.screen.output == Output::Text && here.screen.stderr_is_terminal && std::io::stdin().is_terminal()
}

/// Shows what is proposed, and does what the person says. What they decide is about what they have seen.
pub(super) async fn review(here: &Here, parts: &Parts, mut approval: Approval) -> anyhow::Result<Reviewed> {
    let ink = here.screen.ink_on_stderr;
    eprint!("\n{}", page::review(&approval, Detail::Glance, Timestamp::now(), ink));
    for _ in 0..MOST_KEYS {
        let said = match pressed(ink, KEYS).await? {
            Key::Char('a') => Some(decide(here, parts, &approval, Ruling::Approve, None).await),
            Key::Char('r') => Some(decide(here, parts, &approval, Ruling::Reject, None).await),
            Key::Char('m') => match typed("What should be taken into account? (Enter for nothing) ").await? {
                Some(message) => Some(decide(here, parts, &approval, Ruling::Respond { message }, None).await),
                None => None,
            },
            Key::Char('e') => match edit(here, parts, &approval, None).await {
                Ok(Edited::Decided(decided)) => Some(Ok(*decided)),
                Ok(Edited::Refused(why)) => Some(Err(why)),
                Ok(Edited::Unchanged | Edited::Left) => None,
                // Without an editor there are still the other keys.
                Err(error) => {
                    eprint!("{}", crate::exit::words(&error, ink));
                    None
                }
            },
            Key::Char('l' | 'q') | Key::Escape | Key::CtrlC => return Ok(Reviewed::Later),
            key => {
                eprint!("{}", shown(key, &approval, ink));
                None
            }
        };
        match said {
            None => {}
            Some(Ok(_)) => return Ok(Reviewed::Settled),
            Some(Err(DecideError::Stale(now))) => {
                eprintln!("{} what is proposed has changed: look again", ink.odd("note:"));
                approval = *now;
                eprint!("\n{}", page::review(&approval, Detail::Glance, Timestamp::now(), ink));
            }
            Some(Err(late @ (DecideError::Expired(_) | DecideError::Already(_) | DecideError::Withdrawn(_)))) => {
                eprintln!("{} {}", ink.odd("note:"), tame(&late.to_string()));
                return Ok(Reviewed::Settled);
            }
            Some(Err(why @ (DecideError::Unsound { .. } | DecideError::Unheard(_)))) => {
                eprintln!("{} {}", ink.bad("error:"), tame(&why.to_string()));
            }
            Some(Err(why @ (DecideError::Unknown(_) | DecideError::Store(_)))) => return Err(why.into()),
        }
    }
    Ok(Reviewed::Later)
}

/// Says something to what a person has seen.
pub(super) async fn decide(
    here: &Here,
    parts: &Parts,
    seen: &Approval,
    decision: Ruling,
    reason: Option<String>,
) -> Result<Approval, DecideError> {
    let verdict = Verdict { decision, hash: seen.hash, reason };
    let word = verdict.decision.word();
    let decided = parts.runtime.decide(seen.id, verdict, here.loaded.person().map(str::to_owned)).await?;
    let on = [("approval", seen.id.to_string()), ("decision", word.to_owned())];
    audit::note(here, parts.store.as_ref(), "approvals decide", on).await?;
    Ok(decided)
}

fn shown(key: Key, approval: &Approval, ink: Ink) -> String {
    match key {
        Key::Char('p') => page::prompts(approval, ink),
        Key::Char('d') => page::difference(approval, ink),
        Key::Char('f') => page::whole(approval, ink),
        Key::Char('?' | 'h') => HELP.to_owned(),
        _ => String::new(),
    }
}

/// The key that is pressed next. Whoever has gone presses nothing more, which is as good as Escape.
async fn pressed(ink: Ink, choices: &str) -> anyhow::Result<Key> {
    eprint!("\n{} {choices} ", ink.strong("?"));
    std::io::stderr().flush()?;
    let read = tokio::task::spawn_blocking(|| Term::stderr().read_key_raw()).await?;
    eprintln!();
    match read {
        Err(error) if matches!(error.kind(), std::io::ErrorKind::UnexpectedEof | std::io::ErrorKind::Interrupted) => {
            Ok(Key::Escape)
        }
        read => Ok(read?),
    }
}

/// A line, if there is anything in it.
pub(super) async fn typed(question: &str) -> anyhow::Result<Option<String>> {
    eprint!("{question}");
    std::io::stderr().flush()?;
    let line = tokio::task::spawn_blocking(|| {
        let mut line = String::new();
        std::io::stdin().read_line(&mut line).map(|_| line)
    });
    let line = line.await??;
    Ok(Some(line.trim().to_owned()).filter(|line| !line.is_empty()))
}
