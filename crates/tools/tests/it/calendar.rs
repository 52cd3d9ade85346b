use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use domain::name::NameKind;
use domain::shelf::{Kept, Shelf};
use domain::store::StoreError;
use domain::tool::{Effect, Repeat, ToolError};
use serde_json::{Value, json};

use crate::diary::Diary;
use crate::notebook::Notebook;

#[tokio::test]
async fn an_appointment_is_added_and_said_and_listed() {
    let diary = Diary::new();
    let added = diary
        .call(
            "calendar.add",
            json!({"title": "Dinner", "start": "2026-11-20T19:00:00+01:00[Europe/Oslo]",
            "duration": "PT2H", "place": "Hos Thea", "people": ["Anna"], "notes": "book a table"}),
        )
        .await
        .expect("added");
    assert_eq!(added["said"], "“Dinner” is in your calendar on Friday 20 November at 19:00, for 2 hours.");
    assert_eq!(added["end"], "2026-11-20T21:00:00+01:00[Europe/Oslo]");
    assert_eq!(added["conflicts"], json!([]));
    let listed = diary.call("calendar.list", json!({})).await.expect("listed");
    let event = json!({"id": added["id"], "title": "Dinner", "all_day": false,
        "start": "2026-11-20T19:00:00+01:00[Europe/Oslo]", "end": "2026-11-20T21:00:00+01:00[Europe/Oslo]",
        "place": "Hos Thea", "notes": "book a table", "people": ["Anna"]});
    assert_eq!(listed["events"], json!([event]));
    assert_eq!(listed["said"], "You have “Dinner” on Friday 20 November at 19:00, for 2 hours, Hos Thea.");
}

#[tokio::test]
async fn a_start_may_be_written_in_many_ways() {
    let diary = Diary::new();
    for (index, start) in [
        "2026-11-20T18:00:00Z",
        "2026-11-20T19:00:00+01:00",
        "2026-11-20T19:00",
        "2026-11-20 19:00",
        "2026-11-20T13:00:00-05:00[America/New_York]",
        "2026-11-20T19:00:00+01:00[+01:00]",
    ]
    .into_iter()
    .enumerate()
    {
        let title = index.to_string();
        let added = diary.call("calendar.add", json!({"title": title, "start": start})).await.expect("added");
        assert_eq!(added["start"], "2026-11-20T19:00:00+01:00[Europe/Oslo]", "{start}");
    }
    let tokyo = json!({"title": "Call", "start": "2026-11-21T03:00", "zone": "Asia/Tokyo"});
    let added = diary.call("calendar.add", tokyo).await.expect("added");
    assert_eq!(added["start"], "2026-11-20T19:00:00+01:00[Europe/Oslo]");
}

#[tokio::test]
async fn what_cannot_be_is_refused_in_clear_words() {
    let diary = Diary::new();
    let mut said = Vec::new();
    for arguments in [
        json!({"title": "x", "start": "2026-11-20T19:00", "end": "2026-11-20T18:00"}),
        json!({"title": "x", "start": "2026-11-20", "end": "2026-11-19"}),
        json!({"title": "x", "start": "2026-11-20T19:00", "end": "2026-11-20T19:00"}),
        json!({"title": "x", "start": "2026-11-20T19:00", "end": "2026-11-20T20:00", "duration": "PT1H"}),
        json!({"title": "x", "start": "2026-11-20T19:00", "duration": "-PT1H"}),
        json!({"title": "x", "start": "2026-11-20T19:00", "duration": "P9999999D"}),
        json!({"title": "x", "start": "2026-11-20", "duration": "PT1H"}),
        json!({"title": "  \n ", "start": "2026-11-20"}),
        json!({"title": "x", "start": "2026-02-30"}),
        json!({"title": "x", "start": "next tuesday"}),
        json!({"title": "x", "start": ""}),
        json!({"title": "x", "start": "2026-11-20T19:00:00+05:00[Europe/Oslo]"}),
        json!({"title": "x", "start": "2026-11-20", "zone": "Middle-earth"}),
        json!({"title": "x", "start": "2026-11-20", "recurrence": "FREQ=FORTNIGHTLY"}),
        json!({"title": "x", "start": "2026-11-20", "recurrence": "FREQ=DAILY;COUNT=0"}),
        json!({"title": "x", "start": "2026-11-20", "recurrence": "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"}),
        json!({"title": "x", "start": "2026-11-20", "recurrence": "FREQ=DAILY;UNTIL=20200101"}),
    ] {
        said.push(diary.refused("calendar.add", arguments).await);
    }
    insta::assert_snapshot!(said.join("\n"));
    assert_eq!(diary.listed(json!({"from": "2020-01-01", "to": "2040-01-01"})).await, Vec::<String>::new());
}

