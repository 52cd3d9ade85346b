use proptest::prelude::*;
use serde_json::{Value, json};

use crate::diary::Diary;

/// Starts of a repeating appointment as they are listed, without its title.
async fn starts(zone: &str, start: &str, rule: &str, from: &str, to: &str) -> Vec<String> {
    let diary = Diary::living_in(zone);
    diary.said("calendar.add", json!({"title": "x", "start": start, "recurrence": rule})).await;
    let lines = diary.listed(json!({"from": from, "to": to, "limit": 500})).await;
    lines.iter().map(|line| line.trim_end_matches(" x").to_owned()).collect()
}

async fn days(start: &str, rule: &str, to: &str) -> String {
    starts("Europe/Oslo", start, rule, start, to).await.join(" ")
}

#[tokio::test]
async fn rules_give_the_days_they_name() {
    let cases = [
        ("2026-01-30", "FREQ=DAILY;INTERVAL=2;COUNT=3", "2026-12-31", "2026-01-30 2026-02-01 2026-02-03"),
        (
            "2026-11-16",
            "FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20261125",
            "2027-01-01",
            "2026-11-16 2026-11-18 2026-11-23 2026-11-25",
        ),
        ("2026-01-31", "FREQ=MONTHLY", "2026-06-01", "2026-01-31 2026-03-31 2026-05-31"),
        ("2026-01-01", "FREQ=MONTHLY;BYMONTHDAY=-1", "2026-04-01", "2026-01-31 2026-02-28 2026-03-31"),
        ("2026-01-01", "FREQ=MONTHLY;BYDAY=2TU,-1FR", "2026-03-01", "2026-01-13 2026-01-30 2026-02-10 2026-02-27"),
        (
            "2026-01-01",
            "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=3",
            "2027-01-01",
            "2026-01-30 2026-02-27 2026-03-31",
        ),
        ("2026-01-01", "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "2026-12-31", "2026-02-13 2026-03-13 2026-11-13"),
        ("2024-02-29", "FREQ=YEARLY", "2033-01-01", "2024-02-29 2028-02-29 2032-02-29"),
        ("2026-01-01", "FREQ=YEARLY;BYMONTH=3,11;BYDAY=-1SU", "2027-04-01", "2026-03-29 2026-11-29 2027-03-28"),
        ("2026-01-01", "FREQ=YEARLY;BYDAY=20MO", "2027-12-31", "2026-05-18 2027-05-17"),
        ("2026-01-01", "FREQ=YEARLY;BYYEARDAY=1,-1", "2027-01-01", "2026-01-01 2026-12-31 2027-01-01"),
        ("2026-01-01", "FREQ=DAILY;BYMONTH=2;BYDAY=SU", "2026-12-31", "2026-02-01 2026-02-08 2026-02-15 2026-02-22"),
        // The two examples in RFC 5545 that differ only in the day a week starts on.
        (
            "1997-08-05",
            "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO",
            "1998-01-01",
            "1997-08-05 1997-08-10 1997-08-19 1997-08-24",
        ),
        (
            "1997-08-05",
            "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU",
            "1998-01-01",
            "1997-08-05 1997-08-17 1997-08-19 1997-08-31",
        ),
    ];
    for (start, rule, to, expected) in cases {
        assert_eq!(days(start, rule, to).await, expected, "{rule}");
    }
}

#[tokio::test]
async fn a_rule_that_began_long_ago_is_at_hand_at_once() {
    let rare = starts("Europe/Oslo", "0004-02-29", "FREQ=YEARLY;INTERVAL=4", "2026-01-01", "2034-01-01").await;
    assert_eq!(rare, ["2028-02-29", "2032-02-29"]);
    let daily = starts("Europe/Oslo", "0001-01-01", "FREQ=DAILY;INTERVAL=3", "2026-11-15", "2026-11-20").await;
    assert_eq!(daily.len(), 2, "{daily:?}");
}

#[tokio::test]
async fn the_clock_on_the_wall_counts_when_clocks_change() {
    // The clocks of Oslo go forward on 29 March and back on 25 October 2026, both at night.
    let nine = starts("Europe/Oslo", "2026-03-28T09:00", "FREQ=DAILY;COUNT=3", "2026-03-01", "2026-04-30").await;
    assert_eq!(nine, ["2026-03-28T09:00:00+01:00", "2026-03-29T09:00:00+02:00", "2026-03-30T09:00:00+02:00"]);
    let half_past_two =
        starts("Europe/Oslo", "2026-03-28T02:30", "FREQ=DAILY;COUNT=3", "2026-03-01", "2026-04-30").await;
    assert_eq!(half_past_two, ["2026-03-28T02:30:00+01:00", "2026-03-29T03:30:00+02:00", "2026-03-30T02:30:00+02:00"]);
    let twice = starts("Europe/Oslo", "2026-10-24T02:30", "FREQ=DAILY;COUNT=3", "2026-10-01", "2026-11-30").await;
    assert_eq!(twice, ["2026-10-24T02:30:00+02:00", "2026-10-25T02:30:00+02:00", "2026-10-26T02:30:00+01:00"]);
    let until = "FREQ=DAILY;UNTIL=20261026T013000Z";
    let until = starts("Europe/Oslo", "2026-10-24T02:30", until, "2026-10-01", "2026-11-30").await;
    assert_eq!(until, twice);
}

#[tokio::test]
async fn a_list_says_days_and_times_and_reaches_into_what_has_begun() {
    let diary = Diary::new();
    for arguments in [
        json!({"title": "Trip", "start": "2026-11-14", "end": "2026-11-16"}),
        json!({"title": "Party", "start": "2026-11-15T17:00", "end": "2026-11-16T02:00", "place": "Moss"}),
        json!({"title": "Dentist", "start": "2026-11-17T09:00"}),
        json!({"title": "Far", "start": "2026-11-30"}),
    ] {
        diary.said("calendar.add", arguments).await;
    }
    let said = diary.said("calendar.list", json!({})).await;
    insta::assert_snapshot!(said);
    assert_eq!(
        diary.said("calendar.list", json!({"from": "2026-11-18"})).await,
        "Your calendar is empty from Wednesday 18 November to Wednesday 25 November."
    );
    assert_eq!(
        diary.said("calendar.list", json!({"from": "2026-11-17", "to": "2026-11-17"})).await,
        "You have “Dentist” on Tuesday 17 November at 09:00, for an hour."
    );
    assert_eq!(
        diary.said("calendar.list", json!({"query": "far"})).await,
        "There is nothing like “far” in your calendar from today to Sunday 22 November."
    );
    assert_eq!(
        diary.listed(json!({"from": "2026-11-16T01:00", "to": "2026-11-16T03:00"})).await,
        ["2026-11-14 Trip", "2026-11-15T17:00:00+01:00 Party"]
    );
    assert_eq!(diary.listed(json!({"limit": 1})).await.len(), 1);
    assert_eq!(
        diary.refused("calendar.list", json!({"from": "2026-11-18", "to": "2026-11-17"})).await,
        "arguments of `calendar.list`: `to` is before `from`"
    );
    assert_eq!(diary.said("calendar.next", json!({})).await, "Next is “Dentist” on Tuesday 17 November at 09:00.");
    assert_eq!(
        diary.said("calendar.next", json!({"query": "fra"})).await,
        "There is no “fra” in your calendar. The nearest is “Far” on Monday 30 November."
    );
}

#[tokio::test]
async fn free_time_is_what_is_left() {
    let diary = Diary::new();
    for arguments in [
        json!({"title": "Dentist", "start": "2026-11-17T09:00"}),
        json!({"title": "Standup", "start": "2026-11-17T09:30", "duration": "PT15M"}),
        json!({"title": "Lunch", "start": "2026-11-17T12:00", "duration": "PT90M"}),
        json!({"title": "Holiday", "start": "2026-11-18"}),
        json!({"title": "Night shift", "start": "2026-11-18T19:00", "end": "2026-11-19T10:00"}),
    ] {
        diary.said("calendar.add", arguments).await;
    }
    let mut said = Vec::new();
    for arguments in [
        json!({"from": "2026-11-17", "to": "2026-11-19"}),
        json!({"from": "2026-11-17", "duration": "PT3H"}),
        json!({"from": "2026-11-17", "duration": "PT12H"}),
        json!({"from": "2026-11-17T09:15"}),
        json!({"from": "2026-11-17T10:00", "to": "2026-11-17T11:00"}),
        json!({"from": "2026-11-17T09:45", "to": "2026-11-17T13:00", "duration": "PT1H"}),
        json!({"from": "2026-11-18T15:00"}),
        json!({"from": "2026-11-20", "day_start": "00:00", "day_end": "24:00"}),
        json!({"from": "2026-11-15"}),
        json!({"from": "2026-11-23", "to": "2026-11-24"}),
        json!({}),
    ] {
        said.push(format!("{arguments}\n{}", diary.said("calendar.free", arguments.clone()).await));
    }
    insta::assert_snapshot!(said.join("\n"));
    for (arguments, refusal) in [
        (json!({"from": "2026-11-17", "to": "2026-11-16"}), "`to` is before `from`"),
        (json!({"from": "2026-11-17", "to": "2036-11-16"}), "that is more than 62 days"),
        (json!({"from": "2026-11-17", "day_start": "20:00", "day_end": "08:00"}), "`day_end` is before `day_start`"),
        (
            json!({"from": "2026-11-17", "day_start": "25:00"}),
            "`day_start` must be a time of day such as `08:00`, got `25:00`",
        ),
        (json!({"from": "2026-11-17", "duration": "PT0S"}), "`duration` must be more than nothing"),
    ] {
        assert_eq!(diary.refused("calendar.free", arguments).await, format!("arguments of `calendar.free`: {refusal}"));
    }
}

fn rule() -> impl Strategy<Value = String> {
    let weekday = prop::sample::select(vec!["MO", "TU", "WE", "TH", "FR", "SA", "SU"]);
    let days = prop::collection::vec((prop::option::of(-5..=5i8), weekday), 0..4);
    let month_days = prop::collection::vec(-31..=31i8, 0..3);
    let months = prop::collection::vec(1..=12u8, 0..3);
    let every = prop::sample::select(vec!["DAILY", "WEEKLY", "MONTHLY", "YEARLY"]);
    (every, 1..40u32, days, month_days, months, prop::option::of(1..50u32)).prop_map(
        |(every, interval, days, month_days, months, count)| {
            let joined = |name: &str, items: Vec<String>| match items.is_empty() {
                true => String::new(),
                false => format!(";{name}={}", items.join(",")),
            };
            let numbered = matches!(every, "MONTHLY" | "YEARLY");
            let days = days.iter().map(|(nth, day)| match nth.filter(|nth| *nth != 0 && numbered) {
                Some(nth) => format!("{nth}{day}"),
                None => (*day).to_owned(),
            });
            let month_days = month_days.iter().filter(|day| **day != 0 && every != "WEEKLY").map(i8::to_string);
            let count = count.map_or(String::new(), |count| format!(";COUNT={count}"));
            format!(
                "FREQ={every};INTERVAL={interval}{}{}{}{count}",
                joined("BYDAY", days.collect()),
                joined("BYMONTHDAY", month_days.collect()),
                joined("BYMONTH", months.iter().map(u8::to_string).collect()),
            )
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn occurrences_go_forward_and_never_come_twice(rule in rule(), day in 0..4000i32, hour in 0..24u8) {
        let start = jiff::civil::date(2020, 1, 1).checked_add(jiff::Span::new().days(day)).expect("a day");
        let start = format!("{start}T{hour:02}:30");
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let lines = runtime.block_on(async {
            let diary = Diary::new();
            let add = json!({"title": "x", "start": start, "recurrence": rule});
            // A rule that never comes true is refused.
            diary.call("calendar.add", add).await.ok()?;
            let list = json!({"from": "2020-01-01", "to": "2040-01-01", "limit": 500});
            Some(diary.call("calendar.list", list).await.expect("a list"))
        });
        let Some(list) = lines else { return Ok(()) };
        let moments: Vec<jiff::Timestamp> = list["events"].as_array().expect("events").iter()
            .map(|event: &Value| event["start"].as_str().expect("start").parse::<jiff::Zoned>().expect("zoned").timestamp())
            .collect();
        prop_assert!(moments.windows(2).all(|pair| pair[0] < pair[1]), "{rule}: {moments:?}");
        let first = start.parse::<jiff::civil::DateTime>().expect("wall");
        let first = first.to_zoned(jiff::tz::TimeZone::get("Europe/Oslo").expect("zone")).expect("zoned").timestamp();
        prop_assert!(moments.first().is_none_or(|moment| *moment >= first), "{rule} from {start}: {moments:?}");
    }
}
