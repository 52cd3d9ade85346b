//! The language of the other files: a project directory, commands run in it, and what they said.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_agentwright");

/// A directory with nothing around it: no home, no variables but ours.
pub(crate) struct Project {
    home: tempfile::TempDir,
    variables: Vec<(String, String)>,
}

/// What a command said.
pub(crate) struct Said {
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) code: i32,
}

impl Project {
    pub(crate) fn new() -> Self {
        let home = tempfile::tempdir().expect("a directory");
        std::fs::create_dir_all(home.path().join("work")).expect("a directory");
        Self { home, variables: Vec::new() }
    }

    pub(crate) fn file(self, name: &str, text: &str) -> Self {
        self.write(name, text);
        self
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        std::fs::write(path, text).expect("a file");
    }

    pub(crate) fn variable(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// With a model that says what a script tells it to.
    pub(crate) fn script(self, steps: &serde_json::Value) -> Self {
        self.file("script.json", &steps.to_string())
            .file("agentwright.toml", "[models]\ndefault = \"scripted:script.json\"\n")
    }

    /// With a tool `text.count` that counts words, and `rest.for` that takes so many seconds.
    pub(crate) fn tools(self) -> Self {
        let tools = "[[tool]]\nname = \"text.count\"\ndescription = \"Counts words.\"\neffect = \"read\"\n\
             [tool.parameters.text]\ntype = \"string\"\n[tool.command]\nprogram = \"wc\"\nargs = [\"-w\"]\nstdin = \"{text}\"\n\
             [[tool]]\nname = \"rest.for\"\ndescription = \"Rests.\"\neffect = \"read\"\n\
             [tool.parameters.seconds]\ntype = \"string\"\n[tool.command]\nprogram = \"sleep\"\nargs = [\"{seconds}\"]\n";
        self.file("tools/test.toml", tools)
    }

    pub(crate) fn path(&self) -> std::path::PathBuf {
        self.home.path().join("work")
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        self.surround(Command::new(PROGRAM), arguments)
    }

    fn surround(&self, mut command: Command, arguments: &[&str]) -> Command {
        command.args(arguments).current_dir(self.path()).env_clear();
        command.env("HOME", self.home.path()).env("PATH", "/usr/local/bin:/usr/bin:/bin").env("TZ", "UTC");
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Said {
        self.said(self.command(arguments).output().expect("it runs"))
    }

    pub(crate) fn run_with(&self, stdin: &[u8], arguments: &[&str]) -> Said {
        let mut child = self.command(arguments).stdin(Stdio::piped()).spawn().expect("it runs");
        // Somebody who has heard enough may hang up before we have said everything.
        let _ = child.stdin.take().expect("a pipe").write_all(stdin);
        self.said(child.wait_with_output().expect("it ends"))
    }

    /// At a terminal: each key is pressed once its words stand there. What stood there in the end is `out`.
    pub(crate) fn at_terminal(&self, turns: &[(&str, &str)], arguments: &[&str]) -> Said {
        let turns = serde_json::json!(turns).to_string();
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/terminal.py");
        let whole = [&[script, &turns, PROGRAM], arguments].concat();
        let mut command = self.surround(Command::new("python3"), &whole);
        let said = self.said(command.env("NO_COLOR", "1").output().expect("python3 runs"));
        Said { out: said.out.replace("\r\n", "\n"), ..said }
    }

    fn said(&self, output: std::process::Output) -> Said {
        let text = |bytes: Vec<u8>| plain(&String::from_utf8_lossy(&bytes), self.home.path());
        Said { out: text(output.stdout), err: text(output.stderr), code: output.status.code().unwrap_or(-1) }
    }
}

impl Said {
    /// Everything, as it is kept in snapshots.
    pub(crate) fn whole(&self) -> String {
        let part = |title: &str, text: &str| match text.trim_end() {
            "" => String::new(),
            text => format!("--- {title}\n{text}\n"),
        };
        format!("{}{}--- exit {}\n", part("stdout", &self.out), part("stderr", &self.err), self.code)
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}", self.whole()))
    }

    /// That it ended well.
    pub(crate) fn fine(self) -> Self {
        assert_eq!(self.code, 0, "{}", self.whole());
        self
    }
}

/// Text without what differs from one time to the next: the directory, ids, moments and times.
fn plain(text: &str, home: &Path) -> String {
    let text = text.replace(&home.display().to_string(), "~");
    let (mut runs, mut approvals): (Vec<String>, Vec<String>) = Default::default();
    let mut plain = String::new();
    let mut rest = text.as_str();
    while let Some(c) = rest.chars().next() {
        let word = rest.split(|c: char| !c.is_ascii_alphanumeric() && !"_.:-".contains(c)).next().unwrap_or_default();
        let (shown, length) = match word {
            _ if word.starts_with("run_") && word.len() >= 16 => {
                let id = &word[..word.len().min(36)];
                let known = runs.iter().position(|run| run[..16] == id[..16]);
                let at = known.unwrap_or_else(|| {
                    runs.push(id.to_owned());
                    runs.len() - 1
                });
                (format!("run_{}", at + 1), id.len())
            }
            _ if word.starts_with("apr_") && word.len() >= 16 => {
                let id = &word[..word.len().min(36)];
                let known = approvals.iter().position(|it| it[..16] == id[..16]);
                let at = known.unwrap_or_else(|| {
                    approvals.push(id.to_owned());
                    approvals.len() - 1
                });
                (format!("apr_{}", at + 1), id.len())
            }
            _ if word.starts_with("sha256:") => ("sha256:HASH".to_owned(), word.len()),
            _ if is_moment(word) => ("WHEN".to_owned(), word.len()),
            _ if is_time(word) => ("TIME".to_owned(), word.len()),
            "" => (c.to_string(), c.len_utf8()),
            word => (word.to_owned(), word.len()),
        };
        // The width of a column depends on what stands in it.
        if shown == "TIME" {
            let margin = plain.len() - plain.trim_end_matches(' ').len();
            plain.truncate(plain.len() - margin.saturating_sub(1));
        }
        plain.push_str(&shown);
        rest = &rest[length..];
        if shown == "TIME" && rest.starts_with("  ") {
            rest = rest.trim_start_matches(' ');
            plain.push_str("  ");
        }
    }
    plain
}

fn is_moment(word: &str) -> bool {
    word.len() >= 20 && word.as_bytes()[4] == b'-' && word.ends_with('Z') && word.contains('T')
}

fn is_time(word: &str) -> bool {
    let number = word.strip_suffix("ms").or_else(|| word.strip_suffix('s')).unwrap_or_default();
    !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}
