//! The audit trail against those who have the file itself.

use domain::audit::{Entry, Outcome, Via};
use domain::store::Store;
use jiff::Timestamp;
use tempfile::TempDir;

fn entry(who: &str) -> Entry {
    let (at, on) = (Timestamp::UNIX_EPOCH, [].into());
    Entry { at, who: who.into(), via: Via::Key, what: "POST /v1/keys".into(), on, outcome: Outcome::Done }
}

async fn open(folder: &TempDir) -> std::sync::Arc<dyn Store> {
    store::open(&format!("sqlite:{}", folder.path().join("ledger.db").display())).await.expect("opened")
}

#[tokio::test]
async fn what_is_changed_behind_its_back_is_found() {
    let folder = TempDir::new().expect("a folder");
    let store = open(&folder).await;
    for who in ["ada", "bo", "cy"] {
        store.note(&entry(who)).await.expect("noted");
    }
    let file = rusqlite::Connection::open(folder.path().join("ledger.db")).expect("opened");
    let change = "UPDATE audit SET entry = replace(entry, 'bo', 'al') WHERE seq = 2";
    let delete = "DELETE FROM audit WHERE seq = 2";
    for statement in [change, delete] {
        let refused = file.execute_batch(statement).expect_err("refused").to_string();
        assert!(refused.contains("the audit trail is only added to"), "{refused}");
    }
    // Whoever has the file can do away with that as well.
    file.execute_batch("DROP TRIGGER audit_is_not_changed; DROP TRIGGER audit_is_not_deleted").expect("done");
    file.execute_batch(change).expect("changed");
    let verified = store.verify().await.expect("verified");
    assert_eq!((verified.entries, verified.broken), (1, Some(2)));
    file.execute_batch(delete).expect("deleted");
    assert_eq!(store.verify().await.expect("verified").broken, Some(2));
}

#[tokio::test(flavor = "multi_thread")]
async fn two_processes_add_to_one_chain() {
    let folder = TempDir::new().expect("a folder");
    let (here, there) = (open(&folder).await, open(&folder).await);
    let ada = entry("ada");
    for _ in 0..20 {
        let (one, other) = tokio::join!(here.note(&ada), there.note(&ada));
        assert_ne!(one.expect("noted").seq, other.expect("noted").seq);
    }
    let verified = here.verify().await.expect("verified");
    assert_eq!((verified.entries, verified.broken), (40, None));
}
