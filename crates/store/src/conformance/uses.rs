//! What runs use from the library, and how that went.

use std::sync::Arc;

use domain::event::{Entry, Event, Origin};
use domain::id::RunId;
use domain::library::{Decision, Draft, ItemFilter, Kind, Rating, Use};
use domain::request::Wishes;
use domain::run::{Ending, FailureKind};
use domain::store::{RunFilter, Store, StoreError};

use super::items::{
    agent, chosen, cohort, counts, found, item, kept, listed, member, name, said, staffed, uses, wished,
};
use super::language::{at, claimed, commit, completed, entry, finished, request};

fn failed() -> Entry {
    finished(9, Ending::Failed { reason: FailureKind::Step, error: "it bites".into(), answer: None })
}

fn cancelled() -> Entry {
    finished(9, Ending::Cancelled { reason: None })
}

/// A run that used something for its request and ended.
async fn used(store: &Arc<dyn Store>, draft: &Draft, end: Entry) -> RunId {
    let token = claimed(store, "feed the cat").await;
    commit(store, token, vec![chosen(5, draft), end]).await;
    token.run
}

pub(super) async fn an_agent_that_joins_a_run_is_kept_and_used(store: Arc<dyn Store>) {
    let draft = agent("cat", "feed");
    let token = claimed(&store, "feed the cat").await;
    commit(&store, token, vec![staffed(3, 1, vec![member("feed", &draft, Decision::Adapt)])]).await;
    let there = item(&store, &draft).await;
    assert_eq!((there.item.draft.lineage.run, there.record.last), (Some(token.run), Some(at(3))));
    assert_eq!(there.item.draft.lineage.from, Some((draft.name.clone(), draft.hash())));
    let expected = Use {
        run: token.run,
        step: Some("feed".parse().expect("a step")),
        kind: Kind::Agent,
        name: draft.name.clone(),
        hash: draft.hash(),
        decision: Decision::Adapt,
        score: 0.75,
        text: "feed the cat".into(),
        good: None,
        at: at(3),
    };
    assert_eq!(uses(&store, &draft).await, std::slice::from_ref(&expected));
    assert_eq!(counts(&store, &draft).await, (1, 0, 0));
    commit(&store, token, vec![completed(9, "fed")]).await;
    assert_eq!(uses(&store, &draft).await, [Use { good: Some(true), ..expected }]);
    assert_eq!(counts(&store, &draft).await, (1, 1, 0));
}

pub(super) async fn what_is_used_for_a_request_is_used_for_its_words(store: Arc<dyn Store>) {
    let draft = cohort("team", "feed all cats");
    store.put(&draft, at(1)).await.expect("put");
    let token = claimed(&store, "feed \u{1F408} please").await;
    commit(&store, token, vec![chosen(5, &draft)]).await;
    let [only] = &uses(&store, &draft).await[..] else { panic!("one use") };
    assert_eq!(
        (&only.text[..], &only.step, only.decision, only.at),
        ("feed \u{1F408} please", &None, Decision::Reuse, at(5))
    );
    // Words of a step's goal are kept as far as every database can.
    let (odd, mut joins) = (agent("cat", "feed"), member("feed", &agent("cat", "feed"), Decision::Create));
    joins.goal = "ü\u{0}b".into();
    commit(&store, token, vec![staffed(6, 1, vec![joins])]).await;
    assert_eq!(uses(&store, &odd).await[0].text, "ü\u{FFFD}b");
}

pub(super) async fn how_a_run_ends_settles_what_it_used(store: Arc<dyn Store>) {
    let draft = cohort("team", "feed");
    store.put(&draft, at(1)).await.expect("put");
    used(&store, &draft, completed(9, "fed")).await;
    assert_eq!(counts(&store, &draft).await, (1, 1, 0));
    used(&store, &draft, failed()).await;
    assert_eq!(counts(&store, &draft).await, (2, 1, 1));
    used(&store, &draft, cancelled()).await;
    assert_eq!(counts(&store, &draft).await, (3, 1, 1));
    let goods: Vec<Option<bool>> = uses(&store, &draft).await.into_iter().map(|used| used.good).collect();
    assert_eq!(goods, [None, Some(false), Some(true)], "newest first");
    assert_eq!(store.uses(Kind::Cohort, &draft.name, 2).await.expect("uses").len(), 2);
}

