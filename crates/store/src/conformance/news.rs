//! What those who keep an index of the library hear of.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use domain::id::RunId;
use domain::library::{Kind, News};
use domain::store::Store;
use futures::future::join_all;

use super::items::{agent, chosen, cohort, item, kept, name, news, said, uses};
use super::language::{at, claimed, commit, completed};

pub(super) async fn every_change_is_news_as_things_are_now(store: Arc<dyn Store>) {
    let (one, two) = (cohort("team", "one"), cohort("team", "two"));
    let mut mark = news(&store, 0).await.mark;
    let mut hear = async |items: usize, uses_heard: usize| {
        let heard = news(&store, mark).await;
        assert_eq!((heard.items.len(), heard.uses.len()), (items, uses_heard));
        for summary in &heard.items {
            assert_eq!(*summary, item(&store, &summary.item.draft).await);
        }
        for used in &heard.uses {
            assert!(uses(&store, &one).await.contains(used));
        }
        assert!(heard.mark > mark);
        mark = heard.mark;
        assert_eq!(news(&store, mark).await, News { mark, ..News::default() }, "all has been seen");
    };
    store.put(&one, at(1)).await.expect("put");
    hear(1, 0).await;
    let token = claimed(&store, "two").await;
    commit(&store, token, vec![kept(2, std::slice::from_ref(&two))]).await;
    hear(1, 0).await;
    store.turn_to(Kind::Cohort, &one.name, 1).await.expect("turned");
    hear(1, 0).await;
    store.switch(Kind::Cohort, &one.name, false).await.expect("switched");
    hear(1, 0).await;
    commit(&store, token, vec![chosen(3, &one)]).await;
    hear(1, 1).await;
    commit(&store, token, vec![completed(4, "done")]).await;
    hear(1, 1).await;
    store.rate(token.run, &said(5, false)).await.expect("rated");
    hear(1, 1).await;
}

pub(super) async fn news_come_in_parts_oldest_first(store: Arc<dyn Store>) {
    let drafts: Vec<_> = (0..20).map(|n| agent(&format!("cat-{n}"), "feed")).collect();
    for draft in &drafts {
        store.put(draft, at(1)).await.expect("put");
    }
    let (mut heard, mut mark) = (Vec::new(), 0);
    loop {
        let part = store.news(mark, 3).await.expect("news");
        assert!(part.items.len() <= 3);
        if part.is_empty() {
            break;
        }
        heard.extend(part.items.into_iter().map(|summary| summary.item.draft.name));
        mark = part.mark;
    }
    assert!(heard.iter().eq(drafts.iter().map(|draft| &draft.name)));
    // What changed together comes together, even if it is more than was asked for.
    let token = claimed(&store, "all").await;
    commit(&store, token, vec![kept(2, &[cohort("a", "x"), cohort("b", "x"), cohort("c", "x")])]).await;
    let together = store.news(mark, 1).await.expect("news");
    assert_eq!(together.items.len(), 3);
    assert!(store.news(together.mark, 0).await.expect("news").is_empty());
    assert!(store.news(u64::MAX, 5).await.expect("news").is_empty());
}

pub(super) async fn nothing_new_is_missed_while_many_write(store: Arc<dyn Store>) {
    const WRITERS: usize = 12;
    const ROUNDS: usize = 6;
    let team = cohort("team", "feed");
    store.put(&team, at(1)).await.expect("put");
    let writing = join_all((0..WRITERS).map(|writer| {
        let (store, team) = (&store, &team);
        async move {
            let mut runs = Vec::new();
            for round in 0..ROUNDS {
                let token = claimed(store, "feed the cat").await;
                let made = agent(&format!("cat-{writer}-{round}"), "feed");
                commit(store, token, vec![kept(2, &[made]), chosen(3, team)]).await;
                commit(store, token, vec![completed(4, "fed")]).await;
                runs.push(token.run);
            }
            runs
        }
    }));
    let (done, mut over) = tokio::sync::watch::channel(false);
    let listening = async {
        let (mut names, mut goods, mut mark) = (BTreeSet::new(), BTreeMap::<RunId, Option<bool>>::new(), 0);
        loop {
            // Asked before looking: what is there once all is over is seen.
            let last = *over.borrow_and_update();
            let part = store.news(mark, 4).await.expect("news");
            if part.is_empty() && last {
                return (names, goods);
            }
            mark = part.mark;
            names.extend(part.items.into_iter().map(|summary| summary.item.draft.name));
            goods.extend(part.uses.into_iter().map(|used| (used.run, used.good)));
        }
    };
    let writing = async {
        let runs = writing.await;
        done.send_replace(true);
        runs
    };
    let (runs, (names, goods)) = tokio::join!(writing, listening);
    assert_eq!(names.len(), 1 + WRITERS * ROUNDS);
    assert_eq!(goods, runs.into_iter().flatten().map(|run| (run, Some(true))).collect());
    let all = (WRITERS * ROUNDS) as u32;
    let record = store.item(Kind::Cohort, &name("team"), None).await.expect("read").expect("there").record;
    assert_eq!((record.uses, record.good, record.bad), (all, all, 0));
}
