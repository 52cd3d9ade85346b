//! `smart_home.state`: answers questions about how things are.

use std::sync::Arc;

use async_trait::async_trait;
use domain::tool::{CallContext, Effect, Tool, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::home::{Home, from_house, meant, or_question, shown, shown_fields};
use super::house::{Device, View};
use super::target::{Target, find};
use super::{reading, say};
use crate::declare::{fields, list, parse, returning, spec};
use crate::words::capped;

pub(super) struct State {
    spec: ToolSpec,
    home: Arc<Home>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// What is asked about.
    target: Target,
    /// What is asked; when left out, `any` with a state and `what` without.
    question: Option<Question>,
    /// The state that is asked for: `on`, `off`, `open`, `closed`, `locked`, `playing` …
    state: Option<String>,
    /// The value that is asked for: `brightness`, `temperature`, `humidity`, `position`, `volume`, `battery` …
    attribute: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Question {
    Which,
    HowMany,
    Any,
    All,
    What,
}

impl State {
    pub(super) fn new(home: Arc<Home>) -> Self {
        let spec = spec::<Arguments>(
            "smart_home.state",
            "Tells how things in the house are: whether lights are on, doors open, how warm it is.",
            Effect::Read,
        );
        let sometimes = json!({
            "devices": list(shown_fields()), "count": "integer", "of": "integer", "answer": "boolean",
        });
        let returns = or_question(fields(json!({}), sometimes));
        Self { spec: returning(spec, returns), home }
    }
}

#[async_trait]
impl Tool for State {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, arguments: &Value, _: &CallContext) -> Result<Value, ToolError> {
        let asked: Arguments = parse(&self.spec, arguments)?;
        let (view, _) = self.home.look().await.map_err(|error| from_house(&self.spec, error))?;
        // Reading too much does no harm: whoever asks about a name that fits several hears about all of them.
        let target = Target { all: Some(true), ..asked.target.clone() };
        let mut found = meant(&view, find(&view, &target, |device| suits(&asked, device)));
        // How warm it is in a room without a thermostat, a sensor there can tell.
        if found.is_err() && asked.attribute.as_deref() == Some("temperature") && target.domain.is_some() {
            let anything = Target { domain: None, ..target.clone() };
            found = meant(&view, find(&view, &anything, |device| suits(&asked, device))).or(found);
        }
        match found {
            Ok(devices) => Ok(answer(&view, &asked, &devices)),
            Err(mut answer) => {
                if let Value::Object(answer) = &mut answer {
                    answer.remove("changed");
                }
                Ok(answer)
            }
        }
    }
}

fn suits(asked: &Arguments, device: &Device) -> bool {
    asked.state.as_deref().is_none_or(|state| reading::could_be(device, state))
        && asked.attribute.as_deref().is_none_or(|attribute| reading::attribute(device, attribute).is_some())
}

fn answer(view: &View, asked: &Arguments, devices: &[&Device]) -> Value {
    let all = |devices: &[&Device]| -> Vec<Value> { devices.iter().map(|device| shown(view, device)).collect() };
    let Some(state) = asked.state.as_deref().filter(|_| asked.question != Some(Question::What)) else {
        let said = match (asked.question, asked.attribute.as_deref()) {
            (Some(Question::HowMany), None) => {
                let count = say::counted(devices.len(), domains(devices));
                format!("There {} {count}: {}.", if devices.len() == 1 { "is" } else { "are" }, names(devices))
            }
            (_, attribute) => what(devices, attribute),
        };
        return json!({"said": said, "devices": all(devices), "count": devices.len()});
    };
    let (yes, no): (Vec<&Device>, Vec<&Device>) = devices.iter().partition(|device| reading::is(device, state));
    let word = capped(state.trim(), 40).to_lowercase();
    let count = say::counted(yes.len(), domains(devices));
    let listed = match yes.len() {
        0 => format!("No {} is {word}.", say::counted(1, domains(devices)).trim_start_matches("1 ")),
        1 => format!("{count} is {word}: {}.", names(&yes)),
        _ => format!("{count} are {word}: {}.", names(&yes)),
    };
    let question = asked.question.unwrap_or(Question::Any);
    let (said, truth) = match (question, devices) {
        (Question::Any | Question::All, [only]) => {
            let is = say::is(only.domain(), only.class.as_deref(), &only.condition);
            let truth = !yes.is_empty();
            (format!("{}, {}.", if truth { "Yes" } else { "No" }, say::about(&only.name, &is)), Some(truth))
        }
        (Question::Any, _) if yes.is_empty() => (format!("No, {}", lower(&listed)), Some(false)),
        (Question::Any, _) => (format!("Yes, {}", lower(&listed)), Some(true)),
        (Question::All, _) if no.is_empty() => (format!("Yes, {}", lower(&listed)), Some(true)),
        (Question::All, _) => {
            let verb = if no.len() == 1 { "is" } else { "are" };
            (format!("No, {} {verb} not {word}: {}.", say::counted(no.len(), domains(&no)), names(&no)), Some(false))
        }
        (Question::Which | Question::HowMany | Question::What, _) => (listed, None),
    };
    let mut result = json!({"said": said, "devices": all(&yes), "count": yes.len(), "of": devices.len()});
    if let Some(truth) = truth {
        result["answer"] = json!(truth);
    }
    result
}

fn what(devices: &[&Device], attribute: Option<&str>) -> String {
    let sentences: Vec<String> = devices
        .iter()
        .take(8)
        .map(|device| match attribute {
            None => {
                let is = say::is(device.domain(), device.class.as_deref(), &device.condition);
                say::sentence(&format!("{}.", say::about(&device.name, &is)))
            }
            Some(attribute) => match reading::attribute(device, attribute) {
                Some(value) if device.domain() == "sensor" => format!("The {} reads {value}.", device.name),
                Some(value) => format!("The {} of the {} is {value}.", attribute.replace('_', " "), device.name),
                None => format!("The {} has no {}.", device.name, capped(attribute, 40).replace('_', " ")),
            },
        })
        .collect();
    if let (Some(wanted), [_, _, ..]) = (attribute, devices)
        && devices.iter().all(|device| reading::attribute(device, wanted).is_none())
    {
        return format!("Nothing there has a {}.", capped(wanted, 40).replace('_', " "));
    }
    match devices.len() - sentences.len() {
        0 => sentences.join(" "),
        more => format!("{} And {more} more.", sentences.join(" ")),
    }
}

fn names(devices: &[&Device]) -> String {
    say::names(devices.iter().map(|device| device.name.as_str()))
}

fn domains<'d>(devices: &[&'d Device]) -> Vec<&'d str> {
    devices.iter().map(|device| device.domain()).collect()
}

fn lower(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}