pub(super) async fn an_item_counts_once_for_each_run(store: Arc<dyn Store>) {
    let (one, two) = (agent("cat", "one"), agent("cat", "two"));
    let token = claimed(&store, "feed the cats").await;
    let members = vec![member("feed", &one, Decision::Create), member("stroke", &one, Decision::Reuse)];
    commit(&store, token, vec![staffed(1, 1, members)]).await;
    commit(&store, token, vec![staffed(2, 2, vec![member("feed", &two, Decision::Adapt)])]).await;
    assert_eq!(counts(&store, &one).await, (1, 0, 0));
    let steps: Vec<_> = uses(&store, &one).await.into_iter().map(|used| (used.step, used.hash, used.at)).collect();
    let step = |step: &str| Some(step.parse().expect("a step"));
    assert_eq!(steps, [(step("feed"), two.hash(), at(2)), (step("stroke"), one.hash(), at(1))]);
    commit(&store, token, vec![failed()]).await;
    assert_eq!(counts(&store, &one).await, (1, 0, 1));
    let other = claimed(&store, "once more").await;
    commit(&store, other, vec![staffed(3, 1, vec![member("feed", &two, Decision::Reuse)])]).await;
    assert_eq!(counts(&store, &one).await, (2, 0, 1));
}

pub(super) async fn what_was_used_last_is_listed_first(store: Arc<dyn Store>) {
    let drafts = ["a", "b", "c", "d", "e"].map(|called| agent(called, "feed"));
    for draft in &drafts {
        store.put(draft, at(50)).await.expect("put");
    }
    for (second, n) in [(7, 3), (9, 0), (7, 1), (3, 0)] {
        let token = claimed(&store, "feed").await;
        commit(&store, token, vec![chosen(second, &drafts[n])]).await;
    }
    for limit in [1, 2, 5, 9] {
        // Never used come last; of two of one moment the one that was there later comes first.
        assert_eq!(listed(&store, &ItemFilter::default(), limit).await, ["a", "d", "b", "e", "c"], "{limit}");
        let agents = ItemFilter { kind: Some(Kind::Agent), ..Default::default() };
        assert_eq!(listed(&store, &agents, limit).await, ["a", "d", "b", "e", "c"], "{limit}");
    }
    assert_eq!(item(&store, &drafts[0]).await.record.last, Some(at(9)));
}

pub(super) async fn what_is_not_in_the_library_is_not_used(store: Arc<dyn Store>) {
    let draft = cohort("team", "feed");
    used(&store, &draft, completed(9, "fed")).await;
    assert_eq!((found(&store, &draft).await, uses(&store, &draft).await.len()), (None, 0));
    store.put(&draft, at(10)).await.expect("put");
    assert_eq!(counts(&store, &draft).await, (0, 0, 0));
}

pub(super) async fn a_rehearsal_keeps_and_uses_nothing(store: Arc<dyn Store>) {
    let (new, there) = (agent("cat", "feed"), cohort("team", "feed"));
    store.put(&there, at(1)).await.expect("put");
    for (dry, plan_only) in [(true, false), (false, true)] {
        let token = wished(&store, Wishes { dry, plan_only, ..Default::default() }).await;
        let members = vec![member("feed", &new, Decision::Create)];
        commit(&store, token, vec![chosen(1, &there), staffed(2, 1, members)]).await;
        commit(&store, token, vec![kept(3, &[cohort("other", "x")]), completed(4, "would be fed")]).await;
        store.rate(token.run, &said(5, false)).await.expect("rated");
    }
    assert_eq!(counts(&store, &there).await, (0, 0, 0));
    assert_eq!(listed(&store, &ItemFilter::default(), 9).await, ["team"]);
}

