//! `docs/reference` is written from the code. Where it is out of date these tests write it anew and fail: look at what
//! changed, and keep it.

mod configuration;
mod http;

use std::path::{Path, PathBuf};

use clap::{Arg, Command, CommandFactory};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A page is what it should be, or becomes it and the test fails.
fn up_to_date(name: &str, wanted: &str) {
    let file = root().join("docs/reference").join(name);
    if std::fs::read_to_string(&file).unwrap_or_default() != wanted {
        std::fs::write(&file, wanted).expect("written");
        panic!("docs/reference/{name} was out of date and has been written anew; look at it and commit it");
    }
}

#[test]
fn the_reference_of_the_command_line_is_up_to_date() {
    let mut text = String::from(
        "# Commands\n\nEvery command and flag, as the program knows them. [cli.md](../cli.md) says what they print and \
         how they end.\n",
    );
    let mut program = agentwright::args::Cli::command();
    program.build();
    describe(&program, "agentwright", &mut text);
    up_to_date("cli.md", &text);
}

fn describe(command: &Command, name: &str, text: &mut String) {
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    text.push_str(&format!("\n## `{name}`\n\n{}\n", sentence(&about)));
    let shown = |argument: &&Arg| !argument.is_hide_set() && !matches!(argument.get_id().as_str(), "help" | "version");
    // What holds everywhere is said once.
    let own = |argument: &&Arg| name == "agentwright" || !argument.is_global_set();
    let arguments: Vec<&Arg> = command.get_arguments().filter(shown).filter(own).collect();
    if !arguments.is_empty() {
        text.push_str("\n| | |\n|---|---|\n");
        for argument in arguments {
            text.push_str(&format!("| `{}` | {} |\n", usage(argument), says(argument)));
        }
    }
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set() && sub.get_name() != "help") {
        describe(sub, &format!("{name} {}", sub.get_name()), text);
    }
}

/// How an argument is written.
fn usage(argument: &Arg) -> String {
    let values: Vec<String> =
        argument.get_value_names().unwrap_or_default().iter().map(|name| name.to_string()).collect();
    let takes = argument.get_action().takes_values();
    let value = if takes && !values.is_empty() { format!(" {}", values.join(" ")) } else { String::new() };
    match (argument.get_short(), argument.get_long()) {
        (Some(short), Some(long)) => format!("-{short}, --{long}{value}"),
        (None, Some(long)) => format!("--{long}{value}"),
        (Some(short), None) => format!("-{short}{value}"),
        (None, None) => value.trim().to_owned(),
    }
}

/// What an argument does, what it can be, and what it is when left out.
fn says(argument: &Arg) -> String {
    let mut words = sentence(&argument.get_help().map(ToString::to_string).unwrap_or_default());
    let possible: Vec<String> =
        argument.get_possible_values().iter().map(|value| format!("`{}`", value.get_name())).collect();
    if argument.get_action().takes_values() && !possible.is_empty() {
        words.push_str(&format!(" One of {}.", possible.join(", ")));
    }
    let usual: Vec<String> =
        argument.get_default_values().iter().map(|value| format!("`{}`", value.to_string_lossy())).collect();
    if argument.get_action().takes_values() && !usual.is_empty() {
        words.push_str(&format!(" Usually {}.", usual.join(", ")));
    }
    words.replace('|', "\\|")
}

/// With a full stop, if it is not empty.
fn sentence(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.is_empty() || text.ends_with(['.', ':', '?']) { text } else { format!("{text}.") }
}
