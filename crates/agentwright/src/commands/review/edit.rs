//! Changing what is proposed in the person's own editor. What they wrote is kept until it is carried out.

use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use console::Key;
use domain::approval::{Approval, Ruling};
use runtime::DecideError;

use super::{decide, person_is_here, pressed};
use crate::commands::{Here, keep_out_of_git};
use crate::compose::Parts;
use crate::exit::Refusal;
use crate::print::approval::findings;
use crate::print::text::tame;
use crate::sheet::{Filled, Sheet};

/// How often something can be changed before it is left.
const MOST_EDITS: usize = 100;

/// What came of an edit.
#[derive(Debug)]
pub(crate) enum Edited {
    /// Nothing: it is as it was.
    Unchanged,
    /// It will be carried out as it is now.
    Decided(Box<Approval>),
    /// It was not taken, for another reason than what was written.
    Refused(DecideError),
    /// What was written cannot be carried out, and stands in a file.
    Left,
}

/// Opens what is proposed in an editor, as often as the person wants, and has what they made of it carried out.
pub(crate) async fn edit(
    here: &Here,
    parts: &Parts,
    approval: &Approval,
    reason: Option<String>,
) -> anyhow::Result<Edited> {
    let command = editor(here)?;
    let ink = here.screen.ink_on_stderr;
    let sheet = Sheet::of(approval);
    let file = laid_out(here, approval, &sheet)?;
    for _ in 0..MOST_EDITS {
        open(&command, &file).await?;
        let text = std::fs::read_to_string(&file).map_err(|error| unusable(&file, error))?;
        match sheet.read(&text) {
            Ok(Filled::Unchanged) => {
                let _ = std::fs::remove_file(&file);
                eprintln!("nothing was changed");
                return Ok(Edited::Unchanged);
            }
            Ok(Filled::Changed(plan)) => {
                match decide(here, parts, approval, Ruling::Edit { plan }, reason.clone()).await {
                    Ok(decided) => {
                        let _ = std::fs::remove_file(&file);
                        return Ok(Edited::Decided(Box::new(decided)));
                    }
                    Err(DecideError::Unsound { findings: found, .. }) => {
                        eprint!("{} this cannot be carried out:\n{}", ink.bad("error:"), findings(&found, ink));
                    }
                    Err(why) => {
                        eprintln!("what you wrote is in `{}`", file.display());
                        return Ok(Edited::Refused(why));
                    }
                }
            }
            Err(why) => eprintln!("{} {}", ink.bad("error:"), tame(&why)),
        }
        let again = person_is_here(here) && {
            let key = pressed(ink, "[e]dit again  [l]eave it").await?;
            matches!(key, Key::Char('e'))
        };
        if !again {
            break;
        }
    }
    eprintln!("what you wrote is in `{}`", file.display());
    Ok(Edited::Left)
}

/// The person's editor.
fn editor(here: &Here) -> Result<String, Refusal> {
    let surroundings = here.loaded.surroundings();
    let named = surroundings.variable("VISUAL").or_else(|| surroundings.variable("EDITOR"));
    let none = || {
        Refusal::usage("there is no editor")
            .hint("name one in `VISUAL` or `EDITOR`, or use `agentwright approvals edit ID --file FILE`")
    };
    named.map(str::to_owned).ok_or_else(none)
}

/// A file for nobody else's eyes. What was left there before and could not be carried out is gone on with.
fn laid_out(here: &Here, approval: &Approval, sheet: &Sheet) -> anyhow::Result<PathBuf> {
    let (text, ends) = sheet.text();
    let state = here.loaded.state_directory();
    let directory = state.join("edits");
    keep_out_of_git(state)
        .and_then(|()| std::fs::create_dir_all(&directory))
        .map_err(|error| unusable(&directory, error))?;
    let file = directory.join(format!("{}.{ends}", approval.id));
    let written = || {
        let mut new = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&file)?;
        new.write_all(text.as_bytes())
    };
    match written() {
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            eprintln!("this goes on with `{}`, which was left there", file.display());
            Ok(file)
        }
        Err(error) => Err(unusable(&file, error).into()),
        Ok(()) => Ok(file),
    }
}

fn unusable(file: &Path, error: std::io::Error) -> Refusal {
    Refusal::failed(format!("`{}` cannot be used", file.display())).because(error)
}

/// Runs the editor as a shell would, since people write flags into `EDITOR`. Ctrl-C is for the editor, not for us.
async fn open(command: &str, file: &Path) -> anyhow::Result<()> {
    let mut child = tokio::process::Command::new("sh")
        .arg("-c")
        .arg(format!("{command} \"$1\""))
        .arg(command)
        .arg(file)
        .spawn()
        .map_err(|error| Refusal::failed(format!("`{command}` cannot be started")).because(error))?;
    let status = loop {
        tokio::select! {
            status = child.wait() => break status?,
            interrupt = tokio::signal::ctrl_c() => interrupt?,
        }
    };
    if status.success() {
        return Ok(());
    }
    let kept = format!("what you wrote is in `{}`", file.display());
    Err(Refusal::failed(format!("`{command}` ended with {status}")).hint(kept).into())
}
