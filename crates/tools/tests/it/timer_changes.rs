use domain::tool::ToolError;
use futures::future::join_all;
use serde_json::{Value, json};

use crate::timer_world::House;

/// At two o'clock: pasta for 10 minutes, 20 minutes without a name, an alarm at seven, a reminder at eight.
async fn furnished() -> House {
    let house = House::at("14:00");
    for (tool, arguments) in [
        ("timer.set", json!({"duration": "PT10M", "name": "pasta"})),
        ("timer.set", json!({"duration": "PT20M"})),
        ("timer.set", json!({"at": "2026-11-15T19:00", "kind": "alarm"})),
        ("timer.remind", json!({"at": "2026-11-15T20:00", "text": "call Ada about the boat"})),
    ] {
        house.call(tool, arguments).await.expect("set");
    }
    house
}

#[tokio::test]
async fn the_list_begins_with_what_is_due_first() {
    let house = furnished().await;
    assert_eq!(
        house.say("timer.list", json!({})).await,
        "4 timers, alarms and reminders are set: the timer “pasta”, 10 minutes left; the 20-minute timer, 20 minutes \
         left; the alarm for today at 19:00, due today at 19:00; the reminder “call Ada about the boat”, due today at \
         20:00."
    );
    assert_eq!(
        house.say("timer.list", json!({"kind": "alarm"})).await,
        "The alarm for today at 19:00: due today at 19:00."
    );
    house.until("14:05:30").await;
    let status = house.call("timer.status", json!({"name": "psata"})).await.expect("there");
    assert_eq!(status["said"], "The timer “pasta”: 4 minutes and 30 seconds left.");
    assert_eq!(status["timers"][0]["left_seconds"], 270);
    assert_eq!(
        house.say("timer.status", json!({"name": "laundry"})).await,
        "There is no timer called “laundry”; there are the timer “pasta”, the 20-minute timer, the alarm for today at \
         19:00 and the reminder “call Ada about the boat”."
    );
}

#[tokio::test]
async fn the_timer_that_is_meant_is_found_in_many_ways() {
    for (choice, said) in [
        (json!({"name": "Pasta"}), "Cancelled the timer “pasta”."),
        (json!({"name": "the pasta timer"}), "Cancelled the timer “pasta”."),
        (json!({"name": "psata"}), "Cancelled the timer “pasta”."),
        (json!({"name": "ada boat"}), "Cancelled the reminder “call Ada about the boat”."),
        (json!({"duration": "PT20M"}), "Cancelled the 20-minute timer."),
        (json!({"duration": "PT600S"}), "Cancelled the timer “pasta”."),
        (json!({"kind": "alarm"}), "Cancelled the alarm for today at 19:00."),
        (json!({"at": "2026-11-15T18:00:00Z"}), "Cancelled the alarm for today at 19:00."),
        (json!({"at": "2026-11-18T19:00"}), "Cancelled the alarm for today at 19:00."),
        (json!({"kind": "alarm", "at": "2026-11-15"}), "Cancelled the alarm for today at 19:00."),
        (json!({"kind": "timer", "all": true}), "Cancelled the timer “pasta” and the 20-minute timer."),
    ] {
        let house = furnished().await;
        assert_eq!(house.say("timer.cancel", choice.clone()).await, said, "{choice}");
    }
}

#[tokio::test]
async fn what_is_not_clear_is_asked_and_nothing_is_cancelled() {
    let house = furnished().await;
    let asked = house.call("timer.cancel", json!({"kind": "timer"})).await.expect("asked");
    assert_eq!(asked["ambiguous"], true);
    assert_eq!(asked["said"], "Which one should I cancel: the timer “pasta” or the 20-minute timer?");
    assert_eq!(asked["candidates"].as_array().map(Vec::len), Some(2));
    for (choice, said) in [
        (json!({"duration": "PT3M"}), "There is no timer of 3 minutes; there are"),
        (json!({"name": "bread"}), "There is no timer called “bread”; there are"),
        (json!({"kind": "reminder", "name": "zebra"}), "There is no reminder called “zebra”; there are"),
        (json!({"name": ""}), "There is no timer"),
        (json!({"id": "nonsense"}), "There is no timer with that id; there are"),
    ] {
        let answer = house.say("timer.cancel", choice.clone()).await;
        assert!(answer.starts_with(said), "{choice}: {answer}");
    }
    assert!(house.say("timer.cancel", json!({"duration": "soon"})).await.contains("is not a duration"));
    assert_eq!(house.waiting().len(), 4);
    let empty = House::at("14:00");
    assert_eq!(empty.say("timer.cancel", json!({})).await, "There is no timer.");
    assert_eq!(empty.say("timer.cancel", json!({"all": true})).await, "There is no timer.");
    assert_eq!(empty.say("timer.pause", json!({"kind": "alarm"})).await, "There is no alarm.");
}