#[tokio::test]
async fn overlaps_are_said_and_the_past_too() {
    let diary = Diary::new();
    diary.said("calendar.add", json!({"title": "Dentist", "start": "2026-11-20T19:30"})).await;
    diary.said("calendar.add", json!({"title": "Holiday", "start": "2026-11-20"})).await;
    let said = diary.said("calendar.add", json!({"title": "Dinner", "start": "2026-11-20T19:00"})).await;
    assert_eq!(
        said,
        "“Dinner” is in your calendar on Friday 20 November at 19:00, for an hour. \
         It overlaps “Dentist” on Friday 20 November at 19:30."
    );
    let said = diary.said("calendar.add", json!({"title": "Run", "start": "2026-11-20T20:30"})).await;
    assert_eq!(said, "“Run” is in your calendar on Friday 20 November at 20:30, for an hour.");
    let said = diary.said("calendar.add", json!({"title": "Lunch", "start": "2026-11-15T12:00"})).await;
    assert_eq!(said, "“Lunch” is in your calendar today at 12:00, for an hour. That was 6 hours ago.");
    let weekly = json!({"title": "Chess", "start": "2026-11-18T19:45", "recurrence": "FREQ=WEEKLY;BYDAY=FR"});
    let said = diary.said("calendar.add", weekly).await;
    assert_eq!(
        said,
        "“Chess” is in your calendar on Friday 20 November at 19:45, for an hour, every week on Friday. \
         It overlaps “Dinner” on Friday 20 November at 19:00, “Dentist” on Friday 20 November at 19:30 and “Run” on \
         Friday 20 November at 20:30."
    );
}

#[tokio::test]
async fn a_repeated_call_adds_and_cancels_once_and_answers_the_same() {
    let diary = Diary::new();
    let arguments = json!({"title": "Dentist", "start": "2026-11-20T19:30"});
    let first = diary.repeat("k", "calendar.add", arguments.clone()).await;
    let again = diary.repeat("k", "calendar.add", arguments.clone()).await;
    assert_eq!(first, again);
    diary.repeat("other", "calendar.add", arguments).await.expect("a second one");
    assert_eq!(diary.listed(json!({})).await.len(), 2);
    let cancel = json!({"on": "2026-11-20", "all": true});
    let first = diary.repeat("c", "calendar.cancel", cancel.clone()).await;
    diary.said("calendar.add", json!({"title": "Later", "start": "2026-11-20T10:00"})).await;
    assert_eq!(diary.repeat("c", "calendar.cancel", cancel).await, first);
    assert_eq!(diary.listed(json!({})).await, ["2026-11-20T10:00:00+01:00 Later"]);
}

#[tokio::test]
async fn a_cancellation_that_broke_off_is_finished_by_its_repetition() {
    let diary = Diary::new();
    for title in ["One", "Two"] {
        diary.said("calendar.add", json!({"title": title, "start": "2026-11-20T10:00"})).await;
    }
    let before = diary.notebook.shelves.lock().expect("not poisoned").clone();
    let cancel = json!({"on": "2026-11-20", "all": true});
    let first = diary.repeat("c", "calendar.cancel", cancel.clone()).await.expect("cancelled");
    {
        // As if the process had ended after the first of the two.
        let mut shelves = diary.notebook.shelves.lock().expect("not poisoned");
        let (place, kept) = before.iter().next_back().expect("two");
        shelves.insert(place.clone(), kept.clone());
    }
    assert_eq!(diary.listed(json!({})).await.len(), 1);
    assert_eq!(diary.repeat("c", "calendar.cancel", cancel).await.expect("the same"), first);
    assert_eq!(diary.listed(json!({})).await.len(), 0);
}

