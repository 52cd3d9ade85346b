//! What is kept, in which versions, and how it is found again.

use std::sync::Arc;

use domain::library::{ItemFilter, Kind, Lineage};
use domain::store::{Cursor, Store, StoreError};
use futures::future::join_all;

use super::items::{agent, cohort, found, item, kept, listed, name, news};
use super::language::{accepted, at, claimed, commit};

pub(super) async fn what_is_put_is_read_as_it_was_put(store: Arc<dyn Store>) {
    let mut draft = agent("cat", "Be \u{0} kind to \u{1F408}\nand \"quick\".");
    draft.description = "Füttert die Katze \u{0}".into();
    draft.keywords = vec!["ネコ".into(), "\u{0}".into()];
    draft.offered_from = Some(at(100));
    draft.lineage = Lineage { run: None, from: Some((name("dog"), draft.hash())), by: Some("Ann \u{0}".into()) };
    assert_eq!(found(&store, &draft).await, None);
    let put = store.put(&draft, at(1)).await.expect("put");
    assert_eq!((put.version, put.hash, &put.draft, put.at), (1, draft.hash(), &draft, at(1)));
    let there = item(&store, &draft).await;
    assert_eq!((&there.item, there.current, there.active, there.versions), (&put, true, true, 1));
    assert_eq!(there.record, Default::default());
    assert_eq!(store.versions(Kind::Agent, &draft.name).await.expect("versions"), [put]);
    assert!(store.uses(Kind::Agent, &draft.name, 9).await.expect("uses").is_empty());
    // A name belongs to its kind.
    assert_eq!(store.item(Kind::Cohort, &draft.name, None).await.expect("read"), None);
    assert!(store.versions(Kind::Cohort, &draft.name).await.expect("versions").is_empty());
}

pub(super) async fn the_same_content_is_one_version(store: Arc<dyn Store>) {
    let draft = agent("cat", "feed");
    let put = store.put(&draft, at(1)).await.expect("put");
    let mut again = draft.clone();
    again.lineage.by = Some("somebody else".into());
    assert_eq!(store.put(&again, at(2)).await.expect("put"), put, "where it comes from does not count");
    let token = claimed(&store, "feed the cat").await;
    commit(&store, token, vec![kept(3, &[draft.clone(), again])]).await;
    assert_eq!(store.versions(Kind::Agent, &draft.name).await.expect("versions"), [put]);
}

pub(super) async fn a_new_version_becomes_the_one_that_is_used(store: Arc<dyn Store>) {
    let (one, two) = (agent("cat", "one"), agent("cat", "two"));
    store.put(&one, at(1)).await.expect("put");
    let token = claimed(&store, "feed the cat").await;
    commit(&store, token, vec![kept(2, std::slice::from_ref(&two))]).await;
    let now = item(&store, &two).await;
    assert_eq!((now.item.version, now.item.hash, now.versions), (2, two.hash(), 2));
    let before = store.item(Kind::Agent, &one.name, Some(1)).await.expect("read").expect("there");
    assert_eq!((before.item.hash, before.current, before.versions), (one.hash(), false, 2));
    assert_eq!(store.item(Kind::Agent, &one.name, Some(3)).await.expect("read"), None);
    let numbers: Vec<u32> =
        store.versions(Kind::Agent, &one.name).await.expect("versions").iter().map(|item| item.version).collect();
    assert_eq!(numbers, [2, 1]);
    // What a run keeps once more changes nothing; what a person puts is what they want.
    commit(&store, token, vec![kept(3, std::slice::from_ref(&one))]).await;
    assert_eq!(item(&store, &one).await.item.version, 2);
    assert_eq!(store.put(&one, at(4)).await.expect("put").version, 1);
    assert_eq!(item(&store, &one).await.item.version, 1);
}

