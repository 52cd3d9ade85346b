//! `agentwright config show`

use super::Here;
use crate::args::ConfigCommand;
use crate::exit::Exit;

pub(super) fn config(here: &Here, command: ConfigCommand) -> anyhow::Result<Exit> {
    let ConfigCommand::Show { origin } = command;
    let shown = here.loaded.shown();
    here.screen.show(&shown.json(), |_| if origin { shown.toml_with_origins() } else { shown.toml() })?;
    Ok(Exit::Done)
}
