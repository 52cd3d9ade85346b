//! `agentwright chat`: requests one after the other, in one conversation.

mod lines;

use std::pin::pin;

use domain::approval::{ApprovalId, Ruling, Verdict};
use domain::dispatch::{Advanced, Dispatch};
use domain::event::{Need, Wait};
use domain::id::{RunId, SessionId};
use domain::request::{Request, Text};
use domain::store::{RunFilter, Signalled};
use jiff::Timestamp;
use runtime::DecideError;
use serde_json::Value;

use super::Here;
use super::carry::{self, Ask, Manner, Watching};
use super::review::person_is_here;
use super::run::plain;
use crate::args::Chat;
use crate::compose::Parts;
use crate::exit::Exit;
use crate::print;
use crate::print::run::how_to_answer;
use crate::print::text::tame;
use lines::{Line, Lines};

const HELP: &str = "\
Type a request and press Enter. When a run asks something, the next line is the answer.

  /runs   the runs of this conversation
  /help   this
  /quit   leave; so does Ctrl-D

Ctrl-C cancels the run in progress; twice in a row it quits.
";

pub(super) async fn chat(here: &Here, args: Chat) -> anyhow::Result<Exit> {
    let parts = here.parts().await?;
    let session = match args.session {
        Some(session) => session,
        None => RunId::fresh().to_string().replace("run_", "chat_").parse()?,
    };
    let history = here.loaded.surroundings().data_directory().map(|data| data.join("history"));
    let mut conversation = Conversation { here, parts: &parts, session, yes: args.yes, asked: None };
    // Runs that an earlier process left go on in the background while we talk.
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let stopped = Box::pin(async {
        let _ = stopped.await;
    });
    let mut background = pin!(parts.dispatch.work(parts.advance(), stopped));
    let ended = tokio::select! {
        ended = converse(Lines::open(history)?, &mut conversation) => ended,
        worked = &mut background => return worked.map(|()| Exit::Failed).map_err(Into::into),
        () = parts.keep_in_step() => return Ok(Exit::Failed),
    };
    drop(stop);
    background.await?;
    ended
}

/// Reads lines and acts on them until somebody wants to leave.
async fn converse(mut lines: Lines, conversation: &mut Conversation<'_>) -> anyhow::Result<Exit> {
    if lines.are_typed() {
        eprintln!("Type a request, or /help.");
        if conversation.parts.runtime.models.is_empty() {
            eprintln!(
                "No model is configured: the obvious works (ask “what can you do”), the rest cannot be planned until \
                 one is (`agentwright doctor`)."
            );
        }
    }
    let mut interrupts = 0;
    loop {
        let prompt = if conversation.asked.is_some() { "? " } else { "> " };
        let line = lines.next(prompt).await?;
        let text = match &line {
            Line::End => return Ok(Exit::Done),
            Line::Interrupt if interrupts > 0 => return Ok(Exit::Done),
            Line::Interrupt => {
                interrupts += 1;
                eprintln!("Press Ctrl-C again to quit.");
                continue;
            }
            Line::Text(text) => text.trim(),
        };
        interrupts = 0;
        match text {
            "" => {}
            "/quit" | "/exit" => return Ok(Exit::Done),
            "/help" => print::write(HELP)?,
            "/runs" => conversation.runs().await?,
            command if command.starts_with('/') => eprintln!("`{}` is not a command; type /help.", tame(command)),
            text => conversation.ask(text).await?,
        }
    }
}

struct Conversation<'c> {
    here: &'c Here,
    parts: &'c Parts,
    session: SessionId,
    yes: bool,
    /// What a run wants to know: the next line is the answer.
    asked: Option<(Watching, Wait)>,
}

impl Conversation<'_> {
    /// Makes a request, or answers the last one, and prints what comes of it.
    async fn ask(&mut self, text: &str) -> anyhow::Result<()> {
        let store = self.parts.store.as_ref();
        let manner = Manner { yes: self.yes, ask: Ask::Proposals, ..Manner::default() };
        let mut watching = match self.asked.take() {
            Some((watching, wait)) => {
                self.answer(watching.watched.run, &wait, text).await?;
                watching
            }
            None => match text.parse::<Text>() {
                Ok(words) => {
                    let request = Request { session: Some(self.session.clone()), ..plain(self.here, words) };
                    Watching::new(self.here, self.parts.accept(request).await?, manner)
                }
                Err(wrong) => {
                    eprintln!("{wrong}");
                    return Ok(());
                }
            },
        };
        loop {
            self.parts.dispatch.nudge(watching.watched.run).await;
            // The background carries it on; here it is only watched.
            watching.on(self.here, store, async { Ok(Advanced::Elsewhere) }).await?;
            if !carry::answer_what_we_can(self.here, self.parts, &watching.watched, manner).await? {
                break;
            }
        }
        let mut waits = watching.watched.view.waits.iter();
        match waits.find(|wait| wait.need.question().is_some()).cloned() {
            // They have looked at it, and want to decide later.
            Some(wait) if is_proposal(&wait) && person_is_here(self.here) => {
                eprintln!("{}", how_to_answer(watching.watched.run, &wait, false));
            }
            Some(wait) => {
                eprintln!("{}", tame(wait.need.question().unwrap_or_default()));
                self.asked = Some((watching, wait));
            }
            None => carry::tell(self.here, &watching.watched, manner)?,
        }
        Ok(())
    }

    /// Gives a run the line that it waits for. To what it proposes, that is yes, no, or something to take into account.
    async fn answer(&self, run: RunId, wait: &Wait, text: &str) -> anyhow::Result<()> {
        let answer = Value::String(text.to_owned());
        let Need::Approval { hash, proposal: Some(_), .. } = wait.need else {
            let said = runtime::answer(self.parts.store.as_ref(), run, &wait.name, answer, None).await?;
            if !matches!(said, Signalled::Recorded) {
                eprintln!("{run} has been answered already.");
            }
            return Ok(());
        };
        let words = || Verdict { decision: Ruling::Respond { message: text.to_owned() }, hash, reason: None };
        let verdict = Verdict::read(&answer, hash).unwrap_or_else(words);
        let by = self.here.loaded.person().map(str::to_owned);
        match self.parts.runtime.decide(ApprovalId::of(run, &wait.name), verdict, by).await {
            Ok(_) => Ok(()),
            Err(DecideError::Store(error)) => Err(error.into()),
            Err(why) => {
                eprintln!("{}", tame(&why.to_string()));
                Ok(())
            }
        }
    }

    async fn runs(&self) -> anyhow::Result<()> {
        let filter = RunFilter { session: Some(self.session.clone()), ..RunFilter::default() };
        let page = self.parts.store.runs(&filter, None, 50).await?;
        Ok(self.here.screen.show(&page, |ink| print::runs::listing(&page, Timestamp::now(), ink))?)
    }
}

fn is_proposal(wait: &Wait) -> bool {
    matches!(wait.need, Need::Approval { proposal: Some(_), .. })
}
