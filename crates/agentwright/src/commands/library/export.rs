//! `agentwright skills export`: a skill as a file that other agents read.

use std::path::Path;

use domain::library::{Body, Kind};
use serde_json::json;

use super::Here;
use crate::compose;
use crate::exit::{Exit, Refusal};
use crate::lookup;
use crate::print::text::tame;

pub(super) async fn export(here: &Here, name: &str, to: Option<&Path>, overwrite: bool) -> anyhow::Result<Exit> {
    let store = compose::store(&here.loaded).await?;
    let item = lookup::item(store.as_ref(), Kind::Skill, name, None).await?.item;
    let Body::Skill(skill) = &item.draft.body else {
        return Err(Refusal::failed(format!("`{name}` is not a skill")).into());
    };
    let text = runtime::to_skill_md(skill);
    let Some(folder) = to else {
        here.screen.show(&json!({ "name": skill.name, "text": text }), |_| tame(&text).into_owned())?;
        return Ok(Exit::Done);
    };
    let file = here.loaded.surroundings().directory().join(folder).join(skill.name.as_str()).join("SKILL.md");
    let shown = folder.join(skill.name.as_str()).join("SKILL.md");
    let there = std::fs::read(&file).ok();
    let says = match &there {
        Some(there) if there == text.as_bytes() => "is unchanged",
        Some(_) if !overwrite => {
            return Err(Refusal::usage(format!("`{}` is there and says something else", shown.display()))
                .hint("add `--overwrite` to replace it")
                .into());
        }
        Some(_) => "is replaced",
        None => "is written",
    };
    if there.as_deref() != Some(text.as_bytes()) {
        let written =
            std::fs::create_dir_all(file.parent().unwrap_or(&file)).and_then(|()| std::fs::write(&file, &text));
        let words = format!("`{}` cannot be written", shown.display());
        written.map_err(|error| Refusal::failed(words).because(error).hint("check the path and its permissions"))?;
    }
    let json = json!({ "name": skill.name, "file": shown, "state": says });
    here.screen.show(&json, |_| format!("`{}` {says}\n", tame(&shown.display().to_string())))?;
    Ok(Exit::Done)
}
