//! Notifications that go to several places at once.

use std::sync::{Arc, Mutex};

use domain::tool::{Effect, Repeat, Tool, ToolError};
use serde_json::{Value, json};
use tools::{Builtins, Desktop, Dialect, Notify};

use crate::declared::as_declared;
use crate::language::{Reply, context, serving};
use crate::notebook::Notebook;
use crate::timer_world::Waiting;

type Shown = Arc<Mutex<Vec<u8>>>;

fn sender(notify: Notify) -> Arc<dyn Tool> {
    let folder = tempfile::tempdir().expect("folder");
    let tools = tools::builtin(Builtins {
        notify,
        audit: folder.path().join("audit.jsonl"),
        errors: folder.path().join("errors.jsonl"),
        store: Arc::<Notebook>::default(),
        starter: Arc::<Waiting>::default(),
        zone: jiff::tz::TimeZone::UTC,
    });
    tools.into_iter().find(|tool| tool.spec().name.as_str() == "notification.send").expect("there")
}

const SAID: &str = "You have been told: tea is ready";

async fn send(notify: Notify) -> Result<Value, ToolError> {
    let tool = sender(notify);
    let answer = tool.call(&json!({"text": "tea is ready", "urgency": "high"}), &context("k")).await;
    as_declared(tool.spec(), answer)
}

fn desktop(program: &str) -> Notify {
    Notify::Desktop(Desktop { program: program.into(), dialect: Dialect::NotifySend, environment: Vec::new() })
}

fn terminal() -> (Notify, Shown) {
    let shown = Shown::default();
    (Notify::Terminal(shown.clone()), shown)
}

fn text(shown: &Shown) -> String {
    String::from_utf8(shown.lock().expect("not poisoned").clone()).expect("text")
}

#[tokio::test]
async fn several_places_are_told_at_once() {
    let (terminal, shown) = terminal();
    let told = send(Notify::All(vec![terminal, desktop("/usr/bin/true")])).await;
    assert_eq!(told, Ok(json!({"told": ["terminal", "desktop"], "said": SAID})));
    assert_eq!(text(&shown), "\u{7}tea is ready\n");
    assert_eq!(send(desktop("/usr/bin/true")).await, Ok(json!({"told": "desktop", "said": SAID})));
}

#[tokio::test]
async fn a_desktop_that_fails_takes_nothing_from_the_terminal() {
    for program in ["/usr/bin/false", "/no/such/program"] {
        let (terminal, shown) = terminal();
        let told = send(Notify::All(vec![desktop(program), terminal])).await.expect("told");
        assert_eq!(told["told"], json!(["terminal"]));
        assert_eq!(told["not_told"][0]["place"], "desktop");
        assert!(told["not_told"][0]["why"].as_str().expect("why").contains(program), "{told}");
        assert_eq!(text(&shown), "\u{7}tea is ready\n");
    }
}

#[tokio::test]
async fn what_nobody_was_told_is_an_error() {
    let failed = send(Notify::All(vec![desktop("/usr/bin/false")])).await;
    assert!(matches!(failed, Err(ToolError::Failed { .. })), "{failed:?}");
    let away = send(desktop("/no/such/program")).await;
    assert!(matches!(away, Err(ToolError::Unavailable { .. })), "{away:?}");
    let nowhere = send(Notify::All(Vec::new())).await;
    assert!(matches!(nowhere, Err(ToolError::Unavailable { .. })), "{nowhere:?}");
    let (doubt, _) = serving(vec![Reply::Raw(String::new())], async |base| {
        send(Notify::All(vec![desktop("/usr/bin/false"), webhook(&base)])).await
    })
    .await;
    assert!(matches!(doubt, Err(ToolError::InDoubt { .. })), "{doubt:?}");
}

#[test]
fn the_strictest_place_says_whether_it_may_be_repeated() {
    let hook = || webhook("http://127.0.0.1:1/");
    for (notify, expected) in [
        (hook(), (Repeat::SameKey, true)),
        (Notify::All(vec![hook(), hook()]), (Repeat::SameKey, true)),
        (Notify::All(vec![hook(), terminal().0]), (Repeat::Never, true)),
        (Notify::All(vec![terminal().0, desktop("/usr/bin/true")]), (Repeat::Never, false)),
    ] {
        let Effect::Write { repeat, external, .. } = sender(notify).spec().effect else { panic!("it writes") };
        assert_eq!((repeat, external), expected);
    }
}

fn webhook(base: &str) -> Notify {
    Notify::Webhook { url: base.parse().expect("url"), client: tools::client().expect("client") }
}