#[tokio::test]
async fn whatever_is_to_be_done_to_a_timer_it_is_asked_which_one() {
    for (tool, wish) in [
        ("timer.cancel", json!({})),
        ("timer.change", json!({"by": "PT5M"})),
        ("timer.pause", json!({})),
        ("timer.resume", json!({})),
        ("timer.rename", json!({"new_name": "soup"})),
    ] {
        let house = House::at("14:00");
        for text in ["call Ada", "call Bob"] {
            let remind = json!({"at": "2026-11-15T20:00", "text": text, "recurrence": "FREQ=DAILY"});
            house.call("timer.remind", remind).await.expect("set");
        }
        let asked = house.call(tool, wish.clone()).await.expect("asked");
        assert_eq!((&asked["ambiguous"], asked.get("changed")), (&json!(true), None), "{tool}");
        assert_eq!(asked["candidates"][1]["text"], "call Bob", "{tool}");
        let mut named = wish.clone();
        named["name"] = json!("laundry");
        assert_eq!(house.call(tool, named.clone()).await.expect("asked")["found"], false, "{tool}");
        named["name"] = json!("Ada");
        let done = house.call(tool, named).await.expect("done");
        assert_eq!((done.get("ambiguous"), done.get("found")), (None, None), "{tool}");
    }
}

#[tokio::test]
async fn timers_alike_are_told_apart_by_how_they_stand() {
    let house = House::at("14:00");
    house.call("timer.set", json!({"duration": "PT10M"})).await.expect("set");
    house.until("14:04").await;
    house.call("timer.set", json!({"duration": "PT10M"})).await.expect("set");
    assert_eq!(
        house.say("timer.cancel", json!({"duration": "PT10M"})).await,
        "Which one should I cancel: the 10-minute timer (6 minutes left) or the 10-minute timer (10 minutes left)?"
    );
}

#[tokio::test]
async fn a_cancelled_timer_stays_silent_even_where_its_run_goes_on() {
    let house = furnished().await;
    *house.waiting.deaf.lock().expect("not poisoned") = true;
    let all = json!({"all": true});
    let gone = house.again("k", "timer.cancel", all.clone()).await.expect("cancelled");
    assert_eq!(gone["cancelled"].as_array().map(Vec::len), Some(4));
    assert_eq!(house.until("14:01").await, "");
    house.call("timer.set", json!({"duration": "PT1M", "name": "tea"})).await.expect("set");
    let only = json!({"name": "tea"});
    let first = house.again("tea", "timer.cancel", only.clone()).await.expect("cancelled");
    house.call("timer.set", json!({"duration": "PT5M", "name": "tea"})).await.expect("set");
    assert_eq!(house.again("tea", "timer.cancel", only).await, Ok(first), "a repetition cancels no second one");
    assert_eq!(house.until("23:00").await, "*Your timer “tea” has ended.\n");
    assert_eq!(house.again("k", "timer.cancel", all).await, Ok(gone));
}

#[tokio::test]
async fn a_paused_timer_goes_on_where_it_stopped() {
    let house = House::at("14:00");
    house.call("timer.set", json!({"duration": "PT10M"})).await.expect("set");
    house.until("14:04").await;
    assert_eq!(house.say("timer.pause", json!({})).await, "Paused the 10-minute timer with 6 minutes left.");
    assert_eq!(house.say("timer.pause", json!({})).await, "The 10-minute timer is already paused.");
    assert_eq!(house.until("15:00").await, "");
    assert_eq!(house.say("timer.list", json!({})).await, "The 10-minute timer: paused with 6 minutes left.");
    let on = house.again("k", "timer.resume", json!({})).await.expect("resumed");
    assert_eq!(on["said"], "The 10-minute timer goes on: 6 minutes left.");
    house.until("15:01").await;
    assert_eq!(house.again("k", "timer.resume", json!({})).await, Ok(on));
    assert_eq!(house.say("timer.resume", json!({})).await, "The 10-minute timer is running already.");
    assert_eq!(house.until("15:05:59").await, "");
    assert_eq!(house.until("15:06").await, "*Your 10-minute timer has ended.\n");
}

