//! What would be carried out, as a text that people can change: TOML, in which prompts are written as they are, or JSON
//! where TOML has no words for it. Whichever it is, reading it back gives exactly what was written.

use domain::approval::{Approval, Subject};
use serde_json::{Map, Value};

const PLAN: &str = "\
Save this file to have it carried out instead of what was proposed; it is checked first.
Steps can be added, changed and removed: a step has a goal, and either a tool with arguments or an agent with
a prompt and tools. An empty file, and one that nothing was changed in, changes nothing.";

const ARGUMENTS: &str = "\
Save this file to have the tool called with these arguments instead; they are checked first.
An empty file, and one that nothing was changed in, changes nothing.";

/// Something to be changed, and what it was.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sheet {
    /// What it is about, in a few words.
    title: String,
    instructions: &'static str,
    before: Value,
}

/// What somebody made of a sheet.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Filled {
    /// Nothing.
    Unchanged,
    /// This.
    Changed(Value),
}

impl Sheet {
    /// What is proposed.
    pub(crate) fn of(approval: &Approval) -> Self {
        match &approval.proposal.subject {
            Subject::Plan { version, plan, .. } => Self {
                title: format!("Plan {version} of {}", approval.run),
                instructions: PLAN,
                // Our own types always serialise.
                before: serde_json::to_value(plan).unwrap_or_default(),
            },
            Subject::Call { call, .. } => Self {
                title: format!("The arguments of one call of {} by {}", call.tool, approval.run),
                instructions: ARGUMENTS,
                before: call.arguments.clone(),
            },
        }
    }

    /// The text, and how the name of a file with it ends.
    pub(crate) fn text(&self) -> (String, &'static str) {
        let comment = |line: &str| format!("# {line}\n");
        let head: String = std::iter::once(self.title.as_str()).chain(self.instructions.lines()).map(comment).collect();
        let body = toml::to_string_pretty(&self.before).ok();
        match body.filter(|body| from_toml(body).as_ref() == Ok(&self.before)) {
            Some(body) => (format!("{head}\n{body}"), "toml"),
            None => (format!("{head}\n{}", crate::print::json(&self.before)), "json"),
        }
    }

    /// What a text makes of it, or why it cannot be read.
    pub(crate) fn read(&self, text: &str) -> Result<Filled, String> {
        let lines = text.lines().skip_while(|line| line.trim().is_empty() || line.trim_start().starts_with('#'));
        let body = lines.collect::<Vec<_>>().join("\n");
        if body.trim().is_empty() {
            return Ok(Filled::Unchanged);
        }
        let value = match body.trim_start().starts_with('{') {
            true => serde_json::from_str(&body).map_err(|error| format!("this is not JSON: {error}"))?,
            false => from_toml(text)?,
        };
        let value = within(value);
        Ok(if value == self.before { Filled::Unchanged } else { Filled::Changed(value) })
    }
}

/// What `plan show -o json` and `approvals show -o json` write has it within.
fn within(value: Value) -> Value {
    let has = |names: [&str; 3]| names.iter().all(|name| value.get(name).is_some());
    let is_plan = has(["run", "version", "plan"]) || has(["run_id", "hash", "plan"]);
    let place = if is_plan { "plan" } else { "arguments" };
    match value.get(place) {
        Some(inner) if is_plan || has(["run_id", "hash", "arguments"]) => inner.clone(),
        _ => value,
    }
}

fn from_toml(text: &str) -> Result<Value, String> {
    let table: toml::Table = toml::from_str(text).map_err(|error| format!("this is not TOML: {error}"))?;
    Ok(Value::Object(object(table)))
}

fn object(table: toml::Table) -> Map<String, Value> {
    table.into_iter().map(|(key, value)| (key, json(value))).collect()
}

fn json(value: toml::Value) -> Value {
    match value {
        toml::Value::String(text) => Value::String(text),
        toml::Value::Integer(number) => number.into(),
        toml::Value::Float(number) => number.into(),
        toml::Value::Boolean(truth) => truth.into(),
        // JSON has no moments: they are texts there.
        toml::Value::Datetime(moment) => Value::String(moment.to_string()),
        toml::Value::Array(items) => items.into_iter().map(json).collect(),
        toml::Value::Table(table) => Value::Object(object(table)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn sheet(before: Value) -> Sheet {
        Sheet { title: "Plan 1".into(), instructions: PLAN, before }
    }

    #[test]
    fn prompts_are_written_as_they_are_and_steps_one_after_the_other() {
        let plan = json!({"goal": "dry feet", "answer": "${look}", "steps": [
            {"id": "look", "goal": "look outside", "prompt": "You look outside.\nYou say \"rain\" or 'sun'.", "tools": ["a.b"]},
            {"id": "tell", "goal": "", "tool": "mail.send", "arguments": {"to": "ada", "times": 2}, "depends_on": ["look"]},
        ]});
        let (text, ends) = sheet(plan.clone()).text();
        assert_eq!(ends, "toml");
        insta::assert_snapshot!(text);
        let changed = text.replace("dry feet", "wet feet");
        let mut wet = plan;
        wet["goal"] = json!("wet feet");
        assert_eq!(sheet(json!({})).read(&changed), Ok(Filled::Changed(wet)));
    }

    #[test]
    fn what_toml_cannot_say_is_said_in_json() {
        let before = json!({"to": null, "n": u64::MAX});
        let (text, ends) = sheet(before.clone()).text();
        assert_eq!((ends, sheet(before).read(&text)), ("json", Ok(Filled::Unchanged)));
    }

    #[test]
    fn what_cannot_be_read_says_why_and_nothing_is_nothing() {
        let sheet = sheet(json!({"a": 1}));
        assert_eq!(sheet.read("# only\n\n # comments\n"), Ok(Filled::Unchanged));
        assert!(sheet.read("a = ").expect_err("not TOML").starts_with("this is not TOML: "));
        assert!(sheet.read("# x\n{\"a\": ").expect_err("not JSON").starts_with("this is not JSON: "));
        assert_eq!(sheet.read("at = 2026-05-01"), Ok(Filled::Changed(json!({"at": "2026-05-01"}))));
        assert_eq!(sheet.read("{\"run\": \"run_1\", \"version\": 1, \"plan\": {\"a\": 1}}"), Ok(Filled::Unchanged));
    }

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            (-1e9..1e9f64).prop_map(Value::from),
            "\\PC{0,20}|[\\x00-\\x7f]{0,20}|'''|\"\"\"\n#".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::hash_map("\\PC{0,6}", inner, 0..4)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn a_sheet_that_nobody_changes_is_unchanged(
            before in prop::collection::hash_map("[a-z_]{1,8}|\\PC{0,4}", values(), 0..4),
        ) {
            let sheet = sheet(Value::Object(before.into_iter().collect()));
            let (text, _) = sheet.text();
            prop_assert_eq!(sheet.read(&text), Ok(Filled::Unchanged), "{}", text);
        }

        #[test]
        fn no_text_makes_the_reader_panic(text in "\\PC{0,80}|[\\x00-\\x7f]{0,80}") {
            let _ = sheet(serde_json::json!({})).read(&text);
        }
    }
}
