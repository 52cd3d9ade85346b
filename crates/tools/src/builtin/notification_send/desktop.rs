//! Notifications on the desktop, by the program that the system has for them. It is given arguments, never a script
//! that contains the text.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use domain::tool::{ToolError, ToolSpec};
use tokio::process::Command;

use crate::errors;

/// How long the program may take.
const PATIENCE: Duration = Duration::from_secs(5);
/// What the program may see of the environment.
const NEEDED: [&str; 8] =
    ["PATH", "HOME", "LANG", "DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "XAUTHORITY"];

/// A program that shows notifications.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Desktop {
    /// Where it is.
    pub program: PathBuf,
    /// How it wants to be called.
    pub dialect: Dialect,
    /// All that it sees of the environment.
    pub environment: Vec<(String, String)>,
}

/// The arguments that a program takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// `notify-send`: options, a summary, a body in which markup and backslashes mean something.
    NotifySend,
    /// `osascript`: a fixed script, then the words it shows.
    AppleScript,
}

/// What is shown.
pub(super) struct Notice<'n> {
    pub(super) title: &'n str,
    pub(super) text: &'n str,
    pub(super) urgency: &'static str,
}

impl Desktop {
    /// The program of this system, where it has a desktop and the program is installed. Variables are asked for.
    pub fn find(variable: &dyn Fn(&str) -> Option<String>) -> Option<Self> {
        let (name, dialect) = match cfg!(target_os = "macos") {
            true => ("osascript", Dialect::AppleScript),
            false => ("notify-send", Dialect::NotifySend),
        };
        let set = |name: &&str| variable(name).is_some_and(|value| !value.is_empty());
        let has_desktop = ["DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS"].iter().any(set);
        if dialect == Dialect::NotifySend && !has_desktop {
            return None;
        }
        let folders = variable("PATH")?;
        let program = folders.split(':').map(|folder| Path::new(folder).join(name)).find(|path| path.is_file())?;
        let environment = NEEDED.iter().filter_map(|name| Some(((*name).to_owned(), variable(name)?))).collect();
        Some(Self { program, dialect, environment })
    }

    pub(super) async fn show(&self, spec: &ToolSpec, notice: &Notice<'_>) -> Result<(), ToolError> {
        let place = self.program.display();
        let mut command = Command::new(&self.program);
        command.args(arguments(self.dialect, notice)).env_clear().envs(self.environment.iter().cloned());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
        let mut child =
            command.spawn().map_err(|error| errors::unavailable(spec, format!("`{place}` does not start: {error}")))?;
        match tokio::time::timeout(PATIENCE, child.wait()).await {
            Ok(Ok(status)) if status.success() => Ok(()),
            Ok(Ok(status)) => Err(errors::failed(spec, format!("`{place}` ended with {status}"))),
            Ok(Err(error)) => Err(errors::lost(spec, format!("`{place}` was lost sight of: {error}"))),
            Err(_) => {
                // It would show the notification at some other time.
                let _ = child.kill().await;
                Err(errors::timed_out(spec, PATIENCE))
            }
        }
    }
}

fn arguments(dialect: Dialect, notice: &Notice<'_>) -> Vec<String> {
    let (title, text) = (plain(notice.title), plain(notice.text));
    match dialect {
        Dialect::NotifySend => {
            let body = text.replace('\\', "\\\\").replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            let urgency = format!("--urgency={}", notice.urgency);
            vec!["--app-name=Agentwright".into(), urgency, "--".into(), title, body]
        }
        Dialect::AppleScript => {
            let script =
                ["on run argv", "display notification (item 2 of argv) with title (item 1 of argv)", "end run"];
            let lines = script.iter().flat_map(|line| ["-e".to_owned(), (*line).to_owned()]);
            // What begins with a dash would be read as an option.
            lines.chain([title, text].map(|words| words.trim_start_matches('-').to_owned())).collect()
        }
    }
}

/// Nothing that a program could take for more than words, and no more than fits on a screen.
fn plain(text: &str) -> String {
    let text: String = text.chars().map(|c| if c == '\n' || c == '\t' { ' ' } else { c }).collect();
    crate::words::capped(text.chars().filter(|c| !c.is_control()).collect::<String>().trim(), 1_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stay_words_whatever_they_look_like() {
        let notice = Notice { title: "--help", text: "-x <b>a & b\\n\u{0}\nc", urgency: "critical" };
        assert_eq!(
            arguments(Dialect::NotifySend, &notice),
            ["--app-name=Agentwright", "--urgency=critical", "--", "--help", "-x &lt;b&gt;a &amp; b\\\\n c"]
        );
        let words = arguments(Dialect::AppleScript, &notice);
        assert_eq!(words[words.len() - 2..], ["help", "x <b>a & b\\n c"]);
        assert!(words[..words.len() - 2].iter().all(|word| !word.contains("help")));
    }

    #[test]
    fn without_a_desktop_there_is_no_program() {
        assert_eq!(Desktop::find(&|_| None), None);
        assert_eq!(Desktop::find(&|name| (name == "DISPLAY").then(|| ":0".into())), None);
        assert_eq!(Desktop::find(&|name| (name == "PATH").then(|| "/usr/bin".into())), None);
    }
}