#[tokio::test]
async fn a_repetition_means_the_timer_that_the_call_meant() {
    let house = House::at("14:00");
    house.call("timer.set", json!({"duration": "PT10M"})).await.expect("set");
    let first = house.again("k", "timer.pause", json!({})).await.expect("paused");
    house.call("timer.set", json!({"duration": "PT20M"})).await.expect("set");
    assert_eq!(house.again("k", "timer.pause", json!({})).await, Ok(first));
    assert_eq!(house.until("15:00").await, "*Your 20-minute timer has ended.\n");
}

#[tokio::test]
async fn the_one_that_can_be_resumed_is_meant() {
    let house = furnished().await;
    house.call("timer.pause", json!({"name": "pasta"})).await.expect("paused");
    assert_eq!(house.say("timer.resume", json!({})).await, "The timer “pasta” goes on: 10 minutes left.");
}

#[tokio::test]
async fn what_runs_down_is_meant_rather_than_an_alarm() {
    let house = House::at("14:00");
    house.call("timer.set", json!({"at": "2026-11-16T07:00"})).await.expect("set");
    house.call("timer.set", json!({"duration": "PT10M"})).await.expect("set");
    assert_eq!(house.say("timer.change", json!({"by": "PT5M"})).await, "The 10-minute timer: now 15 minutes left.");
    assert_eq!(house.say("timer.pause", json!({})).await, "Paused the 10-minute timer with 15 minutes left.");
    assert_eq!(
        house.say("timer.pause", json!({"kind": "alarm"})).await,
        "Switched off the alarm for tomorrow at 07:00."
    );
    let cancel = house.say("timer.cancel", json!({})).await;
    assert!(cancel.starts_with("Which one should I cancel"), "{cancel}");
}

#[tokio::test]
async fn an_alarm_that_is_switched_off_keeps_its_time() {
    let house = House::at("14:00");
    let daily = json!({"at": "2026-11-16T07:00", "recurrence": "FREQ=DAILY"});
    house.call("timer.set", daily).await.expect("set");
    house.call("timer.set", json!({"at": "2026-11-16T08:00", "name": "train"})).await.expect("set");
    assert_eq!(house.say("timer.pause", json!({"name": "train"})).await, "Switched off the alarm “train”.");
    assert_eq!(house.say("timer.pause", json!({})).await, "Switched off the alarm for tomorrow at 07:00.");
    assert_eq!(house.until("2026-11-18T12:00").await, "");
    assert_eq!(
        house.say("timer.resume", json!({"name": "train"})).await,
        "The alarm “train” was due while it was switched off: set a new one."
    );
    house.call("timer.cancel", json!({"name": "train"})).await.expect("cancelled");
    assert_eq!(
        house.say("timer.resume", json!({})).await,
        "The alarm for tomorrow at 07:00 is on again, due tomorrow at 07:00."
    );
    assert_eq!(house.until("2026-11-19T12:00").await, "*Your alarm: it is 07:00.\n");
}

#[tokio::test]
async fn a_timer_gets_more_time_once() {
    let house = House::at("14:00");
    *house.waiting.deaf.lock().expect("not poisoned") = true;
    house.call("timer.set", json!({"duration": "PT10M"})).await.expect("set");
    let more = json!({"by": "PT5M"});
    let first = house.again("k", "timer.change", more.clone()).await.expect("changed");
    assert_eq!(first["said"], "The 10-minute timer: now 15 minutes left.");
    assert_eq!(house.again("k", "timer.change", more).await, Ok(first));
    assert_eq!(house.until("14:14:59").await, "", "the run of the time before finds nothing to ring");
    assert_eq!(
        house.say("timer.change", json!({"by": "-PT5M"})).await,
        "The 10-minute timer has only a second left: nothing was changed."
    );
    assert_eq!(house.until("14:15").await, "*Your 10-minute timer has ended.\n");
}

#[tokio::test]
async fn back_and_forth_ends_where_it_began_and_still_rings() {
    let house = House::at("14:00");
    house.call("timer.set", json!({"duration": "PT10M", "name": "tea"})).await.expect("set");
    house.call("timer.change", json!({"by": "PT5M"})).await.expect("changed");
    house.call("timer.change", json!({"by": "-PT5M"})).await.expect("changed");
    assert_eq!(house.until("15:00").await, "*Your timer “tea” has ended.\n");
}