pub(super) async fn what_a_fork_begins_with_counts_for_its_parent_only(store: Arc<dyn Store>) {
    let (cat, team) = (agent("cat", "feed"), cohort("team", "feed"));
    store.put(&team, at(1)).await.expect("put");
    let parent = claimed(&store, "feed the cat").await;
    let shared = vec![
        chosen(1, &team),
        staffed(2, 1, vec![member("feed", &cat, Decision::Create)]),
        kept(3, &[cohort("new", "x")]),
    ];
    commit(&store, parent, shared.clone()).await;
    let fork = RunId::fresh();
    let origin = Some(Origin { run: parent.run, seq: 4 });
    let begun = entry("received", Event::Received { request: Box::new(request("fork")), parent: origin });
    store.accept(fork, [vec![begun], shared].concat(), None).await.expect("accepted");
    let token = store.claim(fork, "me").await.expect("claimed").token;
    // What it does by itself is its own.
    commit(&store, token, vec![staffed(6, 2, vec![member("again", &cat, Decision::Reuse)]), failed()]).await;
    commit(&store, parent, vec![completed(9, "fed")]).await;
    assert_eq!(counts(&store, &team).await, (1, 1, 0));
    assert_eq!(counts(&store, &cat).await, (2, 1, 1));
    assert_eq!(item(&store, &cat).await.item.draft.lineage.run, Some(parent.run));
}

pub(super) async fn a_rating_is_read_as_it_was_given(store: Arc<dyn Store>) {
    let token = claimed(&store, "feed the cat").await;
    let rating = Rating { good: true, words: Some("très \u{1F408}".into()), by: Some("Ann".into()), at: at(20) };
    let refused = store.rate(token.run, &rating).await;
    assert!(matches!(refused, Err(StoreError::NotEnded { run }) if run == token.run), "{refused:?}");
    assert_eq!(store.rating(token.run).await.expect("read"), None);
    commit(&store, token, vec![cancelled()]).await;
    store.rate(token.run, &rating).await.expect("rated");
    assert_eq!(store.rating(token.run).await.expect("read"), Some(rating));
    let last = Rating { words: Some("no\u{0}".into()), ..said(21, false) };
    store.rate(token.run, &last).await.expect("rated");
    assert_eq!(store.rating(token.run).await.expect("read"), Some(Rating { words: Some("no\u{FFFD}".into()), ..last }));
    let nobody = RunId::fresh();
    let refused = store.rate(nobody, &said(1, true)).await;
    assert!(matches!(refused, Err(StoreError::NoSuchRun { run }) if run == nobody), "{refused:?}");
    assert_eq!(store.rating(nobody).await.expect("read"), None);
}

pub(super) async fn of_what_people_say_the_last_word_counts(store: Arc<dyn Store>) {
    let draft = cohort("team", "feed");
    store.put(&draft, at(1)).await.expect("put");
    for (end, expected) in [(completed(9, "fed"), Some(true)), (failed(), Some(false)), (cancelled(), None)] {
        let run = used(&store, &draft, end).await;
        let (runs, good, bad) = counts(&store, &draft).await;
        // As if it had not ended yet.
        let (good, bad) = (good - u32::from(expected == Some(true)), bad - u32::from(expected == Some(false)));
        for word in [true, true, false, false, true, false] {
            store.rate(run, &said(20, word)).await.expect("rated");
            let now = (runs, good + u32::from(word), bad + u32::from(!word));
            assert_eq!(counts(&store, &draft).await, now, "after {expected:?} and {word}");
            assert_eq!(uses(&store, &draft).await[0].good, Some(word));
        }
    }
    assert_eq!(counts(&store, &draft).await, (3, 0, 3));
}