#[tokio::test]
async fn which_one_is_meant_is_found_by_words_typos_and_days_or_asked() {
    let diary = Diary::new();
    for (title, start) in [
        ("Dentist", "2026-11-17T09:00"),
        ("Lunch with Anna", "2026-11-18T12:00"),
        ("Lunch with Bert", "2026-11-19T12:00"),
        ("Old thing", "2026-11-01T12:00"),
        ("Dentist", "2026-11-03T12:00"),
    ] {
        diary.said("calendar.add", json!({"title": title, "start": start})).await;
    }
    let mut said = Vec::new();
    for arguments in [
        json!({"event": "lunch"}),
        json!({"event": "the lunch with bert"}),
        json!({"event": "dentsit"}),
        json!({"event": "lunch", "on": "2026-11-17"}),
        json!({"event": "lunch", "on": "2026-11-18"}),
        json!({"event": "launch"}),
        json!({"event": "hairdresser"}),
        json!({"event": "🦷"}),
        json!({"event": "طبيب", "on": "2026-11-16/2026-11-30"}),
        json!({"on": "2026-11-30"}),
        json!({"event": "OLD THING"}),
    ] {
        said.push(format!("{arguments}\n    {}", diary.said("calendar.cancel", arguments.clone()).await));
    }
    insta::assert_snapshot!(said.join("\n"));
    let nothing = diary.refused("calendar.cancel", json!({})).await;
    assert_eq!(nothing, "arguments of `calendar.cancel`: say which appointment: `event`, `on`, or both");
}

#[tokio::test]
async fn effects_and_names_are_true() {
    let diary = Diary::new();
    for name in ["calendar.add", "calendar.cancel"] {
        let effect = diary.tool(name).spec().effect.clone();
        assert!(matches!(effect, Effect::Write { repeat: Repeat::SameKey, external: false, .. }), "{name}");
    }
    for name in ["calendar.list", "calendar.next"] {
        assert_eq!(diary.tool(name).spec().effect, Effect::Read, "{name}");
    }
    let soon = jiff::Zoned::now().checked_add(jiff::SignedDuration::from_hours(30)).expect("soon").to_string();
    diary.said("calendar.add", json!({"title": "Dentist", "start": soon, "recurrence": "FREQ=DAILY"})).await;
    diary.said("calendar.add", json!({"title": "Long ago", "start": "2020-01-01"})).await;
    let names = diary.tool("calendar.list").names().await;
    assert_eq!(
        names.iter().map(|name| (name.kind, name.name.as_str())).collect::<Vec<_>>(),
        [(NameKind::Event, "Dentist")]
    );
}

#[tokio::test]
async fn a_broken_store_is_said() {
    let notebook = Arc::new(Notebook { broken: true, ..Default::default() });
    let diary = Diary::with("Europe/Oslo", |calendar| tools::Calendar { shelf: notebook, ..calendar });
    let error = diary.call("calendar.list", json!({})).await.expect_err("torn");
    assert!(matches!(error, ToolError::Unavailable { .. }), "{error}");
    let error = diary.call("calendar.add", json!({"title": "x", "start": "2026-11-20"})).await.expect_err("torn");
    assert!(matches!(error, ToolError::InDoubt { .. }), "{error}");
}

#[tokio::test]
async fn a_time_of_day_means_what_goes_on_then() {
    let diary = Diary::new();
    for (title, start) in [("Dentist", "2026-11-20T10:00"), ("Lunch", "2026-11-20T12:00")] {
        diary.said("calendar.add", json!({"title": title, "start": start})).await;
    }
    let said = diary.said("calendar.cancel", json!({"on": "2026-11-20T15:00"})).await;
    assert_eq!(said, "There is nothing in your calendar on Friday 20 November at 15:00.");
    let said = diary.said("calendar.cancel", json!({"event": "dentist", "on": "2026-11-20T15:00"})).await;
    assert_eq!(
        said,
        "There is no “dentist” in your calendar on Friday 20 November at 15:00. The nearest is “Dentist” on Friday 20 \
         November at 10:00."
    );
    let said = diary.said("calendar.cancel", json!({"on": "2026-11-20T12:30:00+01:00[Europe/Oslo]"})).await;
    assert_eq!(said, "Cancelled “Lunch” on Friday 20 November at 12:00.");
    let range = "2026-11-20T09:00:00+01:00[Europe/Oslo]/2026-11-20T11:00:00+01:00[Europe/Oslo]";
    let said = diary.said("calendar.cancel", json!({"on": range})).await;
    assert_eq!(said, "Cancelled “Dentist” on Friday 20 November at 10:00.");
}

