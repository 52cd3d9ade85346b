//! The reference says everything there is.

use agentwright::config::Config;
use clap::CommandFactory;

const REFERENCE: &str = include_str!("../../../../docs/cli.md");

#[test]
fn every_key_is_in_the_reference() {
    let config = toml::Table::try_from(Config::default()).expect("a table");
    let mut missing = Vec::new();
    let mut sections: Vec<&toml::Table> = vec![&config];
    while let Some(section) = sections.pop() {
        for (key, value) in section {
            if !REFERENCE.contains(key.as_str()) {
                missing.push(key);
            }
            sections.extend(value.as_table());
        }
    }
    assert_eq!(missing, Vec::<&String>::new());
}

#[test]
fn every_command_and_flag_is_in_the_reference() {
    let program = agentwright::args::Cli::command();
    let mut commands = vec![(String::new(), &program)];
    while let Some((name, command)) = commands.pop() {
        assert!(command.is_hide_set() || REFERENCE.contains(name.trim()), "`{name}` is not in docs/cli.md");
        for flag in command.get_arguments().filter_map(|argument| argument.get_long()) {
            assert!(REFERENCE.contains(&format!("--{flag}")), "`{name} --{flag}` is not in docs/cli.md");
        }
        commands.extend(command.get_subcommands().map(|sub| (format!("{name} {}", sub.get_name()), sub)));
    }
}
