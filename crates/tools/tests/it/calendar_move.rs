use serde_json::{Value, json};

use crate::diary::Diary;

async fn diary() -> Diary {
    let diary = Diary::new();
    let add = async |arguments: Value| diary.said("calendar.add", arguments).await;
    add(json!({"title": "Dentist", "start": "2026-11-17T09:00", "duration": "PT30M"})).await;
    add(json!({"title": "Lunch", "start": "2026-11-18T12:00"})).await;
    add(json!({"title": "Fair", "start": "2026-11-19", "end": "2026-11-20"})).await;
    add(json!({"title": "Standup", "start": "2026-11-16T09:15", "duration": "PT15M",
        "recurrence": "FREQ=WEEKLY;BYDAY=MO,TU"}))
    .await;
    diary
}

#[tokio::test]
async fn appointments_move_to_a_time_by_a_while_or_get_longer() {
    let mut said = Vec::new();
    for arguments in [
        json!({"event": "dentist", "start": "2026-11-20T10:00"}),
        json!({"event": "dentist", "start": "2026-11-20"}),
        json!({"event": "dentist", "by": "PT90M"}),
        json!({"event": "dentist", "by": "-P1D"}),
        json!({"event": "dentist", "duration": "PT2H"}),
        json!({"event": "dentist", "end": "2026-11-17T10:00"}),
        json!({"event": "dentist", "start": "2026-11-18T11:45"}),
        json!({"event": "dentist", "start": "2026-11-14T10:00"}),
        json!({"event": "fair", "by": "P1W"}),
        json!({"event": "fair", "start": "2026-11-23"}),
        json!({"event": "fair", "start": "2026-11-23T10:00"}),
        json!({"event": "standup", "start": "2026-11-17T10:00"}),
        json!({"event": "standup", "on": "2026-11-17", "start": "2026-11-17T10:00"}),
        json!({"event": "standup", "all": true, "by": "PT1H"}),
        json!({"event": "massage", "by": "PT1H"}),
    ] {
        // Each on a fresh page.
        let diary = diary().await;
        said.push(format!("{arguments}\n    {}", diary.said("calendar.move", arguments.clone()).await));
        let list = diary.listed(json!({"from": "2026-11-14", "to": "2026-11-24"})).await;
        said.extend(list.iter().map(|line| format!("        {line}")));
    }
    insta::assert_snapshot!(said.join("\n"));
}

#[tokio::test]
async fn a_move_that_makes_no_sense_is_refused_and_changes_nothing() {
    let diary = diary().await;
    let before = diary.listed(json!({})).await;
    let mut said = Vec::new();
    for arguments in [
        json!({"event": "dentist"}),
        json!({"event": "dentist", "start": "2026-11-20T10:00", "by": "PT1H"}),
        json!({"event": "dentist", "end": "2026-11-16T10:00"}),
        json!({"event": "dentist", "by": "later"}),
        json!({"event": "dentist", "by": "P9000Y"}),
        json!({"event": "dentist", "start": "2026-02-29"}),
        json!({"event": "fair", "by": "PT3H"}),
    ] {
        let refusal = diary.call("calendar.move", arguments).await;
        said.push(refusal.map_or_else(|error| error.to_string(), |done| done["said"].to_string()));
    }
    insta::assert_snapshot!(said.join("\n"));
    assert_eq!(diary.listed(json!({})).await, before);
}

#[tokio::test]
async fn a_repeated_move_moves_once() {
    let diary = diary().await;
    let arguments = json!({"event": "dentist", "by": "PT1H"});
    let first = diary.repeat("m", "calendar.move", arguments.clone()).await;
    assert_eq!(diary.repeat("m", "calendar.move", arguments).await, first);
    let query = json!({"query": "dentist"});
    assert_eq!(diary.listed(query).await, ["2026-11-17T10:00:00+01:00 Dentist"]);
}

#[tokio::test]
async fn the_time_on_the_wall_of_another_zone_is_kept_when_its_meeting_moves() {
    let diary = Diary::new();
    let call = json!({"title": "Call", "start": "2026-03-02T09:00:00-05:00[America/New_York]",
        "recurrence": "FREQ=WEEKLY"});
    diary.said("calendar.add", call).await;
    // America changes its clocks three weeks before Europe does.
    let range = json!({"from": "2026-03-01", "to": "2026-04-01"});
    let spring = |minutes: &str| {
        ["02T15", "09T14", "16T14", "23T14", "30T15"].map(|at| {
            let offset = if at.starts_with("30") { "02:00" } else { "01:00" };
            format!("2026-03-{at}:{minutes}:00+{offset} Call")
        })
    };
    assert_eq!(diary.listed(range.clone()).await, spring("00"));
    let mut diary = diary;
    diary.at("2026-03-01T12:00:00+01:00[Europe/Oslo]");
    diary.said("calendar.move", json!({"event": "call", "all": true, "by": "PT30M"})).await;
    assert_eq!(diary.listed(range).await, spring("30"));
}

