//! `agentwright init`: a configuration to start from.

use std::fs::DirBuilder;
use std::io::{IsTerminal, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use crate::config::{ModelName, PROJECT_FILE, STANDARD_KEYS, Surroundings};
use crate::exit::{Exit, Refusal};
use crate::print;

const TEMPLATE: &str = include_str!("init/agentwright.toml");
const EXAMPLE_TOOL: &str = include_str!("init/example.toml");

/// Where the template says which model is used.
const MODEL_LINE: &str = "# default = \"openai:NAME-OF-A-MODEL\"";

pub(super) fn init(surroundings: &Surroundings) -> anyhow::Result<Exit> {
    let directory = surroundings.directory();
    let files = [directory.join(PROJECT_FILE), directory.join("tools/example.toml")];
    if let Some(there) = files.iter().find(|file| file.exists()) {
        return Err(Refusal::usage(format!("`{}` is there already", there.display()))
            .hint("nothing was written; go to an empty directory, or edit what is there")
            .into());
    }
    let model = model_from_person(surroundings)?;
    let text = match &model {
        Some(model) => TEMPLATE.replacen(MODEL_LINE, &format!("default = \"{model}\""), 1),
        None => TEMPLATE.to_owned(),
    };
    write_new(&files[0], &text)?;
    write_new(&files[1], EXAMPLE_TOOL)?;
    keep_out_of_git(&directory.join(".agentwright"))?;
    print::write(&farewell(model.as_ref(), surroundings))?;
    Ok(Exit::Done)
}

/// A directory that contains its own `.gitignore` needs no line in anybody else's.
pub(crate) fn keep_out_of_git(directory: &Path) -> std::io::Result<()> {
    if let Some(above) = directory.parent() {
        std::fs::create_dir_all(above)?;
    }
    // What people asked and got is their own.
    DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
    let file = directory.join(".gitignore");
    if file.exists() { Ok(()) } else { std::fs::write(file, "*\n") }
}

/// Asks nothing where nobody can answer.
fn model_from_person(surroundings: &Surroundings) -> anyhow::Result<Option<ModelName>> {
    if !(std::io::stdin().is_terminal() && std::io::stderr().is_terminal()) {
        return Ok(None);
    }
    let found = keys(surroundings);
    let example = found.first().map_or("openai", |(provider, _)| provider);
    eprintln!("Which model should do most of the work? Write `{example}:NAME-OF-A-MODEL`, or nothing for later.");
    for _ in 0..3 {
        eprint!("> ");
        std::io::stderr().flush()?;
        let mut line = String::new();
        if std::io::stdin().read_line(&mut line)? == 0 || line.trim().is_empty() {
            return Ok(None);
        }
        match line.trim().parse() {
            Ok(model) => return Ok(Some(model)),
            Err(wrong) => eprintln!("{wrong}"),
        }
    }
    Ok(None)
}

fn keys(surroundings: &Surroundings) -> Vec<(&'static str, &'static str)> {
    STANDARD_KEYS.into_iter().filter(|(_, variable)| surroundings.variable(variable).is_some()).collect()
}

fn write_new(file: &PathBuf, text: &str) -> anyhow::Result<()> {
    let unwritable =
        |error: std::io::Error| Refusal::failed(format!("`{}` cannot be written: {error}", file.display()));
    if let Some(directory) = file.parent() {
        std::fs::create_dir_all(directory).map_err(unwritable)?;
    }
    // Never over something that appeared a moment ago.
    let mut new = std::fs::File::create_new(file).map_err(unwritable)?;
    Ok(new.write_all(text.as_bytes()).map_err(unwritable)?)
}

fn farewell(model: Option<&ModelName>, surroundings: &Surroundings) -> String {
    let next = match (model, keys(surroundings).first()) {
        (Some(model), _) => format!("`agentwright doctor` says whether {model} can be asked."),
        (None, Some((provider, variable))) => {
            format!("`{variable}` is set: name a model of {provider} under `[models]` in `{PROJECT_FILE}`.")
        }
        (None, None) => {
            format!("Set a provider's key, for example `OPENAI_API_KEY`, and name a model in `{PROJECT_FILE}`.")
        }
    };
    format!(
        "wrote `{PROJECT_FILE}`, `tools/example.toml` and `.agentwright/.gitignore`\n\n\
         Next:\n  1. {next}\n  2. `agentwright tools list` shows the tools there are; describe your own in `tools/`.\n  \
         3. `agentwright run \"What time is it in Tokyo?\"`\n"
    )
}