pub(super) async fn what_a_good_run_made_is_offered_at_once(store: Arc<dyn Store>) {
    let (mut team, mut other) = (cohort("team", "feed"), cohort("other", "feed"));
    (team.offered_from, other.offered_from) = (Some(at(1_000)), Some(at(1_000)));
    store.put(&other, at(1)).await.expect("put");
    let token = claimed(&store, "feed the cat").await;
    commit(&store, token, vec![kept(2, std::slice::from_ref(&team)), completed(9, "fed")]).await;
    assert_eq!(item(&store, &team).await.item.draft.offered_from, Some(at(1_000)));
    store.rate(token.run, &said(20, true)).await.expect("rated");
    assert_eq!(item(&store, &team).await.item.draft.offered_from, None);
    assert_eq!(item(&store, &other).await.item.draft.offered_from, Some(at(1_000)), "another made it");
    // What a person switched off is not switched on by a kind word.
    store.switch(Kind::Cohort, &team.name, false).await.expect("switched");
    store.rate(token.run, &said(21, true)).await.expect("rated");
    assert!(!item(&store, &team).await.active);
}

pub(super) async fn what_a_bad_run_made_is_offered_no_longer(store: Arc<dyn Store>) {
    let (cat, team, other) = (agent("cat", "feed"), cohort("team", "feed"), cohort("other", "feed"));
    store.put(&other, at(1)).await.expect("put");
    let token = claimed(&store, "feed the cat").await;
    let members = vec![member("feed", &cat, Decision::Create)];
    commit(&store, token, vec![staffed(2, 1, members), kept(3, std::slice::from_ref(&team)), completed(9, "fed")])
        .await;
    store.rate(token.run, &said(20, false)).await.expect("rated");
    let active =
        async || [item(&store, &cat).await.active, item(&store, &team).await.active, item(&store, &other).await.active];
    assert_eq!(active().await, [true, false, true], "an agent stays, and so does what others made");
    assert_eq!(counts(&store, &cat).await, (1, 0, 1));
    store.rate(token.run, &said(21, true)).await.expect("rated");
    assert_eq!(active().await, [true, true, true], "the last word counts");
    // Once somebody has made a better version, it is no longer the bad run's.
    let better = cohort("team", "feed better");
    store.put(&better, at(22)).await.expect("put");
    store.rate(token.run, &said(23, false)).await.expect("rated");
    assert_eq!(active().await, [true, true, true]);
}

pub(super) async fn clearing_runs_keeps_what_they_made_and_what_was_counted(store: Arc<dyn Store>) {
    let (cat, team) = (agent("cat", "feed"), cohort("team", "feed"));
    let token = claimed(&store, "feed the cat").await;
    let members = vec![member("feed", &cat, Decision::Create)];
    commit(&store, token, vec![staffed(2, 1, members), kept(3, std::slice::from_ref(&team)), completed(9, "fed")])
        .await;
    store.rate(token.run, &said(20, true)).await.expect("rated");
    let open = claimed(&store, "goes on").await;
    commit(&store, open, vec![chosen(10, &team)]).await;
    assert_eq!(store.clear(&RunFilter::default()).await.expect("cleared"), 1);
    assert_eq!((uses(&store, &cat).await.len(), uses(&store, &team).await.len()), (0, 1));
    assert_eq!(store.rating(token.run).await.expect("read"), None);
    assert_eq!(item(&store, &cat).await.item.draft.lineage.run, Some(token.run));
    assert_eq!((counts(&store, &cat).await, counts(&store, &team).await), ((1, 1, 0), (1, 0, 0)));
    commit(&store, open, vec![completed(11, "done")]).await;
    assert_eq!(counts(&store, &team).await, (1, 1, 0));
    assert_eq!(store.uses(Kind::Cohort, &name("team"), 9).await.expect("uses")[0].run, open.run);
}
