//! How much of what people say to Home Assistant the grammar of houses understands, and how fast.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context;
use domain::name::{Name, NameKind};
use reflex::home::{Command, understand};
use serde::Deserialize;
use serde_json::{Map, Value};

/// Where the sentences are kept, beside the workspace.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/home_assistant")
}

/// A sentence with what it means.
#[derive(Debug, Deserialize)]
pub struct Row {
    /// What was said.
    pub text: String,
    /// Home Assistant's name for what is to be done.
    pub intent: String,
    /// What that is given. A list names values of which each is right.
    pub slots: Map<String, Value>,
    /// Where it was said: its `area`.
    pub context: Map<String, Value>,
    /// Whose work it is.
    pub role: String,
}

/// What became of the sentences of one file.
#[derive(Debug, Default)]
pub struct Figures {
    /// How many there were.
    pub rows: usize,
    /// How many were understood as something.
    pub claimed: usize,
    /// How many of those as something for the right role.
    pub role: usize,
    /// How many with the right intent.
    pub intent: usize,
    /// How many with the right intent and every slot right.
    pub slots: usize,
    /// Per intent how many were wrong in any way, and how many there were.
    pub wrong: BTreeMap<String, (usize, usize)>,
    /// What was wrong, in words.
    pub misses: Vec<String>,
    /// Microseconds per sentence, sorted.
    pub micros: Vec<f64>,
}

/// What the house of the sentences calls its things.
pub fn names(folder: &Path) -> anyhow::Result<Vec<Name>> {
    let path = folder.join("fixtures.json");
    let fixtures: Value = serde_json::from_slice(&std::fs::read(&path).with_context(|| path.display().to_string())?)?;
    let mut names = Vec::new();
    for (list, kind, within) in
        [("floors", NameKind::Floor, ""), ("areas", NameKind::Area, "floor"), ("entities", NameKind::Device, "area")]
    {
        for thing in fixtures[list].as_array().into_iter().flatten() {
            let text = |value: &Value| value.as_str().map(str::to_owned);
            let id = text(&thing["id"]).context("a thing without an id")?;
            let written = text(&thing["name"]).context("a thing without a name")?;
            // What stands in brackets may be left out.
            let (name, short) = (written.replace(['[', ']'], ""), without_brackets(&written));
            let aliases = if short == name { Vec::new() } else { vec![short] };
            let domain = (kind == NameKind::Device).then(|| id.split('.').next().map(str::to_owned)).flatten();
            let class = text(&thing["attributes"]["device_class"]);
            names.push(Name { kind, id, name, aliases, domain, class, within: text(&thing[within]) });
        }
    }
    Ok(names)
}

/// Reads every sentence of a file.
pub fn measure(folder: &Path, split: &str, names: &[Name]) -> anyhow::Result<Figures> {
    let path = folder.join(format!("{split}.jsonl"));
    let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let mut figures = Figures::default();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let row: Row = serde_json::from_str(line)?;
        let said_in = row.context.get("area").and_then(Value::as_str);
        let here = names.iter().find(|name| name.kind == NameKind::Area && Some(name.name.as_str()) == said_in);
        let here = here.map(|area| area.id.as_str());
        let command = understand(&row.text, names, here);
        figures.micros.push(micros(|| understand(std::hint::black_box(&row.text), names, here)));
        figures.count(&row, command);
    }
    figures.micros.sort_by(f64::total_cmp);
    Ok(figures)
}

impl Figures {
    fn count(&mut self, row: &Row, command: Option<Command>) {
        self.rows += 1;
        let (intent, role) = command.as_ref().map_or(("", ""), |command| (command.intent(), command.role()));
        let slots = command.as_ref().map(Command::slots).unwrap_or_default();
        self.claimed += usize::from(command.is_some());
        self.role += usize::from(role == row.role);
        self.intent += usize::from(intent == row.intent);
        let right = intent == row.intent && same(&row.slots, &slots);
        self.slots += usize::from(right);
        let (wrong, all) = self.wrong.entry(row.intent.clone()).or_default();
        *all += 1;
        if !right {
            *wrong += 1;
            let (wanted, got) = (Value::Object(row.slots.clone()), Value::Object(slots));
            self.misses.push(format!("{:?}: wanted {} {wanted}, got {intent} {got}", row.text, row.intent));
        }
    }

    /// The time under which so great a part of the sentences stayed.
    pub fn micros_at(&self, part: f64) -> f64 {
        let at = (self.micros.len() as f64 * part) as usize;
        self.micros.get(at.min(self.micros.len().saturating_sub(1))).copied().unwrap_or_default()
    }
}

/// The median of some tries: others use the same processors.
fn micros<T>(work: impl Fn() -> T) -> f64 {
    let mut tries = [0.0; 15];
    for time in &mut tries {
        let start = Instant::now();
        std::hint::black_box(work());
        *time = start.elapsed().as_secs_f64() * 1e6;
    }
    tries.sort_by(f64::total_cmp);
    tries[tries.len() / 2]
}

/// Whether the same slots are given the same values, capitals and blanks aside.
fn same(wanted: &Map<String, Value>, got: &Map<String, Value>) -> bool {
    let equal = |wanted: &Value, got: &Value| match (wanted.as_str(), got.as_str()) {
        (Some(wanted), Some(got)) => wanted.trim().eq_ignore_ascii_case(got.trim()),
        _ => wanted == got || wanted.as_f64().is_some_and(|wanted| Some(wanted) == got.as_f64()),
    };
    wanted.len() == got.len()
        && wanted.iter().all(|(slot, wanted)| {
            got.get(slot).is_some_and(|got| match wanted {
                Value::Array(values) => values.iter().any(|value| equal(value, got)),
                value => equal(value, got),
            })
        })
}

fn without_brackets(text: &str) -> String {
    let mut depth = 0_u32;
    text.chars()
        .filter(|c| {
            depth += u32::from(*c == '[');
            let kept = depth == 0;
            depth -= u32::from(*c == ']' && depth > 0);
            kept
        })
        .collect()
}
