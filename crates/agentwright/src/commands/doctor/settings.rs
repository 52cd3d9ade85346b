//! Checks that need nothing but the configuration and the files around it.

use std::path::Path;
use std::process::{Command, Stdio};

use super::Check;
use crate::config::{Loaded, PROJECT_FILE};

pub(super) fn configuration(loaded: &Loaded) -> Check {
    let name = "configuration";
    match (loaded.project_file(), loaded.surroundings().user_file().filter(|file| file.exists())) {
        (Some(project), Some(user)) => Check::ok(name, format!("`{}` over `{}`", project.display(), user.display())),
        (Some(project), None) => Check::ok(name, format!("`{}`", project.display())),
        (None, Some(user)) => Check::ok(name, format!("`{}`", user.display())),
        (None, None) => Check::warn(name, format!("there is no `{PROJECT_FILE}`; the defaults hold"))
            .hint("`agentwright init` writes one"),
    }
}

pub(super) fn models(loaded: &Loaded) -> Vec<Check> {
    let name = "models";
    let models = &loaded.config.models;
    let own = loaded.config.components.values().filter_map(|component| component.model.as_ref());
    let mut all = models.all();
    all.extend(own);
    all.dedup();
    if all.is_empty() {
        let none =
            Check::warn(name, "no model is configured; what is obvious works, everything else cannot be planned");
        return vec![loaded.lines_for_a_model().into_iter().fold(none, Check::hint)];
    }
    let counts_money = loaded.config.budget.run.usd.is_some() && loaded.is_set(&["budget", "run", "usd"]);
    let check = |model: &&crate::config::ModelName| {
        if let Some(trouble) = loaded.trouble_with(model) {
            return Check::fail(name, format!("{model}: {trouble}"))
                .hint("set the variable, or name another with `api_key_env` under `[providers]`");
        }
        if counts_money && !models.price.contains_key(*model) {
            return Check::warn(name, format!("{model}: its price is not known, so `budget.run.usd` does not limit it"))
                .hint(format!("add these lines:\n    [models.price.\"{model}\"]\n    input = DOLLARS-PER-MILLION-TOKENS\n    output = DOLLARS-PER-MILLION-TOKENS"));
        }
        Check::ok(name, format!("{model}"))
    };
    all.iter().map(check).collect()
}

/// Whether something that only the owner should know is about to be published.
pub(super) fn secrets(loaded: &Loaded) -> Check {
    let name = "secrets";
    let directory = loaded.project_directory();
    if let Some(file) = loaded.project_file().filter(|file| looks_like_a_key(file)) {
        return Check::fail(name, format!("`{}` seems to contain a key", file.display()))
            .hint("put the key into an environment variable, and make a new one: this one has been seen");
    }
    let published = [directory.join(".env"), directory.join(".agentwright")];
    let open = published.iter().find(|path| path.exists() && git_would_publish(directory, path));
    match open {
        Some(path) => Check::warn(name, format!("git does not ignore `{}`", path.display()))
            .hint(format!("add `/{}` to `.gitignore`", path.file_name().unwrap_or_default().display())),
        None => Check::ok(name, "no key stands in a file that is about to be published"),
    }
}

fn looks_like_a_key(file: &Path) -> bool {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_');
    words.any(|word| word.len() > 20 && ["sk-", "AIza", "gsk_", "xai-"].iter().any(|start| word.starts_with(start)))
}

/// Without git, or outside a repository, nothing is published.
fn git_would_publish(directory: &Path, path: &Path) -> bool {
    let mut git = Command::new("git");
    git.arg("-C").arg(directory).args(["check-ignore", "--quiet"]).arg(path);
    let status = git.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.code() == Some(1)) && !ignores_itself(path)
}

/// A directory whose own `.gitignore` leaves nothing.
fn ignores_itself(path: &Path) -> bool {
    std::fs::read_to_string(path.join(".gitignore")).is_ok_and(|text| text.lines().any(|line| line.trim() == "*"))
}
