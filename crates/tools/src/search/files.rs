//! `search.files`: the user's own files and notes, by the words in them.

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use domain::tool::{CallContext, Effect, Tool, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::task::spawn_blocking;

use super::index::{Behind, Library, Trouble};
use super::query::{Asked, Hit};
use crate::words::capped;
use crate::{declare, errors};

/// The most files one call brings.
const MOST: usize = 20;
/// How many of them are said.
const SAID: usize = 3;

pub(super) struct Files {
    spec: ToolSpec,
    library: Arc<Library>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// Words that the files should hold, in any form; quotes keep words together.
    #[schemars(length(min = 1))]
    query: String,
    /// How many files to bring, 5 when left out, at most 20.
    #[schemars(range(min = 1))]
    limit: Option<usize>,
}

impl Files {
    pub(super) fn new(library: Arc<Library>) -> Self {
        let spec = declare::spec::<Arguments>(
            "search.files",
            "Finds the user's own files and notes by the words in them, best match first, with snippets.",
            Effect::Read,
        );
        let hit = json!({
            "path": "string", "title": "string", "snippet": "string", "score": ["number", "null"],
            "modified": "string",
        });
        let hits = declare::list(declare::fields(hit, json!({})));
        let always = json!({
            "said": "string", "found": "integer", "hits": hits, "catching_up": "boolean", "unread": "integer",
        });
        let returns = declare::fields(always, json!({}));
        Self { spec: declare::returning(spec, returns), library }
    }

    /// Asks the index; one that turns out to be damaged is built anew and asked again.
    async fn ask(&self, asked: Asked, limit: usize) -> Result<(Vec<Hit>, Behind), Trouble> {
        let asked = Arc::new(asked);
        for last in [false, true] {
            let (library, asked) = (Arc::clone(&self.library), Arc::clone(&asked));
            let work = move || library.ask(|searcher, fields| asked.hits(searcher, fields, &library.folders, limit));
            let damage = match spawn_blocking(work).await {
                Ok(Err(Trouble::Damaged(damage))) => damage,
                // A file that is not what it says it is can make its reader stumble.
                Err(stumbled) => stumbled.to_string(),
                Ok(answer) => return answer,
            };
            if last {
                return Err(Trouble::Damaged(damage));
            }
            tracing::warn!(damage, "the index of files is damaged and is built anew");
            let library = Arc::clone(&self.library);
            let discarded = spawn_blocking(move || library.discard()).await;
            discarded.map_err(|error| Trouble::Unusable(error.to_string()))??;
        }
        Ok((Vec::new(), Behind::default()))
    }
}

#[async_trait]
impl Tool for Files {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, arguments: &Value, _: &CallContext) -> Result<Value, ToolError> {
        let Arguments { query, limit } = declare::parse(&self.spec, arguments)?;
        let asked = Asked::read(&query)
            .ok_or_else(|| errors::bad_argument(&self.spec, "`query` must hold at least one word to look for"))?;
        let limit = limit.unwrap_or(5).clamp(1, MOST);
        let answer = self.ask(asked, limit).await;
        let (hits, behind) = answer.map_err(|trouble| errors::unavailable(&self.spec, trouble.to_string()))?;
        let roots = self.library.folders.roots();
        let said = said(&query, &hits, behind, &roots);
        let hits: Vec<Value> = hits
            .iter()
            .map(|hit| {
                json!({
                    "path": hit.path, "title": hit.title, "snippet": hit.snippet.marked,
                    "score": (f64::from(hit.score) * 100.0).round() / 100.0, "modified": hit.modified,
                })
            })
            .collect();
        let catching_up = behind.files > 0 || behind.busy;
        Ok(json!({"said": said, "found": hits.len(), "hits": hits, "catching_up": catching_up, "unread": behind.files}))
    }
}

fn said(query: &str, hits: &[Hit], behind: Behind, roots: &[std::path::PathBuf]) -> String {
    let query = capped(query.trim(), 60);
    let mut lines = match hits {
        _ if roots.is_empty() => vec!["None of the folders to search exists.".to_owned()],
        [] => vec![format!("Nothing was found for “{query}” in your files.")],
        [hit] => vec![format!("One file was found for “{query}”: {}", line(hit, roots))],
        hits => {
            let best = if hits.len() > SAID { format!("; the best {SAID}") } else { String::new() };
            let mut lines = vec![format!("{} files were found for “{query}”{best}:", hits.len())];
            lines.extend(
                hits.iter().take(SAID).enumerate().map(|(at, hit)| format!("{}. {}", at + 1, line(hit, roots))),
            );
            lines
        }
    };
    if behind.files > 0 {
        lines.push(format!("The index is still catching up: {} files have not been read yet.", behind.files));
    } else if behind.busy {
        lines.push("The index is being brought up to date just now, so the newest files may be missing.".into());
    }
    if behind.too_many {
        lines.push("There are more files than can be searched, so some were left out.".into());
    }
    lines.join("\n")
}

fn line(hit: &Hit, roots: &[std::path::PathBuf]) -> String {
    format!("{} ({}): {}", hit.title, shown(&hit.path, roots), hit.snippet.plain)
}

/// A path as its owner thinks of it: from the folder on that is searched.
pub(super) fn shown(path: &Path, roots: &[std::path::PathBuf]) -> String {
    let root = roots.iter().filter(|root| path.starts_with(root)).min_by_key(|root| root.as_os_str().len());
    let within = root.and_then(|root| path.strip_prefix(root.parent()?).ok());
    within.unwrap_or(path).display().to_string()
}
