//! What a store on a server can suffer. Each test has a server of its own.

use domain::store::StoreError;
use futures::future::join_all;

use crate::server::Server;
use crate::words::{claimed, finished, keys, said};

#[tokio::test(flavor = "multi_thread")]
async fn postgres_does_what_every_store_must_do() {
    let server = Server::start();
    for (n, check) in store::conformance::CHECKS.iter().enumerate() {
        eprintln!("{}", check.name);
        let url = server.place(&format!("check_{n}")).await;
        check.pass(store::open(&url).await.expect("opened")).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_comes_back_is_used_again() {
    let server = Server::start();
    let store = store::open(&server.database("ledger").await).await.expect("opened");
    let token = claimed(&*store, "interrupted").await;
    server.stop();
    let refused = store.commit(token, vec![said("a", "b")]).await;
    assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
    let unreachable = store::open(&server.url("ledger")).await.map(drop);
    assert!(matches!(unreachable, Err(StoreError::Unavailable(_))), "{unreachable:?}");
    server.resume();
    // Each connection that broke may be found broken once.
    let mut attempts = 0;
    while let Err(error) = store.commit(token, vec![said("a", "b")]).await {
        attempts += 1;
        assert!(attempts < 20 && matches!(error, StoreError::Unavailable(_)), "{error:?}");
    }
    assert_eq!(keys(&*store, token.run).await, ["received", "a"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn several_machines_can_use_one_database() {
    let server = Server::start();
    let url = server.database("ledger").await;
    // All at once, so that they find the schema missing together.
    let stores: Vec<_> =
        join_all((0..4).map(|_| store::open(&url))).await.into_iter().map(|store| store.expect("opened")).collect();
    let token = claimed(&*stores[0], "shared").await;
    let writers = (0..16).map(|writer| {
        let store = &stores[writer % 4];
        async move {
            for n in 0..5 {
                let text = "the same large text ".repeat(1_000);
                store.commit(token, vec![said(&format!("{writer}/{n}"), &text)]).await.expect("committed");
            }
        }
    });
    join_all(writers).await;
    let recorded = stores[3].events(token.run, 0, usize::MAX).await.expect("events");
    assert!(recorded.iter().map(|recorded| recorded.seq).eq(1..=81));
    stores[1].claim(token.run, "you").await.expect("claimed");
    let refused = stores[0].commit(token, vec![said("late", "")]).await;
    assert!(matches!(refused, Err(StoreError::Fenced { .. })), "{refused:?}");
    let (grown, _) = tokio::join!(stores[2].grown(token.run, 81), stores[3].grown(token.run, 1));
    grown.expect("after a while");

    server.execute("ledger", "INSERT INTO schema_version (version) VALUES (999)".into()).await;
    let newer = store::open(&url).await.map(drop);
    assert!(matches!(newer, Err(StoreError::Newer { found: 999, .. })), "{newer:?}");
    assert_eq!(keys(&*stores[0], token.run).await.len(), 81);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_of_an_older_version_is_brought_up_to_date() {
    let server = Server::start();
    let url = server.database("older").await;
    let schema = [
        include_str!("../../migrations/postgres/0001_ledger.sql"),
        include_str!("../../migrations/postgres/0002_shelves.sql"),
        include_str!("../../migrations/postgres/0003_stages.sql"),
        "CREATE TABLE schema_version (version BIGINT NOT NULL);
         INSERT INTO schema_version (version) VALUES (1), (2), (3);
         INSERT INTO run (id, status, created_at, updated_at)
         VALUES ('\\x01020304050607080102030405060708', 'waiting', 5, 6);
         INSERT INTO words (run, request, folded) VALUES (1, 'before', 'before');
         INSERT INTO promise (run, name, wait, since)
         VALUES (1, 'a', '{\"name\":\"a\",\"need\":{\"need\":\"answer\",\"question\":\"?\"}}', 5);",
    ];
    server.execute("older", schema.concat()).await;
    let store = store::open(&url).await.expect("opened");
    let waits = store.waits(None, 10).await.expect("waits");
    assert_eq!(waits.len(), 1);
    assert!(store.news(0, 10).await.expect("news").is_empty());
    let token = store.claim(waits[0].run, "me").await.expect("claimed").token;
    store.commit(token, vec![said("a", "b"), finished()]).await.expect("committed");
    assert!(store.waits(None, 10).await.expect("waits").is_empty());
}