#[tokio::test]
async fn an_appointment_may_be_called_just_that() {
    let diary = Diary::new();
    for (title, start) in [
        ("Dentist", "2026-11-20T10:00"),
        ("Lunch", "2026-11-20T12:00"),
        ("Run", "2026-11-21T12:00"),
        ("Team meeting", "2026-11-22T12:00"),
        ("Over", "2026-11-14T12:00"),
    ] {
        diary.said("calendar.add", json!({"title": title, "start": start})).await;
    }
    assert_eq!(diary.listed(json!({"query": "my appointments"})).await.len(), 4);
    assert_eq!(diary.listed(json!({"query": "meetings"})).await, ["2026-11-22T12:00:00+01:00 Team meeting"]);
    let said = diary.said("calendar.move", json!({"event": "my next appointment", "by": "PT30M"})).await;
    assert_eq!(said, "Moved “Dentist” from Friday 20 November at 10:00 to Friday 20 November at 10:30.");
    let said = diary.said("calendar.cancel", json!({"event": "everything", "on": "2026-11-20", "all": true})).await;
    assert_eq!(said, "Cancelled “Dentist” on Friday 20 November at 10:30 and “Lunch” on Friday 20 November at 12:00.");
    let said = diary.said("calendar.cancel", json!({"event": "meeting"})).await;
    assert_eq!(said, "Cancelled “Team meeting” on Sunday 22 November at 12:00.");
    let said = diary.said("calendar.cancel", json!({"event": "the appointment", "on": "2026-11-21"})).await;
    assert_eq!(said, "Cancelled “Run” on Saturday 21 November at 12:00.");
}

#[tokio::test]
async fn what_somebody_else_changes_meanwhile_is_not_lost() {
    let diary = Diary::new();
    diary.said("calendar.add", json!({"title": "Dentist", "start": "2026-11-20T10:00"})).await;
    let meddler = Arc::new(Meddler { notebook: diary.notebook.clone(), once: AtomicBool::new(true) });
    let calendar = tools::Calendar { shelf: meddler, ..diary.calendar.clone() };
    let meddled = Diary::with("Europe/Oslo", |_| calendar);
    meddled.repeat("m", "calendar.move", json!({"event": "dentist", "by": "PT1H"})).await.expect("moved");
    let listed = diary.call("calendar.list", json!({})).await.expect("a list");
    assert_eq!(listed["events"][0]["start"], "2026-11-20T11:00:00+01:00[Europe/Oslo]");
    assert_eq!(listed["events"][0]["place"], "Moss");
}

/// A shelf on which somebody puts a place into a record right before we keep it.
struct Meddler {
    notebook: Arc<Notebook>,
    once: AtomicBool,
}

#[async_trait]
impl Shelf for Meddler {
    async fn keep(&self, shelf: &str, key: &str, value: &Value, replacing: u64) -> Result<bool, StoreError> {
        if self.once.swap(false, Ordering::Relaxed) {
            let mut kept = self.notebook.kept(shelf, key).await?.expect("a record");
            kept.value["event"]["place"] = json!("Moss");
            assert!(self.notebook.keep(shelf, key, &kept.value, kept.version).await?);
        }
        self.notebook.keep(shelf, key, value, replacing).await
    }
    async fn kept(&self, shelf: &str, key: &str) -> Result<Option<Kept>, StoreError> {
        self.notebook.kept(shelf, key).await
    }
    async fn shelf(&self, shelf: &str) -> Result<Vec<Kept>, StoreError> {
        self.notebook.shelf(shelf).await
    }
    async fn discard(&self, shelf: &str, key: &str, version: u64) -> Result<bool, StoreError> {
        self.notebook.discard(shelf, key, version).await
    }
}
