use domain::name::NameKind;
use domain::tool::{Effect, Repeat, ToolError};
use serde_json::{Value, json};
use tools::Filter;

use crate::notebook::Notebook;
use crate::timer_world::House;

#[tokio::test]
async fn a_timer_rings_on_time_and_once() {
    let house = House::at("14:00");
    let set = house.call("timer.set", json!({"duration": "PT10M", "name": "pasta"})).await.expect("set");
    assert_eq!(set["said"], "Timer “pasta” set for 10 minutes, until 14:10.");
    assert_eq!((&set["kind"], &set["due"]), (&json!("timer"), &json!("2026-11-15T14:10:00+01:00")));
    assert_eq!(house.until("14:09:59").await, "");
    assert_eq!(house.until("14:10").await, "*Your timer “pasta” has ended.\n");
    assert_eq!(house.until("2026-11-16T14:10").await, "");
    assert_eq!(house.say("timer.list", json!({})).await, "No timers, alarms or reminders are set.");
}

#[tokio::test]
async fn a_timer_is_set_once_however_often_it_is_asked_for() {
    let house = House::at("14:00");
    let ten = json!({"duration": "PT10M"});
    let first = house.again("k", "timer.set", ten.clone()).await.expect("set");
    house.until("14:01").await;
    assert_eq!(house.again("k", "timer.set", ten.clone()).await, Ok(first));
    assert_eq!(house.waiting().len(), 1);
    assert_eq!(house.until("15:00").await, "*Your 10-minute timer has ended.\n");
    house.again("k", "timer.set", ten).await.expect("known");
    assert_eq!(house.until("16:00").await, "");
}

#[tokio::test]
async fn a_run_left_over_from_a_crash_rings_nothing() {
    let house = House::at("14:00");
    let set = house.again("k", "timer.set", json!({"duration": "PT10M"})).await.expect("set");
    // As if the process had ended between starting the run and keeping the record.
    let id = set["id"].as_str().expect("an id").to_owned();
    house.notebook.shelves.lock().expect("not poisoned").remove(&("timers".into(), id));
    house.until("14:01").await;
    house.again("k", "timer.set", json!({"duration": "PT10M"})).await.expect("set again");
    assert_eq!(house.waiting().len(), 2);
    assert_eq!(house.until("14:10").await, "");
    assert_eq!(house.until("14:11").await, "*Your 10-minute timer has ended.\n");
}

#[tokio::test]
async fn what_was_missed_is_told_afterwards() {
    let house = House::at("13:55");
    house.call("timer.set", json!({"duration": "PT10M", "name": "pasta"})).await.expect("set");
    house.call("timer.set", json!({"at": "2026-11-15T14:30", "name": "bus"})).await.expect("set");
    house.call("timer.remind", json!({"text": "take an umbrella", "at": "2026-11-15T15:00"})).await.expect("set");
    assert_eq!(
        house.asleep_until("17:10").await,
        "*Your timer “pasta” ended at 14:05, 3 hours ago, while Agentwright was not running.\n\
         *Your alarm “bus” was due at 14:30, 2 hours ago, while Agentwright was not running.\n\
         *Reminder: take an umbrella. It was due at 15:00, 2 hours ago, while Agentwright was not running.\n"
    );
    let list = house.call("timer.list", json!({"kind": "timer"})).await.expect("listed");
    assert_eq!(
        list["said"],
        "No timers are set. Missed while Agentwright was not running: the timer “pasta” was due today at 14:05."
    );
    assert_eq!(list["missed"][0]["name"], "pasta");
    house.until("2026-11-17T17:10").await;
    assert_eq!(house.say("timer.list", json!({"kind": "timer"})).await, "No timers are set.");
}

#[tokio::test]
async fn an_alarm_comes_again_and_what_it_missed_is_told_once() {
    let house = House::at("14:00");
    let daily = json!({"at": "2026-11-16T07:00:00+01:00[Europe/Oslo]", "recurrence": "FREQ=DAILY", "name": "wake up"});
    let said = house.say("timer.set", daily).await;
    assert_eq!(said, "Alarm “wake up” set for every day at 07:00, first tomorrow.");
    assert_eq!(house.until("2026-11-17T12:00").await, "*Your alarm “wake up”: it is 07:00.\n".repeat(2));
    assert_eq!(
        house.asleep_until("2026-11-20T12:00").await,
        "*Your alarm “wake up” was due on Wednesday 18 November at 07:00, 2 days ago, while Agentwright was not running.\n"
    );
    assert_eq!(
        house.say("timer.list", json!({})).await,
        "The alarm “wake up”: due tomorrow at 07:00, every day. Missed while Agentwright was not running: the alarm \
         “wake up” was due on Wednesday 18 November at 07:00."
    );
    assert_eq!(house.until("2026-11-21T07:00").await, "*Your alarm “wake up”: it is 07:00.\n");
    assert_eq!(house.say("timer.cancel", json!({})).await, "Cancelled the alarm “wake up”.");
    assert_eq!(house.until("2026-12-21T07:00").await, "");
}

