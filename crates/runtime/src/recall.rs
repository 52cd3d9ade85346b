//! What those who think and plan should know besides the request: what is remembered, what happened lately, what they are
//! to heed, and the tools that fit. Looked up once and kept on record.

use domain::event::Event;
use domain::guideline::Guideline;
use domain::id::ToolName;
use domain::library::Shortlist;
use domain::store::RunFilter;

use crate::context::cap;
use crate::record::Halt;
use crate::work::Work;

/// How many memories and how many earlier requests are looked up.
const MOST: usize = 5;
/// How many characters of a memory are read.
const MEMORY_CHARS: usize = 500;
/// How many characters of an earlier request, and of its answer, are read.
const RECENT_CHARS: usize = 300;
/// How many characters all points together may have: what comes first matters most.
const GUIDELINE_CHARS: usize = 4_000;

/// What was looked up.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Recalled {
    pub(crate) memories: Vec<String>,
    pub(crate) recent: Vec<String>,
    guidelines: Vec<Guideline>,
    shortlist: Option<Shortlist>,
    /// What was done for a similar request.
    pub(crate) example: Option<String>,
}

impl Recalled {
    /// What a component is to heed, as far as there is room for it.
    pub(crate) fn points(&self, component: &str) -> Vec<String> {
        let mut room = GUIDELINE_CHARS;
        let heeded = self.guidelines.iter().filter(|guideline| guideline.concerns(component));
        let points = heeded.flat_map(|guideline| &guideline.points).map(|point| point.text.clone());
        points
            .take_while(|text| {
                let fits = text.len() <= room;
                room = room.saturating_sub(text.len());
                fits
            })
            .collect()
    }
}

impl Recalled {
    /// The tools that planners get to see; all of them when nothing is said.
    pub(crate) fn tools(&self) -> Option<&[ToolName]> {
        self.shortlist.as_ref().map(|list| list.tools.as_slice())
    }
}

/// What is on record, or is looked up now.
pub(crate) async fn recall(work: &Work<'_>) -> Result<Recalled, Halt> {
    let recalled = match work.journal.past("recalled") {
        Some(Event::Recalled { memories, recent, guidelines, shortlist }) => Recalled {
            memories: memories.clone(),
            recent: recent.clone(),
            guidelines: guidelines.clone(),
            shortlist: shortlist.clone(),
            example: None,
        },
        _ => match work.journal.gate() {
            Some(gate) => return gate.never().await,
            None => look_up(work).await?,
        },
    };
    // That there was nothing is on record too: a repetition must not find more.
    let event = Event::Recalled {
        memories: recalled.memories.clone(),
        recent: recalled.recent.clone(),
        guidelines: recalled.guidelines.clone(),
        shortlist: recalled.shortlist.clone(),
    };
    work.journal.record("recalled", event).await?;
    Ok(recalled)
}

async fn look_up(work: &Work<'_>) -> Result<Recalled, Halt> {
    let store = &work.runtime.store;
    let memories = store.recall(work.request.text.as_str(), MOST).await.map_err(Halt::Store)?;
    let memories = memories.into_iter().map(|memory| cap(&memory.text, MEMORY_CHARS)).collect();
    let mut recent = Vec::new();
    if let Some(session) = &work.request.session {
        let filter = RunFilter { session: Some(session.clone()), until: Some(work.request.at), ..RunFilter::default() };
        let page = store.runs(&filter, None, MOST).await.map_err(Halt::Store)?;
        recent.extend(page.runs.iter().map(|run| {
            let answer = run.answer.as_deref().or(run.error.as_deref()).unwrap_or(run.status.word());
            format!("“{}” — {}", cap(&run.text, RECENT_CHARS), cap(answer, RECENT_CHARS))
        }));
    }
    let finder = &work.runtime.lately.finder;
    finder.refresh(store.as_ref(), work.tools()).await.map_err(Halt::Store)?;
    let guidelines = work.runtime.settings.guidelines.clone();
    Ok(Recalled { memories, recent, guidelines, shortlist: shortlist(work), example: None })
}

/// The tools that fit the request, where there are too many to show them all.
fn shortlist(work: &Work<'_>) -> Option<Shortlist> {
    const CHARS_PER_TOKEN: usize = 4;
    let tools = work.tools();
    let (of, most) = (tools.specs().len(), work.runtime.settings.shortlist);
    if of <= most {
        return None;
    }
    let fitting = work.runtime.lately.finder.tools_for(work.request.text.as_str(), most);
    let shown: Vec<ToolName> = fitting.into_iter().filter_map(|found| found.name.parse().ok()).collect();
    let left_out = tools.listing(None).len().saturating_sub(tools.listing(Some(&shown)).len());
    Some(Shortlist { tools: shown, of, tokens_saved: (left_out / CHARS_PER_TOKEN) as u64 })
}
