//! Tools that are one command: a program and its arguments, without a shell in between.

mod process;

use std::path::{Path, PathBuf};

use async_trait::async_trait;
use domain::tool::{CallContext, Effect, Repeat, Source, Standing, Tool, ToolError, ToolSpec};
use serde_json::Value;

pub(crate) use self::process::Group;
use self::process::{Ended, Limits, Spawned};
use crate::described::{About, CommandForm, Output, Scope, Text, Values, bytes};
use crate::errors;
use crate::words::{capped, size, tail};

/// The most a command may write, unless its file says otherwise.
const OUTPUT: usize = 64 << 10;
/// The most of what a failed command wrote to standard error that goes into an error, in bytes.
const COMPLAINT: usize = 2 << 10;
/// What every command sees of the environment.
pub(crate) const INHERITED: [&str; 4] = ["PATH", "HOME", "LANG", "TZ"];

/// A command with holes in its arguments.
pub(crate) struct CommandTool {
    about: About,
    program: PathBuf,
    /// Each group is left out as a whole where one of its holes stays empty.
    groups: Vec<Vec<Text>>,
    stdin: Option<Text>,
    env: Vec<(String, Text)>,
    cwd: Option<PathBuf>,
    output: Output,
    cap: usize,
}

impl CommandTool {
    pub(crate) fn new(about: &About, form: &CommandForm, folder: &Path, scope: &Scope<'_>) -> Result<Self, String> {
        let fixed = |text: &str, place: &str| {
            let text = Text::parse(text, scope)?;
            let plain = text.plain().map(PathBuf::from);
            plain.ok_or_else(|| format!("arguments cannot stand in `{place}`"))
        };
        let mut program = fixed(&form.program, "program")?;
        if program.as_os_str().is_empty() {
            return Err("`program` is empty".into());
        }
        if program.components().count() > 1 {
            program = folder.join(program);
        }
        let cwd = form.cwd.as_deref().map(|cwd| fixed(cwd, "cwd")).transpose()?;
        let inherited =
            INHERITED.iter().filter_map(|name| Some(((*name).to_owned(), Text::verbatim((scope.env)(name)?))));
        let mut env: Vec<(String, Text)> = inherited.collect();
        for (name, text) in &form.env {
            if name.is_empty() || name.contains(['=', '\0']) {
                return Err(format!("`{name}` is not the name of a variable"));
            }
            env.push((name.clone(), Text::parse(text, scope)?));
        }
        let tool = Self {
            about: about.clone(),
            program,
            groups: form.args.iter().map(|arg| group(arg, scope)).collect::<Result<_, _>>()?,
            stdin: form.stdin.as_deref().map(|text| Text::parse(text, scope)).transpose()?,
            env,
            cwd: cwd.map(|cwd| folder.join(cwd)),
            output: form.output,
            cap: bytes(form.max_output.as_deref(), OUTPUT)?,
        };
        tool.repeatable()?;
        Ok(tool)
    }

    /// A command that claims to recognise keys must be given them.
    fn repeatable(&self) -> Result<(), String> {
        let Effect::Write { repeat, .. } = &self.about.spec.effect else { return Ok(()) };
        let texts = self.groups.iter().flatten().chain(&self.stdin).chain(self.env.iter().map(|(_, text)| text));
        match repeat {
            Repeat::Never => Ok(()),
            Repeat::SameKey if texts.into_iter().any(Text::has_key) => Ok(()),
            Repeat::SameKey => Err("`repeat = \"same_key\"` needs `{key}` in `args`, `env` or `stdin`".into()),
            Repeat::ReadBack => Err("`repeat = \"read_back\"` is for HTTP tools".into()),
        }
    }

    fn arguments(&self, values: &Values<'_>) -> Result<Vec<String>, String> {
        let mut arguments = Vec::new();
        let mut options_ended = false;
        for group in &self.groups {
            let Some(filled) = group.iter().map(|text| text.fill(values)).collect::<Option<Vec<_>>>() else { continue };
            for (text, argument) in group.iter().zip(filled) {
                // Words of the file before the hole, or `--` before the argument, show that the value cannot be
                // taken for an option.
                if text.beginning().is_empty() && argument.starts_with('-') && !options_ended && text.plain().is_none()
                {
                    return Err(format!(
                        "{} must not begin with `-`, because the command would read it as an option",
                        crate::words::ticked(text.parameters())
                    ));
                }
                options_ended |= text.plain() == Some("--");
                arguments.push(argument);
            }
        }
        match arguments.iter().any(|argument| argument.contains('\0')) {
            true => Err("an argument contains a NUL character, which no command can be given".into()),
            false => Ok(arguments),
        }
    }

