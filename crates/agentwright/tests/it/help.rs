//! What the program says about itself.

use crate::program::Project;

#[test]
fn every_command_explains_itself() {
    let project = Project::new();
    let commands = [
        "",
        "run",
        "chat",
        "init",
        "doctor",
        "config",
        "config show",
        "completion",
        "runs",
        "runs list",
        "runs show",
        "runs cancel",
        "runs resume",
        "runs fork",
        "runs replay",
        "runs export",
        "runs clear",
        "runs count",
        "approvals",
        "approvals list",
        "approvals show",
        "approvals approve",
        "approvals edit",
        "approvals reject",
        "approvals respond",
        "approvals review",
        "plan",
        "plan show",
        "plan check",
        "plan diff",
        "tools",
        "tools list",
        "tools show",
        "tools test",
        "tools pin",
        "mcp",
        "mcp add",
        "mcp list",
        "mcp remove",
        "tools shortlist",
        "tools stats",
        "traces",
        "traces list",
        "traces show",
        "traces import",
        "traces export",
        "traces revoke",
        "route pathways",
        "eval",
        "eval run",
        "runs rate",
        "agents",
        "agents list",
        "agents search",
        "agents diff",
        "agents rollback",
        "cohorts",
        "skills",
        "skills explain",
        "skills export",
        "skills plans",
        "compare",
        "serve",
        "keys",
        "keys create",
        "keys list",
        "keys revoke",
        "people",
        "people add",
        "people list",
        "people remove",
        "people invite",
        "audit",
        "audit list",
        "audit verify",
    ];
    let pages = commands.map(|command| {
        let arguments: Vec<&str> = command.split_whitespace().chain(["--help"]).collect();
        let said = project.run(&arguments).fine();
        // What holds everywhere is shown once.
        let own = if command.is_empty() { said.out } else { without_globals(&said.out) };
        format!("$ agentwright {}\n{}\n", arguments.join(" "), own.trim_end())
    });
    insta::assert_snapshot!(pages.join("\n"));
}

fn without_globals(text: &str) -> String {
    let (own, rest) = text.split_once("\nEverywhere:").unwrap_or((text, ""));
    let after = rest.split_once("Write without colours\n").map_or("", |(_, after)| after);
    format!("{own}{after}")
}

#[test]
fn examples_stand_in_the_help_of_what_is_used_most() {
    let project = Project::new();
    for command in ["run", "runs", "plan", "compare"] {
        let arguments: &[&str] = match command {
            "runs" => &["runs", "list", "--help"],
            "plan" => &["plan", "show", "--help"],
            command => &[command, "--help"],
        };
        assert!(project.run(arguments).fine().out.contains("Examples:"), "{command}");
    }
}

#[test]
fn every_shell_gets_its_completions() {
    let project = Project::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let said = project.run(&["completion", shell]).fine();
        assert!(said.out.contains("agentwright") && said.err.is_empty(), "{shell}");
    }
}
