//! A person at the terminal decides: they read, press a key, and may change what is proposed in their editor.

mod editor;

use std::io::{IsTerminal, Write};

use console::{Key, Term};
use domain::approval::{Approval, Ruling, Verdict};
use jiff::Timestamp;
use runtime::DecideError;

use super::Here;
use crate::args::Output;
use crate::compose::Parts;
use crate::print::approval as page;
use crate::print::text::{indented, tame};
use crate::sheet::Filled;
use editor::Desk;

/// How often something can be shown and asked about before it is left for later.
const MOST_KEYS: usize = 1_000;

const KEYS: &str = "[a]pprove  [e]dit  [r]eject  [m]essage  [p]rompts  [d]ifference  [f]ull  [l]ater  [?] ";

const HELP: &str = "\
  a  approve: carry it out as it is
  e  edit: change it in your editor and carry that out
  r  reject: do not carry it out
  m  message: say something; it is taken into account and proposed again
  p  everything the agents are told
  d  what is different from what was agreed to before
  f  all of it as text
  l  later: leave it as it is; so do q, Esc and Ctrl-C
";

/// What came of a review.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reviewed {
    /// It is decided, by this person or by somebody who was faster.
    Decided,
    /// It is still to be decided.
    Later,
}

/// Whether somebody is there who can be asked.
pub(super) fn person_is_here(here: &Here) -> bool {
    here.screen.output == Output::Text && here.screen.stderr_is_terminal && std::io::stdin().is_terminal()
}

/// Shows what is proposed, and does what the person says. What they decide is about what they have seen.
pub(super) async fn review(here: &Here, parts: &Parts, approval: Approval) -> anyhow::Result<Reviewed> {
    let ink = here.screen.ink_on_stderr;
    let mut approval = approval;
    eprint!("\n{}", page::review(&approval, Timestamp::now(), ink));
    for _ in 0..MOST_KEYS {
        eprint!("\n{} {KEYS}", ink.strong("?"));
        std::io::stderr().flush()?;
        let key = key().await?;
        eprintln!();
        let ruling = match key {
            Key::Char('a') => Ruling::Approve,
            Key::Char('r') => Ruling::Reject,
            Key::Char('m') => match words("What should be taken into account? (Enter for nothing) ").await? {
                Some(message) => Ruling::Respond { message },
                None => continue,
            },
            Key::Char('e') => match edited(here, parts, &approval).await? {
                Some(ended) => match after(here, ended) {
                    After::Ended(reviewed) => return Ok(reviewed),
                    After::Again(now) => {
                        approval = *now;
                        eprint!("\n{}", page::review(&approval, Timestamp::now(), ink));
                        continue;
                    }
                },
                None => continue,
            },
            Key::Char('p') => {
                eprint!("{}", page::prompts(&approval, ink));
                continue;
            }
            Key::Char('d') => {
                eprint!("{}", page::difference(&approval, ink));
                continue;
            }
            Key::Char('f') => {
                eprint!("{}", page::whole(&approval, ink));
                continue;
            }
            Key::Char('l' | 'q') | Key::Escape | Key::CtrlC => return Ok(Reviewed::Later),
            Key::Char('?' | 'h') => {
                eprint!("{HELP}");
                continue;
            }
            _ => continue,
        };
        match after(here, decide(here, parts, &approval, ruling, None).await) {
            After::Ended(reviewed) => return Ok(reviewed),
            After::Again(now) => {
                approval = *now;
                eprint!("\n{}", page::review(&approval, Timestamp::now(), ink));
            }
        }
    }
    Ok(Reviewed::Later)
}

/// What follows from a decision.
enum After {
    Ended(Reviewed),
    /// This is what is asked now.
    Again(Box<Approval>),
}
