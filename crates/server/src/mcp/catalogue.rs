//! The tools there are: what each is called, whom it serves, what it takes and what it answers.

use std::pin::Pin;
use std::sync::{Arc, LazyLock};

use rmcp::model::{
    CallToolResponse, CallToolResult, ContentBlock, InputRequiredResult, JsonObject, Tool, ToolAnnotations,
};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::desk::Desk;
use super::{approvals, learning, library, route, run, runs, tools};
use crate::access::{Area, Grant, Missing, Role};
use crate::error::ApiError;

/// A tool, as it is written down once.
pub(super) trait Offered: 'static {
    /// What it is called.
    const NAME: &'static str;
    /// What it does and when to use it, in a sentence or two.
    const WORDS: &'static str;
    /// Which part of the API it belongs to, and who may use it.
    const NEEDS: (Area, Role);
    /// What it does to the world.
    const TOUCH: Touch;
    /// What it takes.
    type Arguments: DeserializeOwned + JsonSchema + Send;
    /// What it answers.
    type Answer: Serialize + JsonSchema + Send;

    /// Does it.
    fn call(
        desk: Desk,
        arguments: Self::Arguments,
    ) -> impl Future<Output = Result<Reply<Self::Answer>, ApiError>> + Send;

    /// Whether what was to be done could not be done, though the answer says why.
    fn went_wrong(_: &Self::Answer) -> bool {
        false
    }

    /// The answer in words.
    fn words(answer: &Self::Answer) -> String {
        // Our own types always serialise.
        serde_json::to_string_pretty(answer).unwrap_or_default()
    }
}

/// What comes of a call.
pub(super) enum Reply<T> {
    /// This.
    Answer(T),
    /// Nothing yet: somebody has to be asked first.
    AskFirst(InputRequiredResult),
}

/// What a tool does to the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Touch {
    /// It looks.
    Looks,
    /// It sets off something that may change anything, and something else each time.
    Acts,
    /// It settles something, and settles it once.
    Settles,
}

type Call = Pin<Box<dyn Future<Output = CallToolResponse> + Send>>;

/// A tool, as the door knows it.
pub(super) struct Entry {
    needs: (Area, Role),
    pub(super) tool: Tool,
    call: fn(Desk, JsonObject) -> Call,
}

impl Entry {
    fn of<T: Offered>() -> Self {
        let hints = match T::TOUCH {
            Touch::Looks => {
                ToolAnnotations::new().read_only(true).idempotent(true).destructive(false).open_world(false)
            }
            Touch::Acts => ToolAnnotations::new().read_only(false).idempotent(false).destructive(true).open_world(true),
            Touch::Settles => {
                ToolAnnotations::new().read_only(false).idempotent(true).destructive(true).open_world(true)
            }
        };
        let tool = Tool::new(T::NAME, T::WORDS, schema::<T::Arguments>())
            .with_raw_output_schema(schema::<T::Answer>())
            .with_annotations(hints);
        Self { needs: T::NEEDS, tool, call: |desk, arguments| Box::pin(called::<T>(desk, arguments)) }
    }

    /// Whether somebody may use it.
    pub(super) fn is_for(&self, grant: &Grant) -> Result<(), Missing> {
        grant.allows(self.needs.0, self.needs.1)
    }

    pub(super) fn call(&self, desk: Desk, arguments: JsonObject) -> Call {
        (self.call)(desk, arguments)
    }
}

/// All tools, in the order in which they are told.
pub(super) static CATALOGUE: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    vec![
        Entry::of::<run::Ask>(),
        Entry::of::<run::Plan>(),
        Entry::of::<runs::Get>(),
        Entry::of::<runs::List>(),
        Entry::of::<runs::Cancel>(),
        Entry::of::<runs::Answer>(),
        Entry::of::<approvals::List>(),
        Entry::of::<approvals::Decide>(),
        Entry::of::<library::SearchAgents>(),
        Entry::of::<tools::List>(),
        Entry::of::<tools::Search>(),
        Entry::of::<route::Explain>(),
        Entry::of::<learning::Learned>(),
    ]
});

/// A tool by its name.
pub(super) fn find(name: &str) -> Option<&'static Entry> {
    CATALOGUE.iter().find(|entry| entry.tool.name == name)
}

/// What is wrong with arguments, and what went wrong besides, is an answer that the model can read and heed.
pub(super) fn refused(error: &ApiError) -> CallToolResponse {
    CallToolResult::error(vec![ContentBlock::text(error.to_string())]).into()
}

async fn called<T: Offered>(desk: Desk, arguments: JsonObject) -> CallToolResponse {
    let arguments = match serde_path_to_error::deserialize::<_, T::Arguments>(Value::Object(arguments)) {
        Ok(arguments) => arguments,
        Err(error) => {
            let (path, why) = (error.path().to_string(), error.inner().to_string());
            let at = if path == "." { String::new() } else { format!(" at `{path}`") };
            return refused(&ApiError::Invalid { message: format!("the arguments are wrong{at}: {why}"), param: None });
        }
    };
    match T::call(desk, arguments).await {
        Ok(Reply::Answer(answer)) => {
            let words = T::words(&answer);
            let mut result = CallToolResult::success(vec![ContentBlock::text(words)]);
            // Our own types always serialise.
            result.structured_content = serde_json::to_value(&answer).ok();
            result.is_error = Some(T::went_wrong(&answer));
            result.into()
        }
        Ok(Reply::AskFirst(questions)) => questions.into(),
        Err(error) => {
            error.log();
            refused(&error)
        }
    }
}

fn schema<T: JsonSchema>() -> Arc<JsonObject> {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    without_formats(&mut schema);
    match schema {
        Value::Object(mut object) => {
            // It is about types of ours that nobody there knows.
            object.remove("title");
            object.remove("description");
            Arc::new(object)
        }
        _ => Arc::default(),
    }
}

/// Formats of numbers are ours alone: `uint16` says nothing to those who check against a schema.
fn without_formats(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            if object.get("type").is_some_and(|kind| kind != "string") {
                object.remove("format");
            }
            object.values_mut().for_each(without_formats);
        }
        Value::Array(items) => items.iter_mut().for_each(without_formats),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_says_what_it_does_and_takes_and_answers_an_object() {
        for Entry { tool, .. } in CATALOGUE.iter() {
            assert!(tool.description.as_ref().is_some_and(|words| words.ends_with('.')), "{}", tool.name);
            for schema in [Some(&tool.input_schema), tool.output_schema.as_ref()] {
                let schema = schema.expect("a schema");
                assert_eq!(schema.get("type"), Some(&Value::from("object")), "{}: {schema:?}", tool.name);
                assert!(!serde_json::to_string(schema).expect("JSON").contains("$ref"), "{}", tool.name);
            }
        }
    }

    #[test]
    fn names_are_told_apart() {
        let mut names: Vec<_> = CATALOGUE.iter().map(|entry| entry.tool.name.clone()).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), CATALOGUE.len());
    }

    #[test]
    fn a_viewer_sees_only_what_looks() {
        let viewer = Grant::everywhere(Role::Viewer);
        let seen = CATALOGUE.iter().filter(|entry| entry.is_for(&viewer).is_ok());
        let looks =
            |entry: &Entry| entry.tool.annotations.as_ref().and_then(|hints| hints.read_only_hint) == Some(true);
        assert!(seen.into_iter().all(looks));
    }
}