#[tokio::test]
async fn many_are_cancelled_in_few_words_and_too_many_not_at_all() {
    let diary = Diary::new();
    let daily = |title: &str| json!({"title": title, "start": "2026-11-16T09:00", "recurrence": "FREQ=DAILY"});
    diary.said("calendar.add", daily("Walk")).await;
    let days = |to: &str| json!({"event": "walk", "on": format!("2026-11-16/{to}"), "all": true});
    let said = diary.said("calendar.cancel", days("2027-11-16")).await;
    assert_eq!(said, "That would cancel 366 appointments. Which days do you mean?");
    let said = diary.said("calendar.cancel", days("2026-11-25")).await;
    assert!(
        said.starts_with("Cancelled 10 appointments: “Walk” tomorrow at 09:00, ") && said.ends_with(" and 2 more."),
        "{said}"
    );
    assert_eq!(diary.listed(json!({"from": "2026-11-15", "to": "2026-11-27"})).await.len(), 2);
}

#[tokio::test]
async fn what_was_cancelled_is_forgotten_after_a_month() {
    let mut diary = Diary::new();
    for day in ["2026-11-16", "2026-12-31"] {
        diary.said("calendar.add", json!({"title": day, "start": day})).await;
    }
    let kept = |diary: &Diary| diary.notebook.shelves.lock().expect("not poisoned").len();
    diary.repeat("c", "calendar.cancel", json!({"on": "2026-11-16"})).await.expect("cancelled");
    assert_eq!(kept(&diary), 2);
    diary.at("2026-12-20T12:00:00+01:00[Europe/Oslo]");
    diary.repeat("d", "calendar.cancel", json!({"on": "2026-12-31"})).await.expect("cancelled");
    assert_eq!(kept(&diary), 1);
}

#[tokio::test]
async fn one_time_of_a_repeating_appointment_is_cancelled_or_all_are() {
    let diary = diary().await;
    let said = diary.said("calendar.cancel", json!({"event": "standup"})).await;
    assert_eq!(said, "“Standup” repeats. Shall I cancel only the one tomorrow at 09:15, or all of them?");
    let said = diary.said("calendar.cancel", json!({"event": "standup", "occurrence": "2026-11-17"})).await;
    assert_eq!(said, "Cancelled “Standup” on Tuesday 17 November at 09:15. The others stay.");
    let standups = json!({"query": "standup"});
    assert_eq!(diary.listed(standups.clone()).await, ["2026-11-16T09:15:00+01:00 Standup"]);
    let said = diary.said("calendar.cancel", json!({"event": "standup", "all": true})).await;
    assert_eq!(said, "Cancelled “Standup”, all of them.");
    assert_eq!(diary.listed(standups).await, Vec::<String>::new());
}

#[tokio::test]
async fn whatever_is_known_about_an_appointment_is_in_every_answer_about_it() {
    let diary = Diary::new();
    let tea = json!({"title": "Tea", "start": "2026-11-17T16:00", "place": "Harbour", "notes": "bring cake",
        "people": ["Ada"], "recurrence": "FREQ=WEEKLY"});
    let known = |shown: &Value| {
        let fields = ["place", "notes", "people", "occurrence", "recurrence"];
        fields.iter().all(|field| !shown[field].is_null())
    };
    assert!(known(&diary.call("calendar.add", tea.clone()).await.expect("added")));
    let answers = [
        ("calendar.add", tea, "/conflicts/0"),
        ("calendar.list", json!({"from": "2026-11-17"}), "/events/0"),
        ("calendar.next", json!({"query": "tea"}), "/event"),
        ("calendar.next", json!({"query": "tea xyz"}), "/nearest/0"),
        ("calendar.free", json!({"from": "2026-11-17T16:00"}), "/busy/0"),
        ("calendar.move", json!({"event": "tea", "by": "PT1H"}), "/candidates/0"),
        ("calendar.move", json!({"event": "tea xyz", "by": "PT1H"}), "/nearest/0"),
        ("calendar.cancel", json!({"event": "tea xyz"}), "/nearest/0"),
        ("calendar.cancel", json!({"event": "tea"}), "/candidates/0"),
        ("calendar.cancel", json!({"event": "tea", "on": "2026-11-17", "all": true}), "/cancelled/0"),
        ("calendar.move", json!({"event": "tea", "on": "2026-11-24", "by": "PT10M"}), "/candidates/0"),
    ];
    for (tool, arguments, at) in answers {
        let answer = diary.call(tool, arguments.clone()).await.expect("an answer");
        let shown = answer.pointer(at).unwrap_or_else(|| panic!("{tool} {arguments}: {answer:#}"));
        assert!(known(shown), "{tool} {arguments}: {shown:#}");
    }
}
