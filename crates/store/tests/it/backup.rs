//! Whole databases: backups made while others write, brought back, and what becomes of old, new and torn ones.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use domain::event::{Entry, Event};
use domain::id::RunId;
use domain::request::Request;
use domain::store::{RunFilter, Store, StoreError};
use jiff::Timestamp;
use store::{BackupError, back_up, restore};
use tokio::task::JoinSet;

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn names(&self) -> Vec<String> {
        let files = std::fs::read_dir(self.0.path()).expect("a folder");
        let mut names: Vec<String> =
            files.map(|file| file.expect("a file").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

async fn open(file: &Path) -> Result<Arc<dyn Store>, StoreError> {
    store::open(&format!("sqlite:{}", file.display())).await
}

async fn accept(store: &dyn Store, text: &str) -> RunId {
    let run = RunId::fresh();
    let at = Timestamp::now();
    let request = Request {
        text: text.parse().expect("a request"),
        at,
        zone: None,
        place: None,
        session: None,
        user: None,
        earlier: Vec::new(),
        wishes: Default::default(),
    };
    let event = Event::Received { request: Box::new(request), parent: None };
    store.accept(run, vec![Entry { key: "received".into(), input: None, at, event }], None).await.expect("accepted");
    run
}

async fn count(file: &Path) -> u64 {
    open(file).await.expect("a database").count(&RunFilter::default()).await.expect("a count")
}

fn quiet() -> impl FnMut(u64, u64) {
    |_, _| {}
}

/// A copy of a file, so that looking at it changes nothing.
fn pragma(file: &Path, pragma: &str) -> String {
    let connection = rusqlite::Connection::open(file).expect("a database");
    let said = connection.query_row(&format!("PRAGMA {pragma}"), [], |row| row.get::<_, rusqlite::types::Value>(0));
    format!("{:?}", said.expect("an answer"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_under_load_is_whole_and_holds_whatever_was_acknowledged_before_it_began() {
    let folder = Folder::new();
    let (database, backup) = (folder.file("a.db"), folder.file("b.db"));
    let store = open(&database).await.expect("a database");
    let stop = Arc::new(AtomicBool::new(false));
    let acknowledged = Arc::new(AtomicUsize::new(0));
    let mut writers = JoinSet::new();
    for _ in 0..8 {
        let (store, stop, acknowledged) = (Arc::clone(&store), Arc::clone(&stop), Arc::clone(&acknowledged));
        writers.spawn(async move {
            while !stop.load(Ordering::SeqCst) {
                accept(store.as_ref(), &"work ".repeat(200)).await;
                acknowledged.fetch_add(1, Ordering::SeqCst);
            }
        });
    }
    while acknowledged.load(Ordering::SeqCst) < 300 {
        tokio::task::yield_now().await;
    }
    let before = acknowledged.load(Ordering::SeqCst);
    let (from, to) = (database.clone(), backup.clone());
    let mut told = Vec::new();
    let copying = move || back_up(&from, &to, false, &mut |all, done| told.push((all, done))).map(|it| (it, told));
    let (copied, told) = tokio::task::spawn_blocking(copying).await.expect("ended").expect("copied");
    stop.store(true, Ordering::SeqCst);
    while writers.join_next().await.is_some() {}
    assert!(copied.runs >= before as u64, "{} of {before}", copied.runs);
    assert!(told.last().is_some_and(|(all, done)| all == done && *all > 0), "{told:?}");
    assert_eq!(pragma(&backup, "integrity_check"), "Text(\"ok\")");
    assert_eq!(count(&backup).await, copied.runs);
    assert!(count(&database).await >= copied.runs);
    assert!(!folder.names().iter().any(|name| name.contains("partial")), "{:?}", folder.names());
}

#[tokio::test]
async fn a_backup_replaces_nothing_unasked_and_never_the_database_itself() {
    let folder = Folder::new();
    let (database, backup) = (folder.file("a.db"), folder.file("b.db"));
    let missing = back_up(&database, &backup, false, &mut quiet()).expect_err("there is nothing");
    assert!(matches!(missing, BackupError::Missing { .. }), "{missing}");
    let store = open(&database).await.expect("a database");
    accept(store.as_ref(), "one").await;
    std::fs::write(&backup, "mine").expect("a file");
    let refused = back_up(&database, &backup, false, &mut quiet()).expect_err("it is there");
    assert_eq!(refused.to_string(), format!("`{}` is there already", backup.display()));
    assert_eq!(std::fs::read(&backup).expect("a file"), b"mine");
    assert!(matches!(back_up(&database, &database, true, &mut quiet()), Err(BackupError::Exists { .. })));
    assert_eq!(back_up(&database, &backup, true, &mut quiet()).expect("replaced").runs, 1);
    let nowhere = back_up(&database, &folder.file("no/where.db"), false, &mut quiet()).expect_err("no folder");
    assert!(matches!(nowhere, BackupError::Unwritable { .. }), "{nowhere}");
}

#[tokio::test]
async fn a_backup_is_brought_back_once_nobody_uses_the_database_and_what_was_there_is_kept() {
    let folder = Folder::new();
    let (database, backup) = (folder.file("a.db"), folder.file("b.db"));
    let store = open(&database).await.expect("a database");
    accept(store.as_ref(), "one").await;
    back_up(&database, &backup, false, &mut quiet()).expect("copied");
    accept(store.as_ref(), "two").await;
    let (from, to) = (backup.clone(), database.clone());
    let refused = tokio::task::spawn_blocking(move || restore(&from, &to, "t", &mut quiet())).await.expect("ended");
    assert!(matches!(refused, Err(BackupError::InUse { .. })), "{refused:?}");
    accept(store.as_ref(), "three").await;
    drop(store);
    let restored = restore(&backup, &database, "t", &mut quiet()).expect("restored");
    assert_eq!(restored.copied.runs, 1);
    let before = restored.before.expect("what was there");
    assert_eq!(before, folder.file("a.db.before-restore-t"));
    assert_eq!((count(&database).await, count(&before).await), (1, 3));
    let fresh = restore(&backup, &folder.file("c.db"), "t", &mut quiet()).expect("restored");
    assert_eq!((fresh.before, count(&folder.file("c.db")).await), (None, 1));
}

#[tokio::test]
async fn what_is_no_backup_is_refused_and_nothing_is_changed() {
    let folder = Folder::new();
    let database = folder.file("a.db");
    let store = open(&database).await.expect("a database");
    accept(store.as_ref(), "one").await;
    drop(store);
    let bytes = std::fs::read(&database).expect("a file");
    let words = folder.file("words.db");
    std::fs::write(&words, "these are only words".repeat(400)).expect("a file");
    let (torn, strange, newer) = (folder.file("torn.db"), folder.file("strange.db"), folder.file("newer.db"));
    std::fs::write(&torn, &bytes[..bytes.len() / 2]).expect("a file");
    rusqlite::Connection::open(&strange).expect("a database").execute_batch("CREATE TABLE x (y)").expect("a table");
    std::fs::copy(&database, &newer).expect("a copy");
    rusqlite::Connection::open(&newer).expect("a database").pragma_update(None, "user_version", 99).expect("changed");
    for file in [&words, &torn, &strange, &newer] {
        let refused = restore(file, &database, "t", &mut quiet()).expect_err("refused");
        assert!(matches!(refused, BackupError::Unusable { .. }), "{}: {refused}", file.display());
    }
    assert!(matches!(restore(&folder.file("none.db"), &database, "t", &mut quiet()), Err(BackupError::Missing { .. })));
    assert_eq!(std::fs::read(&database).expect("a file"), bytes);
    assert!(!folder.names().iter().any(|name| name.contains("before-restore")), "{:?}", folder.names());
}

#[tokio::test]
async fn a_damaged_database_is_kept_and_replaced() {
    let folder = Folder::new();
    let (database, backup) = (folder.file("a.db"), folder.file("b.db"));
    let store = open(&database).await.expect("a database");
    accept(store.as_ref(), "one").await;
    back_up(&database, &backup, false, &mut quiet()).expect("copied");
    drop(store);
    std::fs::write(&database, "a cat walked over it".repeat(300)).expect("a file");
    let restored = restore(&backup, &database, "t", &mut quiet()).expect("restored");
    assert_eq!(count(&database).await, 1);
    let before = std::fs::read_to_string(restored.before.expect("what was there")).expect("a file");
    assert!(before.starts_with("a cat walked"), "{before}");
}

#[tokio::test]
async fn an_old_database_is_kept_as_it_was_before_it_is_brought_up_to_date() {
    let folder = Folder::new();
    let database = folder.file("a.db");
    let old = rusqlite::Connection::open(&database).expect("a database");
    old.execute_batch(include_str!("../../migrations/sqlite/0001_ledger.sql")).expect("the first schema");
    old.pragma_update(None, "user_version", 1).expect("a version");
    drop(old);
    let store = open(&database).await.expect("brought up to date");
    accept(store.as_ref(), "one").await;
    drop(store);
    let kept = folder.file("a.db.schema-1.backup");
    assert_eq!(
        (pragma(&kept, "user_version"), pragma(&kept, "integrity_check")),
        ("Integer(1)".into(), "Text(\"ok\")".into())
    );
    assert_ne!(pragma(&database, "user_version"), "Integer(1)");
    drop(open(&database).await.expect("again"));
    let backups = folder.names().into_iter().filter(|name| name.ends_with(".backup")).count();
    assert_eq!(backups, 1, "{:?}", folder.names());
}

#[tokio::test]
async fn a_newer_database_is_refused_and_left_byte_by_byte_as_it_is() {
    let folder = Folder::new();
    let database = folder.file("a.db");
    let store = open(&database).await.expect("a database");
    accept(store.as_ref(), "one").await;
    // As a crash would leave it: with what was written last still in its log.
    let newer = folder.file("newer.db");
    std::fs::copy(&database, &newer).expect("a copy");
    std::fs::copy(folder.file("a.db-wal"), folder.file("newer.db-wal")).expect("a copy");
    drop(store);
    let connection = rusqlite::Connection::open(&newer).expect("a database");
    connection.set_db_config(rusqlite::config::DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).expect("set");
    connection.pragma_update(None, "user_version", 99).expect("changed");
    drop(connection);
    let bytes =
        || (std::fs::read(&newer).expect("a file"), std::fs::read(folder.file("newer.db-wal")).expect("a file"));
    let before = bytes();
    let refused = open(&newer).await.err().expect("refused");
    assert!(matches!(refused, StoreError::Newer { found: 99, .. }), "{refused}");
    assert!(bytes() == before, "it was changed");
}

#[tokio::test]
async fn a_copy_without_its_log_works_or_says_what_is_missing_and_the_original_is_not_harmed() {
    let folder = Folder::new();
    let database = folder.file("a.db");
    let store = open(&database).await.expect("a database");
    accept(store.as_ref(), "one").await;
    // Nothing has been moved out of the log yet.
    let early = folder.file("early.db");
    std::fs::copy(&database, &early).expect("a copy");
    let words = open(&early).await.err().expect("it holds nothing").to_string();
    assert!(words.contains("early.db-wal` is not there") && words.contains("`agentwright backup`"), "{words}");
    rusqlite::Connection::open(&database).expect("a database").execute_batch("PRAGMA wal_checkpoint").expect("moved");
    accept(store.as_ref(), "two").await;
    let late = folder.file("late.db");
    std::fs::copy(&database, &late).expect("a copy");
    assert_eq!(count(&late).await, 1, "what was moved is there");
    accept(store.as_ref(), "three").await;
    drop(store);
    assert_eq!((count(&database).await, pragma(&database, "integrity_check")), (3, "Text(\"ok\")".into()));
}
