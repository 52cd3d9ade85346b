//! What is kept and asked outlives the process, and processes hear of each other.

use std::sync::Arc;

use domain::approval::{ApprovalFilter, ApprovalId, ApprovalStatus, Proposal, Risk, Subject};
use domain::event::{Entry, Event, Need, Wait};
use domain::library::{AgentBody, Body, Draft, Kind, Lineage};
use domain::plan::Call;
use domain::store::Store;
use futures::future::join_all;
use serde_json::json;
use tempfile::TempDir;

use crate::server::Server;
use crate::words::{claimed, now};

fn agent(name: &str) -> Draft {
    Draft {
        name: name.parse().expect("a name"),
        description: "looks after cats".into(),
        keywords: Vec::new(),
        body: Body::Agent(AgentBody { prompt: "Be kind.".into(), tools: Vec::new(), max_iterations: None }),
        lineage: Lineage::default(),
        offered_from: None,
    }
}

fn question(name: &str) -> Entry {
    let call = Call { tool: "mail.send".parse().expect("a tool"), arguments: json!({}) };
    let proposal = Proposal {
        subject: Subject::Call { step: None, call },
        summary: "a letter".into(),
        why: "it leaves".into(),
        rule: None,
        agents: Vec::new(),
        effects: Vec::new(),
        estimate: None,
        findings: Vec::new(),
        risk: Risk::High,
    };
    let need = Need::Approval { question: "?".into(), hash: proposal.hash(), proposal: Some(Box::new(proposal)) };
    let wait = Wait { name: name.into(), need, until: None };
    Entry { key: format!("wait/{name}"), input: None, at: now(), event: Event::Waiting { wait } }
}

/// Writes through one process, and reads through one that is opened after it is gone.
async fn outlives_its_process(open: impl AsyncFn() -> Arc<dyn Store>) {
    let store = open().await;
    let put = store.put(&agent("cat"), now()).await.expect("put");
    let token = claimed(&*store, "write").await;
    store.commit(token, vec![question("a")]).await.expect("committed");
    let mark = store.news(0, 10).await.expect("news").mark;
    drop(store);
    let store = open().await;
    let there = store.item(Kind::Agent, &put.draft.name, None).await.expect("read").expect("there");
    assert_eq!(there.item, put);
    assert!(store.news(mark, 10).await.expect("news").is_empty(), "nothing is new");
    store.put(&agent("dog"), now()).await.expect("put");
    assert_eq!(store.news(mark, 10).await.expect("news").items.len(), 1);
    let asked = store.approval(ApprovalId::of(token.run, "a"), now()).await.expect("read").expect("there");
    assert_eq!(asked.status, ApprovalStatus::Pending);
    let (all, _) = store.approvals(&ApprovalFilter::default(), now(), None, 9).await.expect("approvals");
    assert_eq!(all, [asked]);
}

/// Several processes put things at once, and each hears of all.
async fn is_shared(stores: &[Arc<dyn Store>]) {
    join_all((0..40).map(|n| {
        let store = &stores[n % stores.len()];
        async move { store.put(&agent(&format!("cat-{}", n / 2)), now()).await.map(drop).expect("put") }
    }))
    .await;
    for store in stores {
        let news = store.news(0, 100).await.expect("news");
        assert_eq!(news.items.len(), 20);
        assert!(news.items.iter().all(|summary| summary.versions == 1));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_library_in_a_file_outlives_its_process_and_is_shared() {
    let folder = TempDir::new().expect("a folder");
    let open =
        async |name: &str| store::open(folder.path().join(name).to_str().expect("a path")).await.expect("opened");
    outlives_its_process(async || open("one.db").await).await;
    is_shared(&[open("two.db").await, open("two.db").await]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_library_on_a_server_outlives_its_process_and_is_shared() {
    let server = Server::start();
    let (one, two) = (server.place("one").await, server.place("two").await);
    outlives_its_process(async || store::open(&one).await.expect("opened")).await;
    let stores = join_all((0..3).map(|_| store::open(&two))).await;
    is_shared(&stores.into_iter().map(|store| store.expect("opened")).collect::<Vec<_>>()).await;
}
