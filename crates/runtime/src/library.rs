//! What can be found and used again, in an index that follows the store: whatever process kept something or learnt how it
//! went, this one hears of it before it looks.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use domain::embed::Embedder;
use domain::library::{Body, Considered, ItemSummary, Kind, Library, Use};
use domain::score::Score;
use domain::store::StoreError;
use domain::tool::{ToolSpec, Toolbox};
use jiff::Timestamp;
use reflex::embed::StaticEmbedder;
use retrieve::{Entry, Found, Index, Wanted};

use crate::Runtime;

/// How much news is read at once.
const PAGE: usize = 500;

/// Finds what fits a text.
#[derive(Default)]
pub(crate) struct Finder {
    index: OnceLock<Index>,
    seen: Mutex<Seen>,
}

/// What the index has taken in.
#[derive(Default)]
struct Seen {
    mark: u64,
    tools: bool,
    /// What may only be offered later.
    later: Vec<ItemSummary>,
    /// How each use went that was learnt from: news may come twice, and people change their minds.
    learnt: HashMap<u64, bool>,
}

impl Finder {
    /// One that places texts with this embedder rather than with the shipped one.
    pub(crate) fn with(embedder: Arc<dyn Embedder>) -> Self {
        Self { index: Index::new(embedder).into(), seen: Mutex::default() }
    }

    /// Takes in what is new in the store, and the tools once.
    pub(crate) async fn refresh(&self, store: &dyn Library, tools: &dyn Toolbox) -> Result<(), StoreError> {
        if !std::mem::replace(&mut self.seen().tools, true) {
            self.index().put(tools.specs().into_iter().map(tool).collect());
        }
        loop {
            let mark = self.seen().mark;
            let news = store.news(mark, PAGE).await?;
            if news.items.is_empty() && news.uses.is_empty() {
                self.offer_what_is_due(Timestamp::now());
                return Ok(());
            }
            self.take(news.items, Timestamp::now());
            news.uses.into_iter().for_each(|used| self.learn(used));
            let mut seen = self.seen();
            seen.mark = seen.mark.max(news.mark);
        }
    }

    /// What a text means, best first.
    pub(crate) fn search(&self, text: &str, kinds: &[Kind], most: usize) -> Vec<Considered> {
        let found = self.index().search(text, &Wanted::new(kinds, most));
        let mut considered: Vec<Considered> = found.into_iter().map(considered).collect();
        considered.sort_by(|one, other| other.score.get().total_cmp(&one.score.get()));
        considered
    }

    /// The tools that a request may need, best first.
    pub(crate) fn tools_for(&self, request: &str, most: usize) -> Vec<Considered> {
        self.index().shortlist(request, &[Kind::Tool], most).into_iter().map(considered).collect()
    }

    fn index(&self) -> &Index {
        self.index.get_or_init(|| Index::new(Arc::new(StaticEmbedder::shipped())))
    }

    fn seen(&self) -> std::sync::MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, items: Vec<ItemSummary>, now: Timestamp) {
        let mut entries = Vec::new();
        for summary in items.into_iter().filter(|summary| summary.current) {
            let (kind, name) = (summary.item.kind(), summary.item.draft.name.clone());
            let mut seen = self.seen();
            seen.later.retain(|later| (later.item.kind(), &later.item.draft.name) != (kind, &name));
            match summary.item.draft.offered_from {
                _ if !summary.active => drop(self.index().remove(kind, name.as_str())),
                Some(from) if from > now => {
                    self.index().remove(kind, name.as_str());
                    seen.later.push(summary);
                }
                _ => entries.push(entry(&summary)),
            }
        }
        self.index().put(entries);
    }

    fn offer_what_is_due(&self, now: Timestamp) {
        let is_due = |summary: &mut ItemSummary| summary.item.draft.offered_from.is_none_or(|from| from <= now);
        let due: Vec<ItemSummary> = self.seen().later.extract_if(.., is_due).collect();
        if !due.is_empty() {
            self.index().put(due.iter().map(entry).collect());
        }
    }

    fn learn(&self, used: Use) {
        let Some(good) = used.good else { return };
        let mut hasher = DefaultHasher::new();
        (used.run, &used.step, used.kind, &used.name).hash(&mut hasher);
        let known = self.seen().learnt.insert(hasher.finish(), good);
        if known != Some(good) {
            let Use { text, kind, name, .. } = used;
            self.index().learn(retrieve::Use { text, kind, name: name.into(), good });
        }
    }
}

impl Runtime {
    /// What is there that fits a text, best first: agents, cohorts, plans, skills and tools.
    pub async fn find(&self, text: &str, kinds: &[Kind], most: usize) -> Result<Vec<Considered>, StoreError> {
        self.lately.finder.refresh(self.store.as_ref(), self.tools.as_ref()).await?;
        Ok(self.lately.finder.search(text, kinds, most))
    }

    /// The tools that a planner of this request gets to see first, best first.
    pub async fn tools_for(&self, request: &str, most: usize) -> Result<Vec<Considered>, StoreError> {
        self.lately.finder.refresh(self.store.as_ref(), self.tools.as_ref()).await?;
        Ok(self.lately.finder.tools_for(request, most))
    }
}

fn considered(found: Found) -> Considered {
    let score = Score::nearest(fit(&found));
    let Found { kind, name, why, .. } = found;
    Considered { kind, name, score, why }
}

/// How well something fits: mostly how near it is in meaning, a little for the words it shares, and more where the index is
/// surer than that. The index says how likely it is that this and nothing else is meant, and weighs words by how rare they
/// are; in a library of three neither says much. What went badly for such a text counts against it, what went well a little
/// for it.
fn fit(found: &Found) -> f64 {
    let (words, meaning, usage) = (f64::from(found.words), f64::from(found.meaning), f64::from(found.usage));
    let fit = (0.9 * meaning.powi(2) + 0.1 * words).max(f64::from(found.score));
    match usage < 0.0 {
        true => fit * (1.0 + 0.6 * usage),
        false => fit + 0.1 * usage * (1.0 - fit),
    }
}

fn tool(spec: &ToolSpec) -> Entry {
    let properties = spec.parameters.get("properties").and_then(|properties| properties.as_object());
    Entry {
        parameters: properties.map(|fields| fields.keys().cloned().collect()).unwrap_or_default(),
        family: Some(spec.name.domain().to_owned()),
        ..Entry::new(Kind::Tool, spec.name.as_str(), spec.description.as_str())
    }
}

fn entry(summary: &ItemSummary) -> Entry {
    let draft = &summary.item.draft;
    let described = match &draft.body {
        Body::Agent(_) | Body::Plan(_) | Body::Skill(_) => draft.description.clone(),
        Body::Cohort(cohort) => format!("{} {}", draft.description, cohort.request),
    };
    Entry { keywords: draft.keywords.clone(), ..Entry::new(summary.item.kind(), draft.name.as_str(), described) }
}