#[tokio::test]
async fn a_timer_can_be_given_another_time() {
    let house = House::at("14:00");
    house.call("timer.set", json!({"at": "2026-11-15T19:00", "name": "bus"})).await.expect("set");
    assert_eq!(
        house.say("timer.change", json!({"to": "2026-11-15T18:30"})).await,
        "The alarm “bus”: now due today at 18:30."
    );
    assert_eq!(house.say("timer.change", json!({"by": "PT15M"})).await, "The alarm “bus”: now due today at 18:45.");
    assert_eq!(house.say("timer.change", json!({"to": "PT3M"})).await, "The alarm “bus”: now 3 minutes left.");
    for (wrong, why) in [
        (json!({}), "what is to change?"),
        (json!({"by": "PT1M", "to": "PT1M"}), "not both"),
        (json!({"by": "PT0S"}), "nothing would change"),
        (json!({"to": "2026-11-15T13:00"}), "has passed"),
        (json!({"by": "P2Y"}), "more than a year"),
        (json!({"to": "🦆"}), "is not a moment"),
    ] {
        let said = house.say("timer.change", wrong.clone()).await;
        assert!(said.contains(why), "{wrong}: {said}");
    }
    assert_eq!(house.until("14:03").await, "*Your alarm “bus”: it is 14:03.\n");
}

#[tokio::test]
async fn a_paused_timer_can_be_changed_and_stays_paused() {
    let house = House::at("14:00");
    house.call("timer.set", json!({"duration": "PT10M"})).await.expect("set");
    house.call("timer.pause", json!({})).await.expect("paused");
    let said = house.say("timer.change", json!({"by": "PT5M"})).await;
    assert_eq!(said, "The 10-minute timer: now paused with 15 minutes left.");
    assert_eq!(house.until("16:00").await, "");
    house.call("timer.resume", json!({})).await.expect("resumed");
    assert_eq!(house.until("16:15").await, "*Your 10-minute timer has ended.\n");
}

#[tokio::test]
async fn a_timer_can_be_renamed() {
    let house = House::at("14:00");
    house.call("timer.set", json!({"duration": "PT10M"})).await.expect("set");
    let said = house.say("timer.rename", json!({"new_name": "eggs"})).await;
    assert_eq!(said, "The 10-minute timer is now called “eggs”.");
    assert!(house.say("timer.rename", json!({"new_name": " "})).await.contains("`new_name` is empty"));
    assert_eq!(house.until("14:10").await, "*Your timer “eggs” has ended.\n");
    assert_eq!(house.say("timer.rename", json!({"new_name": "ham"})).await, "There is no timer.");
}

#[tokio::test]
async fn changes_at_the_same_time_all_count_and_each_once() {
    let house = House::at("14:00");
    house.call("timer.set", json!({"duration": "PT10M", "name": "stew"})).await.expect("set");
    let changes = (0..10).map(|n| {
        let key = format!("k{}", n % 5);
        let house = &house;
        async move { house.again(&key, "timer.change", json!({"by": "PT1M"})).await }
    });
    let results: Vec<Result<Value, ToolError>> = join_all(changes).await;
    assert!(results.iter().all(Result::is_ok), "{results:?}");
    assert_eq!(house.say("timer.list", json!({})).await, "The timer “stew”: 15 minutes left.");
    assert_eq!(house.until("14:14:59").await, "");
    assert_eq!(house.until("14:15").await, "*Your timer “stew” has ended.\n");
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]

    #[test]
    fn no_text_makes_a_timer_panic(
        text in "\\PC{0,40}",
        span in "-?P?[0-9]{0,12}[YMWD]?T?[0-9]{0,12}[HMS]?",
        moment in "[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2})?",
        rule in "FREQ=(DAILY|WEEKLY|MONTHLY|YEARLY|HOURLY)(;(INTERVAL|BYDAY|BYMONTHDAY|BYMONTH)=-?[0-9A-Z,]{0,6}){0,2}",
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        runtime.block_on(async {
            let house = House::at("14:00");
            for (tool, arguments) in [
                ("timer.set", json!({"duration": span, "name": text})),
                ("timer.set", json!({"at": moment, "recurrence": rule})),
                ("timer.set", json!({"at": text, "recurrence": text})),
                ("timer.remind", json!({"text": text, "recurrence": rule})),
                ("timer.remind", json!({"text": rule, "at": moment})),
                ("timer.change", json!({"by": span, "name": text})),
                ("timer.change", json!({"to": moment})),
                ("timer.rename", json!({"new_name": text, "duration": span})),
                ("timer.pause", json!({"at": moment})),
                ("timer.status", json!({"name": text, "at": text})),
                ("timer.list", json!({})),
                ("timer.cancel", json!({"name": text, "duration": text})),
            ] {
                let said = house.say(tool, arguments).await;
                assert!(!said.is_empty() && !said.chars().any(char::is_control), "{said}");
            }
            house.until("2026-11-17T14:00").await;
        });
    }
}
