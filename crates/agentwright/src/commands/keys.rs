//! `agentwright keys …`: who may come in over HTTP.

use jiff::Timestamp;
use serde_json::json;
use server::{Grant, keys};

use super::{Here, audit};
use crate::args::KeysCommand;
use crate::compose;
use crate::config::Period;
use crate::exit::{Exit, Refusal};
use crate::print;

pub(super) async fn keys(here: &Here, command: KeysCommand) -> anyhow::Result<Exit> {
    let store = compose::store(&here.loaded).await?;
    let store = store.as_ref();
    match command {
        KeysCommand::Create { name, role, scope, expires, evidence } => {
            let expires = expires.map(|text| text.parse::<Period>()).transpose().map_err(Refusal::usage)?;
            let expires_at = expires.map(|period| Timestamp::now() + period.get());
            let wanted = keys::Wanted { name, grant: Grant { role, scopes: scope }, evidence, expires_at };
            let (secret, key) = keys::create(store, wanted).await?;
            audit::note(here, store, "keys create", [("id", key.id.clone()), ("role", role.to_string())]).await?;
            let json = json!({
                "key": secret, "id": key.id, "name": key.name, "role": role, "scopes": key.grant.scopes,
                "evidence": key.evidence, "created_at": key.created_at, "expires_at": key.expires_at
            });
            here.screen.show(&json, |_| format!("{secret}\n"))?;
            if here.screen.stderr_is_terminal {
                eprintln!("Keep it: it is shown this once. `agentwright keys revoke {}` ends it.", key.id);
            }
        }
        KeysCommand::List => {
            let keys: Vec<print::keys::Row> = keys::list(store).await?.into_iter().map(Into::into).collect();
            here.screen.show(&json!({ "keys": keys }), |ink| print::keys::listing(&keys, Timestamp::now(), ink))?;
        }
        KeysCommand::Revoke { id } => {
            // Who has the key at hand need not look for its id.
            let id = id.strip_prefix("aw_").and_then(|rest| rest.split('_').next()).unwrap_or(&id);
            let Some(key) = keys::revoke(store, id).await? else {
                let refusal = Refusal::usage(format!("there is no key `{id}`"));
                return Err(refusal.hint("`agentwright keys list` shows the keys there are").into());
            };
            audit::note(here, store, "keys revoke", [("id", key.id.clone())]).await?;
            let json = json!({ "id": key.id, "name": key.name, "revoked_at": key.revoked_at });
            here.screen.show(&json, |_| format!("`{}` is not valid any more\n", key.id))?;
        }
    }
    Ok(Exit::Done)
}