#[tokio::test]
async fn a_reminder_says_what_it_is_about() {
    let house = House::at("14:00");
    let umbrella = json!({"text": "take an umbrella", "at": "2026-11-16T08:00:00+01:00[Europe/Oslo]"});
    assert_eq!(house.say("timer.remind", umbrella).await, "I will remind you tomorrow at 08:00: take an umbrella");
    let water = json!({"text": "drink ${water}", "recurrence": "FREQ=HOURLY;INTERVAL=12"});
    let said = house.say("timer.remind", water).await;
    assert_eq!(said, "I will remind you every 12 hours, first tomorrow at 02:00: drink ${water}");
    let bins = json!({"text": "put the bins out", "recurrence": "FREQ=WEEKLY;BYDAY=TU"});
    let said = house.say("timer.remind", bins).await;
    assert_eq!(said, "I will remind you every Tuesday at 09:00, first on Tuesday 17 November: put the bins out");
    assert_eq!(
        house.until("2026-11-16T08:00").await,
        "*Reminder: drink ${water}\n*Reminder: take an umbrella\n",
        "what people write is not taken for a reference"
    );
}

#[tokio::test]
async fn what_cannot_be_set_is_refused_in_words() {
    let house = House::at("14:00");
    for (arguments, why) in [
        (json!({}), "give either `duration` or `at`: when is it due?"),
        (json!({"duration": "PT0S"}), "a duration of zero has ended before it begins: give a longer one"),
        (json!({"duration": "-PT5M"}), "`-PT5M` goes back in time: give a duration that is more than zero"),
        (json!({"duration": "P400D"}), "that is more than a year away: the furthest is a year from now"),
        (json!({"at": "2026-11-15T13:00"}), "today at 13:00 has passed: give a time that is still to come"),
        (json!({"at": "2026-11-31T13:00"}), "is not a moment"),
        (json!({"duration": "PT5M", "recurrence": "FREQ=SECONDLY"}), "`FREQ` is MINUTELY"),
    ] {
        let error = house.say("timer.set", arguments.clone()).await;
        assert!(error.starts_with("arguments of `timer.set`: ") && error.contains(why), "{arguments}: {error}");
    }
    assert!(
        house.say("timer.remind", json!({"text": " \u{7} ", "duration": "PT5M"})).await.contains("`text` is empty")
    );
    assert!(house.waiting().is_empty());
    *house.waiting.closed.lock().expect("not poisoned") = true;
    assert!(house.call("timer.set", json!({"duration": "PT5M"})).await.is_err());
    let list = house.call("timer.list", json!({})).await.expect("listed");
    assert_eq!(list["timers"], json!([]), "a timer that nobody would ring is not set");
}

#[tokio::test]
async fn no_name_breaks_anything() {
    let house = House::at("14:00");
    for name in ["🍝", "שלום", "${ring.said}", "a\nb\u{1b}[2J", "\"quoted\"", "TEA", "", &"ab ".repeat(5000)] {
        let set = house.call("timer.set", json!({"duration": "PT1M", "name": name})).await.expect("set");
        assert!(!set["said"].as_str().expect("said").chars().any(char::is_control), "{name}");
    }
    assert_eq!(house.say("timer.cancel", json!({"name": "🍝"})).await, "Cancelled the timer “🍝”.");
    let shown = house.until("14:01").await;
    assert!(shown.contains("“${ring.said}”") && shown.contains("“quoted”") && shown.contains("“a b [2J”"), "{shown}");
    assert_eq!(shown.lines().count(), 7);
}

#[tokio::test]
async fn only_its_own_run_rings_a_timer() {
    let house = House::at("14:00");
    let set = house.call("timer.set", json!({"duration": "PT10M"})).await.expect("set");
    let rung = house.call("timer.ring", json!({"id": set["id"]})).await.expect("asked");
    assert_eq!(rung["due"], false);
    assert!(house.call("timer.ring", json!({"id": "nothing"})).await.is_err());
    house.turn_to("14:10:30");
    let rung = house.call("timer.ring", json!({"id": set["id"]})).await.expect("asked");
    assert_eq!(rung["due"], false);
    assert_eq!(house.asleep_until("14:10:31").await, "*Your 10-minute timer has ended.\n");
}