pub(super) async fn another_version_can_be_turned_to(store: Arc<dyn Store>) {
    let (one, two) = (agent("cat", "one"), agent("cat", "two"));
    store.put(&one, at(1)).await.expect("put");
    store.put(&two, at(2)).await.expect("put");
    let turn = |version| store.turn_to(Kind::Agent, &one.name, version);
    assert!(turn(1).await.expect("turned"));
    assert_eq!(item(&store, &one).await.item.hash, one.hash());
    for nowhere in [0, 3, u32::MAX] {
        assert!(!turn(nowhere).await.expect("answered"), "{nowhere}");
    }
    assert!(!store.turn_to(Kind::Cohort, &one.name, 1).await.expect("answered"));
    assert_eq!(item(&store, &one).await.item.hash, one.hash());
    // The next one is counted on, not from here.
    assert_eq!(store.put(&agent("cat", "three"), at(3)).await.expect("put").version, 3);
}

pub(super) async fn what_is_switched_off_stays_off_when_there_is_a_new_version(store: Arc<dyn Store>) {
    let (one, two) = (cohort("team", "one"), cohort("team", "two"));
    store.put(&one, at(1)).await.expect("put");
    assert!(store.switch(Kind::Cohort, &one.name, false).await.expect("switched"));
    assert!(!item(&store, &one).await.active);
    let token = claimed(&store, "two").await;
    commit(&store, token, vec![kept(2, std::slice::from_ref(&two))]).await;
    let off = item(&store, &two).await;
    assert_eq!((off.active, off.item.version), (false, 2));
    assert!(store.switch(Kind::Cohort, &one.name, true).await.expect("switched"));
    assert!(item(&store, &one).await.active);
    assert!(!store.switch(Kind::Cohort, &name("nobody"), true).await.expect("answered"));
}

pub(super) async fn what_a_run_keeps_says_which_run_made_it(store: Arc<dyn Store>) {
    let other = accepted(&store, "earlier").await;
    let (mine, mut theirs) = (agent("cat", "mine"), agent("dog", "theirs"));
    theirs.lineage = Lineage { run: Some(other), from: None, by: Some("Ann".into()) };
    let token = claimed(&store, "keep").await;
    commit(&store, token, vec![kept(5, &[mine.clone(), theirs.clone()])]).await;
    let mine = item(&store, &mine).await.item;
    assert_eq!((mine.draft.lineage.run, mine.at), (Some(token.run), at(5)));
    assert_eq!(item(&store, &theirs).await.item.draft.lineage, theirs.lineage);
}

pub(super) async fn items_are_found_by_what_a_filter_says(store: Arc<dyn Store>) {
    let mut owl = agent("owl", "hoot");
    (owl.description, owl.keywords) = ("ÜBER den Wolken 100%".into(), vec!["Nacht_Vogel".into(), "a\u{0}b".into()]);
    for draft in [&owl, &agent("cat", "feed"), &cohort("team", "feed")] {
        store.put(draft, at(1)).await.expect("put");
    }
    store.switch(Kind::Agent, &name("cat"), false).await.expect("switched");
    let filter = |kind, active, text: Option<&str>| ItemFilter { kind, active, text: text.map(str::to_owned) };
    let found = async |filter| {
        let mut names = listed(&store, &filter, 10).await;
        names.sort();
        names.join(" ")
    };
    assert_eq!(found(filter(None, None, None)).await, "cat owl team");
    assert_eq!(found(filter(Some(Kind::Agent), None, None)).await, "cat owl");
    assert_eq!(found(filter(Some(Kind::Skill), None, None)).await, "");
    assert_eq!(found(filter(None, Some(true), None)).await, "owl team");
    assert_eq!(found(filter(Some(Kind::Agent), Some(false), None)).await, "cat");
    for text in ["OWL", "über DEN", "0%", "nacht_v", "A\u{0}B"] {
        assert_eq!(found(filter(None, None, Some(text))).await, "owl", "{text}");
    }
    assert_eq!(found(filter(None, None, Some("LOOKS after"))).await, "cat team");
    for text in ["n%vogel", "hoot", "nachtavogel"] {
        assert_eq!(found(filter(None, None, Some(text))).await, "", "{text}");
    }
    // Of the versions the one that is used is found.
    let mut tamed = agent("owl", "hoot");
    tamed.description = "quiet".into();
    store.put(&tamed, at(2)).await.expect("put");
    assert_eq!(found(filter(None, None, Some("wolken"))).await, "");
    assert_eq!(found(filter(None, None, Some("quiet"))).await, "owl");
}

