//! `agentwright approvals …`: looking at what people are asked, and deciding about it.

use std::io::Read;
use std::path::Path;

use domain::approval::{Approval, ApprovalFilter, ApprovalStatus, Ruling};
use domain::finding::Finding;
use domain::store::{Cursor, Store};
use jiff::Timestamp;
use runtime::DecideError;
use server::ApprovalPage;

use super::Here;
use super::carry::{self, Ask, Manner};
use super::review::{self, Edited, Reviewed, person_is_here};
use crate::args::{Approvals, ApprovalsCommand, Decide, ListApprovals, Output};
use crate::compose::{self, Parts};
use crate::exit::{Exit, Refusal};
use crate::lookup;
use crate::print;
use crate::print::approval::{self as page, Detail};
use crate::print::approvals::Inbox;
use crate::print::text::count;
use crate::print::verified::VerifiedPage;
use crate::sheet::{Filled, Sheet};

/// How many questions are gone through at once.
const MOST: usize = 1_000;
/// How much of a file is read.
const MOST_BYTES: u64 = 16 * 1024 * 1024;

pub(super) async fn approvals(here: &Here, args: Approvals) -> anyhow::Result<Exit> {
    let command = match args.command {
        Some(command) => command,
        None if person_is_here(here) => ApprovalsCommand::Review { approval: None, no_wait: false, quiet: false },
        None => ApprovalsCommand::List(ListApprovals::default()),
    };
    match command {
        ApprovalsCommand::List(args) => list(here, args).await,
        ApprovalsCommand::Show { approval } => show(here, &approval).await,
        ApprovalsCommand::Approve(args) => say(here, args, Ruling::Approve).await,
        ApprovalsCommand::Reject(args) => say(here, args, Ruling::Reject).await,
        ApprovalsCommand::Respond { decide, words } => say(here, decide, Ruling::Respond { message: words }).await,
        ApprovalsCommand::Edit { decide, file: Some(file) } => from_file(here, decide, &file).await,
        ApprovalsCommand::Edit { decide, file: None } => in_editor(here, decide).await,
        ApprovalsCommand::Review { approval, no_wait, quiet } => {
            go_through(here, approval.as_deref(), no_wait, quiet).await
        }
    }
}

async fn list(here: &Here, args: ListApprovals) -> anyhow::Result<Exit> {
    let store = compose::store(&here.loaded).await?;
    let run = match &args.run {
        Some(run) => Some(lookup::run(store.as_ref(), run).await?),
        None => None,
    };
    let status = if args.all { None } else { Some(args.status.unwrap_or(ApprovalStatus::Pending)) };
    let (cursor, now) = (args.cursor.map(Cursor), Timestamp::now());
    let filter = ApprovalFilter { run, status };
    let (approvals, next) = store.approvals(&filter, now, cursor.as_ref(), args.limit.into()).await?;
    let text = |ink| print::approvals::listing(&approvals, next.as_ref(), now, ink);
    let inbox = Inbox { approvals: approvals.iter().cloned().map(ApprovalPage::from).collect(), next: next.clone() };
    here.screen.show(&inbox, text)?;
    Ok(Exit::Done)
}

async fn show(here: &Here, approval: &str) -> anyhow::Result<Exit> {
    let store = compose::store(&here.loaded).await?;
    let approval = lookup::approval(store.as_ref(), approval).await?;
    here.screen.show(&ApprovalPage::from(approval.clone()), |ink| {
        let how = match approval.status {
            ApprovalStatus::Pending => format!("\n{}\n", print::run::how_to_decide(approval.id)),
            ApprovalStatus::Decided | ApprovalStatus::Expired | ApprovalStatus::Withdrawn => String::new(),
        };
        format!("{}{how}", page::review(&approval, Detail::Whole, Timestamp::now(), ink))
    })?;
    Ok(Exit::Done)
}

/// Says one of the things that need nothing more.
async fn say(here: &Here, args: Decide, ruling: Ruling) -> anyhow::Result<Exit> {
    let parts = here.parts().await?;
    let approval = asked(parts.store.as_ref(), &args).await?;
    let said = review::decide(here, &parts, &approval, ruling, args.reason.clone()).await;
    follow_up(here, &parts, said, &args).await
}

async fn from_file(here: &Here, args: Decide, file: &Path) -> anyhow::Result<Exit> {
    let parts = here.parts().await?;
    let approval = asked(parts.store.as_ref(), &args).await?;
    let text = text_of(file)?;
    let plan = match Sheet::of(&approval).read(&text) {
        Ok(Filled::Changed(plan)) => plan,
        Ok(Filled::Unchanged) => {
            return Err(Refusal::usage(format!("`{}` changes nothing", file.display()))
                .hint("`agentwright approvals approve` has it carried out as it is")
                .into());
        }
        Err(why) => return Err(Refusal::usage(format!("`{}` cannot be used: {why}", file.display())).into()),
    };
    let said = review::decide(here, &parts, &approval, Ruling::Edit { plan }, args.reason.clone()).await;
    follow_up(here, &parts, said, &args).await
}

