//! `agentwright people …`: who can sign in to the dashboard.

use jiff::Timestamp;
use serde_json::json;
use server::people::{self, PeopleError};

use super::{Here, audit, serve};
use crate::args::PeopleCommand;
use crate::compose;
use crate::exit::{Exit, Refusal};
use crate::print;

pub(super) async fn people(here: &Here, command: PeopleCommand) -> anyhow::Result<Exit> {
    let store = compose::store(&here.loaded).await?;
    let store = store.as_ref();
    match command {
        PeopleCommand::Add { name, role } => {
            let (account, token) = people::add(store, &name, role).await.map_err(refused)?;
            let on = [("name", account.name.clone()), ("role", role.to_string())];
            audit::note(here, store, "people add", on).await?;
            invited(here, &account.name, &token)
        }
        PeopleCommand::Invite { name } => {
            let (account, token) = people::invite(store, &name).await.map_err(refused)?;
            audit::note(here, store, "people invite", [("name", account.name.clone())]).await?;
            invited(here, &account.name, &token)
        }
        PeopleCommand::List => {
            let people: Vec<print::people::Row> = people::list(store).await?.into_iter().map(Into::into).collect();
            let json = json!({ "people": people });
            here.screen.show(&json, |ink| print::people::listing(&people, Timestamp::now(), ink))?;
            Ok(Exit::Done)
        }
        PeopleCommand::Remove { name } => {
            let account = people::remove(store, &name).await.map_err(refused)?;
            audit::note(here, store, "people remove", [("name", account.name.clone())]).await?;
            let words = format!("`{}` cannot sign in any more\n", account.name);
            here.screen.show(&json!({ "name": account.name, "removed": true }), |_| words)?;
            Ok(Exit::Done)
        }
    }
}

/// Shows a link, this once.
fn invited(here: &Here, name: &str, token: &str) -> anyhow::Result<Exit> {
    let link = serve::welcome_link(&here.loaded, token);
    here.screen.show(&json!({ "name": name, "link": link, "token": token }), |_| format!("{link}\n"))?;
    if here.screen.stderr_is_terminal {
        eprintln!("With this link `{name}` signs in and chooses a password. It is good for once, and for a day.");
    }
    Ok(Exit::Done)
}

fn refused(error: PeopleError) -> anyhow::Error {
    let hint = match &error {
        PeopleError::Taken(_) => "`agentwright people invite` makes another link for somebody who is there",
        PeopleError::Unknown(_) => "`agentwright people list` shows who is there",
        PeopleError::LastAdmin(_) => "make somebody else an admin first: `agentwright people add NAME --role admin`",
        PeopleError::BadName(_) => return Refusal::usage(error.to_string()).into(),
        PeopleError::NoChance(_) | PeopleError::Store(_) => return error.into(),
    };
    Refusal::usage(error.to_string()).hint(hint).into()
}