pub(super) async fn a_cursor_that_is_not_of_items_is_refused(store: Arc<dyn Store>) {
    for wrong in ["", "item_", "00000000000000010000000000000001", "item_zz"] {
        let refused = store.items(&ItemFilter::default(), Some(&Cursor(wrong.into())), 1).await;
        assert!(matches!(refused, Err(StoreError::BadCursor { .. })), "{refused:?}");
    }
}

pub(super) async fn of_many_who_keep_the_same_one_makes_it(store: Arc<dyn Store>) {
    let draft = agent("cat", "feed");
    let tokens = join_all((0..12).map(|_| claimed(&store, "feed the cat"))).await;
    let keep = tokens.iter().map(|token| commit(&store, *token, vec![kept(1, std::slice::from_ref(&draft))]));
    let put = (0..4).map(|_| async { store.put(&draft, at(1)).await.map(drop).expect("put") });
    tokio::join!(join_all(keep), join_all(put));
    assert_eq!(store.versions(Kind::Agent, &draft.name).await.expect("versions").len(), 1);
    assert_eq!(item(&store, &draft).await.versions, 1);
}

pub(super) async fn of_many_different_versions_each_gets_its_own_number(store: Arc<dyn Store>) {
    const RUNS: usize = 16;
    let tokens = join_all((0..RUNS).map(|_| claimed(&store, "feed the cat"))).await;
    let drafts: Vec<_> = (0..RUNS).map(|n| agent("cat", &format!("way {n}"))).collect();
    join_all(tokens.iter().zip(&drafts).map(|(token, draft)| {
        let entries = vec![kept(1, std::slice::from_ref(draft))];
        commit(&store, *token, entries)
    }))
    .await;
    let versions = store.versions(Kind::Agent, &name("cat")).await.expect("versions");
    assert!(versions.iter().map(|item| item.version as usize).eq((1..=RUNS).rev()));
    let now = item(&store, &drafts[0]).await;
    assert_eq!((now.item.version as usize, now.versions as usize), (RUNS, RUNS), "the last to come is used");
    for draft in &drafts {
        assert!(versions.iter().any(|item| item.hash == draft.hash()));
    }
}

pub(super) async fn ten_thousand_agents_that_are_nearly_the_same_are_told_apart(store: Arc<dyn Store>) {
    const AGENTS: usize = 10_000;
    let drafts: Vec<_> = (0..AGENTS)
        .map(|n| {
            let mut draft = agent(&format!("cat-{n}"), "Feed the cat.");
            draft.description = format!("Feeds the cat number {n}, gently");
            draft
        })
        .collect();
    let token = claimed(&store, "a house full of cats").await;
    for some in drafts.chunks(500) {
        commit(&store, token, vec![kept(1, some)]).await;
    }
    let names = listed(&store, &ItemFilter { kind: Some(Kind::Agent), ..Default::default() }, 700).await;
    assert!(names.iter().map(String::as_str).eq((0..AGENTS).rev().map(|n| drafts[n].name.as_str())));
    let one = ItemFilter { text: Some("NUMBER 7777,".into()), ..Default::default() };
    assert_eq!(listed(&store, &one, 10).await, ["cat-7777"]);
    let (first, next) = store.items(&ItemFilter::default(), None, 3).await.expect("items");
    assert_eq!((first.len(), next.is_some()), (3, true));
    let news = news(&store, 0).await;
    assert!(news.items.iter().map(|summary| &summary.item.draft.name).eq(drafts.iter().map(|draft| &draft.name)));
}
