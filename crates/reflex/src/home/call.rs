//! Commands as calls of the tools that carry them out.

use serde_json::{Map, Value, json};

use super::command::{Act, Amount, Command, Form, Machine, Media, Setting, Switch, Target};
use super::intent::number;

impl Command {
    /// The smart-home tool with its arguments. Nothing for other roles, and for things that this house does not have.
    pub fn call(&self) -> Option<(&'static str, Value)> {
        if self.unknown.is_some() {
            return None;
        }
        let mut arguments = Map::new();
        let tool = match &self.act {
            Act::Switch(switch) => {
                arguments.insert("action".to_owned(), json!(self.switch(*switch)));
                "smart_home.control"
            }
            Act::Set(setting) => {
                arguments.insert("action".to_owned(), json!("set"));
                let (name, value) = match setting {
                    Setting::Brightness(amount) => changed("brightness", *amount),
                    Setting::Colour(colour) => ("colour".to_owned(), json!(colour)),
                    Setting::Temperature(amount) => changed("temperature", *amount),
                    Setting::Position(amount) => changed("position", *amount),
                    Setting::Volume(amount) => changed("volume", *amount),
                };
                arguments.insert(name, value);
                "smart_home.control"
            }
            Act::Media(media) => {
                let action = match media {
                    Media::Next => "next",
                    Media::Previous => "previous",
                    Media::Pause => "pause",
                    Media::Resume => "play",
                };
                arguments.insert("action".to_owned(), json!(action));
                "smart_home.control"
            }
            Act::Machine(machine) => {
                let action = match machine {
                    Machine::Start => "start",
                    Machine::Stop => "stop",
                    Machine::Dock => "dock",
                };
                arguments.insert("action".to_owned(), json!(action));
                "smart_home.control"
            }
            Act::Ask(question) => {
                let form = match question.form {
                    Form::Which => "which",
                    Form::HowMany => "how_many",
                    Form::Any => "any",
                    Form::All => "all",
                    Form::What => "what",
                };
                arguments.insert("question".to_owned(), json!(form));
                if let Some(state) = &question.state {
                    arguments.insert("state".to_owned(), json!(state));
                }
                if let Some(attribute) = &question.attribute {
                    arguments.insert("attribute".to_owned(), json!(attribute));
                }
                "smart_home.state"
            }
            Act::Play { .. }
            | Act::Timer(_)
            | Act::List { .. }
            | Act::Broadcast(_)
            | Act::Weather
            | Act::Time
            | Act::Date
            | Act::Nevermind
            | Act::Respond => return None,
        };
        arguments.insert("target".to_owned(), self.target.arguments());
        Some((tool, Value::Object(arguments)))
    }

    fn switch(&self, switch: Switch) -> &'static str {
        let begun = matches!(self.target.domain.as_deref(), Some("scene" | "script"));
        match switch {
            Switch::On if begun => "activate",
            Switch::On => "turn_on",
            Switch::Off => "turn_off",
            Switch::Toggle => "toggle",
            Switch::Open => "open",
            Switch::Close => "close",
            Switch::Lock => "lock",
            Switch::Unlock => "unlock",
            Switch::Stop => "stop",
        }
    }
}

impl Target {
    /// As the `target` of a smart-home tool: areas and floors by their ids.
    pub fn arguments(&self) -> Value {
        let mut target = Map::new();
        let fields = [
            ("name", self.name.as_deref()),
            ("id", self.id.as_deref()),
            ("area", self.area.as_ref().map(|area| area.id.as_str())),
            ("floor", self.floor.as_ref().map(|floor| floor.id.as_str())),
            ("domain", self.domain.as_deref()),
            ("class", self.class.as_deref()),
        ];
        for (field, value) in fields {
            if let Some(value) = value {
                target.insert(field.to_owned(), json!(value));
            }
        }
        if self.all {
            target.insert("all".to_owned(), json!(true));
        }
        Value::Object(target)
    }
}

/// A value to reach under its own name, a change under the name of the change.
fn changed(name: &str, amount: Amount) -> (String, Value) {
    match amount {
        Amount::To(value) => (name.to_owned(), number(value)),
        Amount::By(value) => (format!("{name}_change"), number(value)),
    }
}