async fn in_editor(here: &Here, args: Decide) -> anyhow::Result<Exit> {
    let parts = here.parts().await?;
    let approval = asked(parts.store.as_ref(), &args).await?;
    match review::edit(here, &parts, &approval, args.reason.clone()).await? {
        Edited::Unchanged => Ok(Exit::Waiting),
        Edited::Left => Ok(Exit::Unverified),
        Edited::Decided(decided) => follow_up(here, &parts, Ok(*decided), &args).await,
        Edited::Refused(why) => follow_up(here, &parts, Err(why), &args).await,
    }
}

/// One after the other, as a person sees fit. Runs go on in between, and may ask again.
async fn go_through(here: &Here, only: Option<&str>, no_wait: bool, quiet: bool) -> anyhow::Result<Exit> {
    if !person_is_here(here) {
        return Err(Refusal::usage("nobody is at the terminal who could be asked")
            .hint("`agentwright approvals list` shows what there is, `approve`, `edit`, `reject` and `respond` decide")
            .into());
    }
    let parts = here.parts().await?;
    let store = parts.store.as_ref();
    let inbox = match only {
        Some(text) => vec![lookup::approval(store, text).await?],
        None => pending(store).await?,
    };
    if inbox.is_empty() {
        eprintln!("nothing to decide");
    }
    let (mut exit, mut left) = (Exit::Done, 0);
    for seen in inbox {
        // Meanwhile it may have been decided, here or elsewhere.
        let Some(approval) = store.approval(seen.id, Timestamp::now()).await? else { continue };
        if approval.status != ApprovalStatus::Pending {
            eprintln!("`{}` is {}", approval.id, approval.status.word());
            continue;
        }
        let run = approval.run;
        match review::review(here, &parts, approval).await? {
            Reviewed::Later => left += 1,
            Reviewed::Settled if no_wait => {}
            Reviewed::Settled => {
                let ended =
                    carry::through(here, &parts, run, Manner { quiet, ask: Ask::Everything, ..Manner::default() })
                        .await?;
                exit = if exit == Exit::Done { ended } else { exit };
            }
        }
    }
    if left > 0 {
        eprintln!("{} left to decide", count(left, "question"));
        return Ok(Exit::Waiting);
    }
    Ok(exit)
}

async fn pending(store: &dyn Store) -> anyhow::Result<Vec<Approval>> {
    let filter = ApprovalFilter { status: Some(ApprovalStatus::Pending), run: None };
    Ok(store.approvals(&filter, Timestamp::now(), None, MOST).await?.0)
}

/// What is meant, as it was seen: with a hash, what had that hash.
async fn asked(store: &dyn Store, args: &Decide) -> anyhow::Result<Approval> {
    let found = lookup::approval(store, &args.approval).await?;
    Ok(Approval { hash: args.hash.unwrap_or(found.hash), ..found })
}

/// Carries the run on that was waiting for a decision, or says why there is none.
async fn follow_up(
    here: &Here,
    parts: &Parts,
    said: Result<Approval, DecideError>,
    args: &Decide,
) -> anyhow::Result<Exit> {
    let decided = match said {
        Ok(decided) => decided,
        Err(DecideError::Unsound { findings, .. }) => return unsound(here, findings),
        Err(DecideError::Stale(now)) => {
            let ink = here.screen.ink_on_stderr;
            if here.screen.output == Output::Text {
                eprintln!("{}", page::review(&now, Detail::Whole, Timestamp::now(), ink));
            }
            let hint = format!("this is what is proposed now; `--hash {}` decides about it", now.hash);
            return Err(Refusal::failed(DecideError::Stale(now).to_string()).hint(hint).into());
        }
        Err(why @ DecideError::Unknown(_)) => return Err(Refusal::usage(why.to_string()).into()),
        Err(DecideError::Store(error)) => return Err(error.into()),
        Err(
            why @ (DecideError::Expired(_)
            | DecideError::Already(_)
            | DecideError::Withdrawn(_)
            | DecideError::Unheard(_)),
        ) => return Err(Refusal::failed(why.to_string()).into()),
    };
    if args.no_wait {
        let word =
            decided.decided.as_ref().and_then(|it| it.answer["decision"].as_str()).unwrap_or("decided").to_owned();
        here.screen.show(&ApprovalPage::from(decided.clone()), |_| format!("{}: {word}\n", decided.id))?;
        return Ok(Exit::Done);
    }
    carry::through(here, parts, decided.run, Manner { quiet: args.quiet, ask: Ask::Everything, ..Manner::default() })
        .await
}

/// What was found about an edit, as `plan check` shows it.
fn unsound(here: &Here, findings: Vec<Finding>) -> anyhow::Result<Exit> {
    let found = VerifiedPage { valid: false, findings, bounds: None };
    here.screen.show(&found, |ink| print::verified::page(&found, ink))?;
    Ok(Exit::Unverified)
}

fn text_of(file: &Path) -> anyhow::Result<String> {
    let unreadable = |error: std::io::Error| Refusal::usage(format!("`{}` cannot be read: {error}", file.display()));
    let mut text = String::new();
    let read = match file.as_os_str() == "-" {
        true => std::io::stdin().lock().take(MOST_BYTES).read_to_string(&mut text),
        false => std::fs::File::open(file).and_then(|file| file.take(MOST_BYTES).read_to_string(&mut text)),
    };
    read.map_err(unreadable)?;
    Ok(text)
}
