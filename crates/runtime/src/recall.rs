//! What those who think and plan should know besides the request: what is remembered, what happened lately, what they are
//! to heed, and the tools that fit. Looked up once and kept on record.

use std::sync::Arc;

use domain::event::Event;
use domain::guideline::{Guideline, Point};
use domain::id::ToolName;
use domain::library::{Shortlist, ToolNote};
use domain::store::RunFilter;

use crate::context::{cap, told};
use crate::experience::Experience;
use crate::heed::Learnt;
use crate::record::Halt;
use crate::work::Work;

/// How many memories and how many earlier requests are looked up.
const MOST: usize = 5;
/// How many characters of a memory are read.
const MEMORY_CHARS: usize = 500;
/// How many characters of an earlier request, and of its answer, are read.
const RECENT_CHARS: usize = 300;
/// How many characters all points together may have that people wrote: what comes first matters most.
const SAID_CHARS: usize = 4_000;
/// The same for what was learnt: one never takes the other's room.
const LEARNT_CHARS: usize = 4_000;

/// What was looked up.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Recalled {
    pub(crate) memories: Vec<String>,
    pub(crate) recent: Vec<String>,
    guidelines: Vec<Guideline>,
    /// Whom what those heed who act is addressed to.
    actor: String,
    shortlist: Option<Shortlist>,
    experience: Vec<ToolNote>,
    /// What was done for a similar request.
    pub(crate) example: Option<String>,
}

impl Recalled {
    /// What a component is to heed, as far as there is room for it: what people say, then what was learnt.
    pub(crate) fn points(&self, component: &str) -> Vec<String> {
        self.said(component).into_iter().chain(self.learnt(component)).collect()
    }

    /// What a component is to heed because people say so.
    pub(crate) fn said(&self, component: &str) -> Vec<String> {
        self.told(component, SAID_CHARS, |point| point.lesson.is_none())
    }

    /// What a component is to heed because it was learnt.
    fn learnt(&self, component: &str) -> Vec<String> {
        self.told(component, LEARNT_CHARS, |point| point.lesson.is_some())
    }

    fn told(&self, component: &str, mut room: usize, which: impl Fn(&Point) -> bool) -> Vec<String> {
        // Whoever plans plans for those who act.
        let plans = component == crate::plan::COMPONENT;
        let heeds = |guideline: &Guideline| guideline.concerns(component) || (plans && guideline.concerns(&self.actor));
        let heeded = self.guidelines.iter().filter(|guideline| heeds(guideline));
        let points = heeded.flat_map(|guideline| &guideline.points).filter(|point| which(point));
        points
            .map(|point| point.text.clone())
            .take_while(|text| {
                let fits = text.len() <= room;
                room = room.saturating_sub(text.len());
                fits
            })
            .collect()
    }
}

impl Recalled {
    /// What calling tools was like, a line each.
    pub(crate) fn experience(&self) -> Vec<String> {
        self.experience.iter().map(|note| format!("`{}` {}", note.tool, note.words)).collect()
    }

    /// The tools that planners get to see; all of them when nothing is said.
    pub(crate) fn tools(&self) -> Option<&[ToolName]> {
        self.shortlist.as_ref().map(|list| list.tools.as_slice())
    }
}

/// What is on record, or is looked up now.
pub(crate) async fn recall(work: &Work<'_>) -> Result<Recalled, Halt> {
    let recalled = match work.journal.past("recalled") {
        Some(Event::Recalled { memories, recent, guidelines, shortlist, experience }) => Recalled {
            memories: memories.clone(),
            recent: recent.clone(),
            guidelines: guidelines.clone(),
            shortlist: shortlist.clone(),
            experience: experience.clone(),
            actor: actor(work),
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
        experience: recalled.experience.clone(),
    };
    work.journal.record("recalled", event).await?;
    work.has_agents_heed(recalled.learnt(&recalled.actor));
    Ok(recalled)
}

async fn look_up(work: &Work<'_>) -> Result<Recalled, Halt> {
    let store = &work.runtime.store;
    let memories = store.recall(work.request.text.as_str(), MOST).await.map_err(Halt::Store)?;
    let memories = memories.into_iter().map(|memory| cap(&memory.text, MEMORY_CHARS)).collect();
    // Whoever tells what was said knows it better than the record does.
    let mut recent = told(&work.request.earlier);
    if let Some(session) = work.request.session.as_ref().filter(|_| recent.is_empty()) {
        let filter = RunFilter { session: Some(session.clone()), until: Some(work.request.at), ..RunFilter::default() };
        let page = store.runs(&filter, None, MOST).await.map_err(Halt::Store)?;
        recent.extend(page.runs.iter().map(|run| {
            let answer = run.answer.as_deref().or(run.error.as_deref()).unwrap_or(run.status.word());
            format!("“{}” — {}", cap(&run.text, RECENT_CHARS), cap(answer, RECENT_CHARS))
        }));
    }
    let finder = &work.runtime.lately.finder;
    finder.refresh(store.as_ref(), work.tools()).await.map_err(Halt::Store)?;
    let mut guidelines = work.runtime.settings.guidelines.clone();
    if let Some(kind) = work.kind() {
        // A conversation gets the same from its first request to its last.
        let unit = work.request.session.as_ref().map_or_else(|| work.journal.run().to_string(), ToString::to_string);
        let learnt = match &work.runtime.settings.told {
            Some(versions) => Arc::new(Learnt::only(versions.clone())),
            None => work.runtime.lately.learnt(store.as_ref()).await.map_err(Halt::Store)?,
        };
        guidelines.extend(learnt.told(kind, &unit));
    }
    let records = work.runtime.lately.tool_records(store.as_ref()).await.map_err(Halt::Store)?;
    let known = Experience::new(&records, &work.runtime.settings.tool_prices);
    let shortlist = shortlist(work, &known);
    let shown = work.tools().specs().into_iter().map(|spec| &spec.name);
    let shown = shown.filter(|name| shortlist.as_ref().is_none_or(|list| list.tools.contains(name)));
    let experience =
        shown.filter_map(|name| Some(ToolNote { tool: name.clone(), words: known.words(name)? })).collect();
    Ok(Recalled { memories, recent, guidelines, actor: actor(work), shortlist, experience, example: None })
}

fn actor(work: &Work<'_>) -> String {
    work.kind().map(|kind| kind.agent.to_string()).unwrap_or_default()
}

/// The tools that fit the request, where there are too many to show them all.
fn shortlist(work: &Work<'_>, known: &Experience<'_>) -> Option<Shortlist> {
    const CHARS_PER_TOKEN: usize = 4;
    let tools = work.tools();
    let (of, most) = (tools.specs().len(), work.runtime.settings.shortlist);
    if of <= most {
        return None;
    }
    // A few more than there is room for: what costs or fails may give way to what fits nearly as well.
    let mut fitting = work.runtime.lately.finder.tools_for(work.request.text.as_str(), most + most / 4);
    known.weigh(&mut fitting);
    fitting.truncate(most);
    let shown: Vec<ToolName> = fitting.into_iter().filter_map(|found| found.name.parse().ok()).collect();
    let left_out = tools.listing(None).len().saturating_sub(tools.listing(Some(&shown)).len());
    Some(Shortlist { tools: shown, of, tokens_saved: (left_out / CHARS_PER_TOKEN) as u64 })
}