#[tokio::test]
async fn a_store_that_is_away_is_an_error_and_not_a_timer() {
    let house = House::with("14:00", Notebook { broken: true, ..Notebook::default() });
    let set = house.call("timer.set", json!({"duration": "PT10M"})).await;
    assert!(matches!(set, Err(ToolError::InDoubt { .. })), "{set:?}");
    let list = house.call("timer.list", json!({})).await;
    assert!(matches!(list, Err(ToolError::Unavailable { .. })), "{list:?}");
    assert!(house.tool("timer.set").names().await.is_empty());
}

#[tokio::test]
async fn there_are_only_so_many_timers() {
    let house = House::at("14:00");
    house.call("timer.set", json!({"duration": "PT10M"})).await.expect("set");
    {
        let mut shelves = house.notebook.shelves.lock().expect("not poisoned");
        let (_, first) = shelves.first_key_value().map(|(place, kept)| (place.clone(), kept.clone())).expect("set");
        for n in 1..500 {
            let mut kept = first.clone();
            kept.key = format!("copy {n}");
            kept.value["id"] = kept.key.clone().into();
            kept.value["done"] = json!([]);
            shelves.insert(("timers".into(), kept.key.clone()), kept);
        }
    }
    let more = house.say("timer.set", json!({"duration": "PT10M"})).await;
    assert_eq!(more, "`timer.set`: 500 timers are running already: cancel some first");
    let asked = house.say("timer.cancel", json!({})).await;
    assert!(asked.ends_with("or 494 more?"), "{asked}");
    house.call("timer.cancel", json!({"all": true})).await.expect("cancelled");
    house.call("timer.set", json!({"duration": "PT10M"})).await.expect("set");
}

#[tokio::test]
async fn what_ended_long_ago_is_taken_away() {
    let house = House::at("14:00");
    house.call("timer.set", json!({"duration": "PT10M"})).await.expect("set");
    house.until("2026-11-22T14:00").await;
    house.call("timer.set", json!({"duration": "PT10M"})).await.expect("set");
    assert_eq!(house.notebook.shelves.lock().expect("not poisoned").len(), 2);
    house.until("2026-11-22T14:11").await;
    house.call("timer.set", json!({"duration": "PT10M"})).await.expect("set");
    assert_eq!(house.notebook.shelves.lock().expect("not poisoned").len(), 2);
}

#[tokio::test]
async fn a_damaged_record_hides_no_other() {
    let house = House::at("14:00");
    house.call("timer.set", json!({"duration": "PT10M"})).await.expect("set");
    let broken = domain::shelf::Kept { key: "x".into(), version: 1, value: json!({"id": 3}) };
    house.notebook.shelves.lock().expect("not poisoned").insert(("timers".into(), "x".into()), broken);
    let said = house.say("timer.list", json!({})).await;
    assert_eq!(said, "The 10-minute timer: 10 minutes left.");
}

#[tokio::test]
async fn the_names_of_what_is_set_are_known() {
    let house = House::at("14:00");
    house.call("timer.set", json!({"duration": "PT10M", "name": "pasta"})).await.expect("set");
    house.call("timer.set", json!({"duration": "PT20M"})).await.expect("set");
    house.call("timer.remind", json!({"duration": "PT20M", "text": "call Ada"})).await.expect("set");
    let names = house.tool("timer.cancel").names().await;
    let words: Vec<_> = names.iter().map(|name| (name.kind, name.name.as_str(), name.class.as_deref())).collect();
    assert_eq!(words, [(NameKind::Timer, "pasta", Some("timer")), (NameKind::Timer, "call Ada", Some("reminder"))]);
    house.until("15:00").await;
    assert!(house.tool("timer.set").names().await.is_empty());
}

#[test]
fn what_changes_something_says_so_and_can_be_repeated() {
    let house = House::at("14:00");
    let tools = house.registry().tools(Filter::Domain("timer")).collect::<Vec<_>>();
    assert_eq!(tools.len(), 10);
    for tool in tools {
        let reads = matches!(tool.spec().name.short(), "list" | "status");
        match &tool.spec().effect {
            Effect::Write { repeat, external, .. } => assert!(!reads && *repeat == Repeat::SameKey && !external),
            Effect::Read => assert!(reads),
            Effect::Egress => panic!("nothing leaves the machine"),
        }
        assert_eq!(tool.spec().parameters["additionalProperties"], Value::Bool(false), "{}", tool.spec().name);
    }
}

#[test]
fn the_planner_reads_the_timers() {
    insta::assert_snapshot!(House::at("14:00").registry().listing(Filter::Domain("timer")));
}
