//! `summarization.summarize`: the sentences of a text that say most of it, as they stand there. No model is asked.

mod choice;
mod sentences;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use domain::tool::{CallContext, Effect, Tool, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::search::{Folders, read_text};
use crate::words::{capped, size};
use crate::{declare, errors};

/// The longest text, in bytes.
const LARGEST: usize = 2 << 20;
/// The longest sentence that is said whole, in characters.
const SENTENCE: usize = 500;

/// What the summarization tool works with.
pub struct Summarization {
    /// The folders whose files may be summarized, usually those that are searched.
    pub folders: Vec<PathBuf>,
    /// What is left out of them.
    pub ignore: Vec<String>,
}

/// The summarization tool.
pub fn summarization(with: Summarization) -> Vec<Arc<dyn Tool>> {
    vec![Arc::new(Summarize::new(Folders::new(with.folders, with.ignore)))]
}

struct Summarize {
    spec: ToolSpec,
    folders: Folders,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// What to summarize.
    text: Option<String>,
    /// A file to summarize, in the folders that are searched.
    path: Option<String>,
    /// How many sentences to keep, from 1 to 20; what suits the length when left out.
    #[schemars(range(min = 1, max = 20))]
    sentences: Option<usize>,
}

impl Summarize {
    fn new(folders: Folders) -> Self {
        let spec = declare::spec::<Arguments>(
            "summarization.summarize",
            "Summarizes a text, or a file of the user, by its most telling sentences.",
            Effect::Read,
        );
        let returns = declare::fields(
            json!({"said": "string", "sentences": declare::list("string"), "of": "integer", "whole": "boolean"}),
            json!({}),
        );
        Self { spec: declare::returning(spec, returns), folders }
    }

    async fn text(&self, arguments: &Arguments) -> Result<String, ToolError> {
        let given = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
        match (given(&arguments.text), given(&arguments.path)) {
            (Some(text), None) if text.len() <= LARGEST => Ok(text),
            (Some(text), None) => {
                let problem = format!("`text` may hold {}, got {} bytes", size(LARGEST), text.len());
                Err(errors::bad_argument(&self.spec, problem))
            }
            (None, Some(path)) => self.file(path).await,
            (None, None) => Err(errors::bad_argument(&self.spec, "either `text` or `path` must say something")),
            (Some(_), Some(_)) => Err(errors::bad_argument(&self.spec, "`text` and `path` cannot both be summarized")),
        }
    }

    async fn file(&self, path: String) -> Result<String, ToolError> {
        let (folders, file) = (self.folders.clone(), PathBuf::from(&path));
        let read = tokio::task::spawn_blocking(move || {
            let bytes = folders.read(&file)?;
            Ok::<_, std::io::Error>(read_text(&file, &bytes))
        });
        let shown = capped(&path, 100);
        let refused = |why: String| errors::failed(&self.spec, why);
        match read.await {
            Ok(Ok(Some(text))) => Ok(text.body),
            Ok(Ok(None)) => Err(refused(format!("`{shown}` holds no text"))),
            Ok(Err(error)) if error.kind() == std::io::ErrorKind::NotFound => {
                Err(refused(format!("`{shown}` is not a file in the folders that are searched")))
            }
            Ok(Err(error)) => Err(refused(format!("`{shown}` cannot be read: {error}"))),
            Err(error) => Err(refused(error.to_string())),
        }
    }
}

#[async_trait]
impl Tool for Summarize {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, arguments: &Value, _: &CallContext) -> Result<Value, ToolError> {
        let arguments: Arguments = declare::parse(&self.spec, arguments)?;
        let text = self.text(&arguments).await?;
        let name = arguments.path.as_deref().and_then(|path| Path::new(path).file_name()?.to_str()).map(str::to_owned);
        let wanted = arguments.sentences.map(|count| count.clamp(1, 20));
        let summary = tokio::task::spawn_blocking(move || summary(&text, wanted)).await;
        let summary = summary.map_err(|error| errors::failed(&self.spec, error.to_string()))?;
        if summary.kept.is_empty() {
            let what = name.map_or_else(|| "the text".into(), |name| format!("`{name}`"));
            return Err(errors::failed(&self.spec, format!("there is nothing to summarize in {what}")));
        }
        Ok(json!({
            "said": summary.said, "sentences": summary.kept, "of": summary.of, "whole": summary.kept.len() == summary.of,
        }))
    }
}

struct Summary {
    said: String,
    kept: Vec<String>,
    /// How many sentences the text has.
    of: usize,
}

fn summary(text: &str, wanted: Option<usize>) -> Summary {
    let outline = sentences::split(text);
    let of = outline.sentences.len();
    let wanted = wanted.unwrap_or(if of > 30 { 5 } else { 3 });
    let chosen = choice::choose(&outline, wanted);
    let kept: Vec<String> = chosen.into_iter().map(|at| capped(&outline.sentences[at].text, SENTENCE)).collect();
    let short = kept.len() == of && text.len() <= wanted * SENTENCE;
    let said = if short { text.trim().to_owned() } else { kept.join(" ") };
    Summary { said, kept, of }
}
