//! The words in which checks of the library are written.

use std::sync::Arc;

use domain::event::{Entry, Event};
use domain::hash::Hash;
use domain::id::{ItemName, RunId};
use domain::library::{
    AgentBody, Body, Choice, CohortBody, Decision, Draft, ItemFilter, ItemSummary, Kind, Lineage, Member, News, Rating,
    Record, Use,
};
use domain::plan::{PlanDraft, Strategy};
use domain::request::Wishes;
use domain::score::Score;
use domain::store::{Store, Token};

use super::language::{at, entry_at, request};

/// A name in the library.
pub(super) fn name(name: &str) -> ItemName {
    name.parse().expect("a name")
}

/// An agent that is told something.
pub(super) fn agent(called: &str, prompt: &str) -> Draft {
    let body =
        AgentBody { prompt: prompt.into(), tools: vec!["cat.feed".parse().expect("a tool")], max_iterations: None };
    Draft {
        name: name(called),
        description: format!("Looks after the {called}"),
        keywords: vec!["care".into()],
        body: Body::Agent(body),
        lineage: Lineage::default(),
        offered_from: None,
    }
}

/// A team that was asked for something.
pub(super) fn cohort(called: &str, asked: &str) -> Draft {
    let plan = PlanDraft { goal: asked.into(), steps: Vec::new(), answer: None, intents: Vec::new() };
    let body = CohortBody {
        request: asked.into(),
        strategy: Strategy::Cohort,
        plan,
        template: None,
        pins: Default::default(),
        members: Vec::new(),
    };
    Draft { body: Body::Cohort(Box::new(body)), ..agent(called, "") }
}

/// A decision about a kind of thing.
pub(super) fn choice(decision: Decision, kind: Kind, item: Option<(ItemName, Hash)>) -> Choice {
    Choice { decision, kind, item, score: Score::nearest(0.75), why: "it fits".into(), considered: Vec::new() }
}

/// An agent that carries out a step.
pub(super) fn member(step: &str, draft: &Draft, decision: Decision) -> Member {
    let Body::Agent(body) = &draft.body else { panic!("not an agent") };
    Member {
        step: step.parse().expect("a step"),
        goal: format!("{step} the cat"),
        name: draft.name.clone(),
        description: draft.description.clone(),
        keywords: draft.keywords.clone(),
        agent: body.clone(),
        choice: choice(decision, Kind::Agent, Some((draft.name.clone(), draft.hash()))),
        criticised: Vec::new(),
        by: None,
    }
}

/// A plan has its agents.
pub(super) fn staffed(second: i64, version: u32, members: Vec<Member>) -> Entry {
    entry_at(second, &format!("plan/{version}/staffed"), Event::Staffed { version, members })
}

/// Something is used for the whole request.
pub(super) fn chosen(second: i64, draft: &Draft) -> Entry {
    let choice = choice(Decision::Reuse, draft.body.kind(), Some((draft.name.clone(), draft.hash())));
    entry_at(
        second,
        &format!("chosen/{}", draft.name),
        Event::Chosen { step: None, choice: Box::new(choice), item: None },
    )
}

/// Something is kept, under a key of its own.
pub(super) fn kept(second: i64, items: &[Draft]) -> Entry {
    let key = items.first().map_or(Hash::of(b""), Draft::hash);
    entry_at(second, &format!("kept/{key}"), Event::Kept { items: items.to_vec() })
}

/// A run with wishes, claimed.
pub(super) async fn wished(store: &Arc<dyn Store>, wishes: Wishes) -> Token {
    let run = RunId::fresh();
    let mut request = request("as I wish");
    request.wishes = wishes;
    let received = entry_at(0, "received", Event::Received { request: Box::new(request), parent: None });
    store.accept(run, vec![received], None).await.expect("accepted");
    store.claim(run, "me").await.expect("claimed").token
}

/// What somebody says at a second.
pub(super) fn said(second: i64, good: bool) -> Rating {
    Rating { good, words: None, by: None, at: at(second) }
}

/// An item as it is now, if it is there.
pub(super) async fn found(store: &Arc<dyn Store>, draft: &Draft) -> Option<ItemSummary> {
    store.item(draft.body.kind(), &draft.name, None).await.expect("read")
}

/// An item that must be there.
pub(super) async fn item(store: &Arc<dyn Store>, draft: &Draft) -> ItemSummary {
    found(store, draft).await.expect("there")
}

/// Uses, those that went well, and those that did not.
pub(super) async fn counts(store: &Arc<dyn Store>, draft: &Draft) -> (u32, u32, u32) {
    let Record { uses, good, bad, .. } = item(store, draft).await.record;
    (uses, good, bad)
}

/// What an item was used for.
pub(super) async fn uses(store: &Arc<dyn Store>, draft: &Draft) -> Vec<Use> {
    store.uses(draft.body.kind(), &draft.name, 100).await.expect("uses")
}

/// The names of what a filter lets through, page by page.
pub(super) async fn listed(store: &Arc<dyn Store>, filter: &ItemFilter, limit: usize) -> Vec<String> {
    let (mut names, mut cursor) = (Vec::new(), None);
    loop {
        let (page, next) = store.items(filter, cursor.as_ref(), limit).await.expect("items");
        assert!(page.len() <= limit && (next.is_none() || page.len() == limit), "a page is as long as it may be");
        names.extend(page.into_iter().map(|summary| summary.item.draft.name.to_string()));
        match next {
            Some(next) => cursor = Some(next),
            None => return names,
        }
    }
}

/// What is new since a mark, all of it.
pub(super) async fn news(store: &Arc<dyn Store>, after: u64) -> News {
    let mut all = News { mark: after, ..News::default() };
    loop {
        let news = store.news(all.mark, 10).await.expect("news");
        assert!(news.mark >= all.mark, "marks only rise");
        if news.is_empty() {
            return News { mark: news.mark, ..all };
        }
        all = News { items: [all.items, news.items].concat(), uses: [all.uses, news.uses].concat(), mark: news.mark };
    }
}