    fn command(&self, values: &Values<'_>) -> Result<tokio::process::Command, String> {
        let mut command = tokio::process::Command::new(&self.program);
        command.args(self.arguments(values)?).env_clear();
        for (name, text) in &self.env {
            let Some(value) = text.fill(values) else { continue };
            if value.contains('\0') {
                return Err(format!("the variable `{name}` would contain a NUL character"));
            }
            command.env(name, value);
        }
        if let Some(cwd) = &self.cwd {
            command.current_dir(cwd);
        }
        Ok(command)
    }

    fn unstarted(&self, error: &std::io::Error) -> ToolError {
        let spec = &self.about.spec;
        let program = self.program.display();
        match (error.kind(), &self.cwd) {
            (std::io::ErrorKind::NotFound, Some(cwd)) if !cwd.is_dir() => {
                errors::unavailable(spec, format!("there is no directory `{}`", cwd.display()))
            }
            (std::io::ErrorKind::NotFound, _) => errors::unavailable(
                spec,
                format!("the program `{program}` was not found; install it or correct `program`"),
            ),
            (std::io::ErrorKind::ArgumentListTooLong, _) => {
                errors::bad_argument(spec, "the arguments are too long for a command line")
            }
            _ => errors::unavailable(spec, format!("`{program}` cannot be started: {error}")),
        }
    }

    /// A command that ended well has happened, so a write's odd output is text and not a failure.
    fn result(&self, stdout: &[u8]) -> Result<Value, ToolError> {
        let text = String::from_utf8_lossy(stdout);
        let text = text.strip_suffix('\n').unwrap_or(&text);
        match self.output {
            Output::Text => Ok(Value::from(text)),
            Output::Lines => Ok(text.lines().collect()),
            Output::Json => match serde_json::from_str(text) {
                Ok(value) => Ok(value),
                Err(_) if self.about.spec.effect.is_write() => Ok(Value::from(text)),
                Err(error) => Err(errors::failed(
                    &self.about.spec,
                    format!("it wrote something that is not JSON ({error}): {}", capped(text, 200)),
                )),
            },
        }
    }
}

#[async_trait]
impl Tool for CommandTool {
    fn spec(&self) -> &ToolSpec {
        &self.about.spec
    }

    fn standing(&self) -> Standing {
        Standing { source: Source::File, quarantine: None }
    }

    async fn call(&self, arguments: &Value, call: &CallContext) -> Result<Value, ToolError> {
        let spec = &self.about.spec;
        let values = self.about.values(arguments, &call.key);
        let command = self.command(&values).map_err(|problem| errors::bad_argument(spec, problem))?;
        let stdin = self.stdin.as_ref().and_then(|text| text.fill(&values));
        let limits = Limits { time: self.about.timeout(), bytes: self.cap };
        let spawned = Spawned::new(command, stdin.is_some()).map_err(|error| self.unstarted(&error))?;
        match spawned.finish(stdin.unwrap_or_default().into_bytes(), &limits).await {
            Ended::Exited { status, stdout, .. } if status.success() => self.result(&stdout),
            Ended::Exited { status, stderr, .. } => {
                let complaint = tail(&stderr, COMPLAINT);
                let colon = if complaint.is_empty() { "" } else { ": " };
                let detail = format!("it ended with {status}{colon}{complaint}");
                if status.code().is_none() && spec.effect.is_write() {
                    return Err(errors::lost(spec, detail));
                }
                Err(errors::failed(spec, detail))
            }
            Ended::Flooded if spec.effect.is_write() => {
                Err(errors::lost(spec, format!("it wrote more than {} and was stopped", size(self.cap))))
            }
            Ended::Flooded => Err(errors::failed(spec, format!("it wrote more than {}", size(self.cap)))),
            Ended::TimedOut => Err(errors::timed_out(spec, limits.time)),
            Ended::Lost(error) => Err(errors::lost(spec, format!("it was lost sight of: {error}"))),
        }
    }
}

fn group(arg: &Value, scope: &Scope<'_>) -> Result<Vec<Text>, String> {
    match arg {
        Value::String(text) => Ok(vec![Text::parse(text, scope)?]),
        Value::Array(texts) if texts.iter().all(Value::is_string) => {
            texts.iter().filter_map(Value::as_str).map(|text| Text::parse(text, scope)).collect()
        }
        other => Err(format!("`args` holds texts and lists of texts, not {other}")),
    }
}
