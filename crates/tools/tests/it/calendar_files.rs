use proptest::prelude::*;
use serde_json::{Value, json};

use crate::diary::Diary;

/// What several programs would send, with most of what the format has.
const MANY: &str = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Elsewhere//EN\r\n\
BEGIN:VTIMEZONE\r\nTZID:Middle Europe\r\nBEGIN:STANDARD\r\nDTSTART:16011028T030000\r\n\
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10\r\nTZOFFSETFROM:+0200\r\nTZOFFSETTO:+0100\r\nEND:STANDARD\r\n\
BEGIN:DAYLIGHT\r\nDTSTART:16010325T020000\r\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3\r\nTZOFFSETFROM:+0100\r\n\
TZOFFSETTO:+0200\r\nEND:DAYLIGHT\r\nEND:VTIMEZONE\r\n\
BEGIN:VEVENT\r\nUID:plain@elsewhere\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:20261116T080000Z\r\nDTEND:20261116T090000Z\r\n\
SUMMARY:Coffee\\, tea\\; or\r\n  water\r\nLOCATION:Café\r\nDESCRIPTION:one\\ntwo\r\n\
ATTENDEE;CN=\"Ada: L\":mailto:ada@example.org\r\nX-MOOD:good\r\n\
BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT15M\r\nEND:VALARM\r\nEND:VEVENT\r\n\
BEGIN:VEVENT\r\nUID:weekly@elsewhere\r\nDTSTART;TZID=Middle Europe:20261019T090000\r\nDURATION:PT30M\r\n\
RRULE:FREQ=WEEKLY;COUNT=6\r\nEXDATE;TZID=Middle Europe:20261109T090000\r\nSUMMARY:Weekly\r\nEND:VEVENT\r\n\
BEGIN:VEVENT\r\nUID:weekly@elsewhere\r\nRECURRENCE-ID;TZID=Middle Europe:20261116T090000\r\n\
DTSTART;TZID=Middle Europe:20261117T140000\r\nDURATION:PT30M\r\nSUMMARY:Weekly\\, later\r\nEND:VEVENT\r\n\
BEGIN:VEVENT\r\nUID:days@elsewhere\r\nDTSTART;VALUE=DATE:20261118\r\nDTEND;VALUE=DATE:20261120\r\nSUMMARY:Fair\r\n\
END:VEVENT\r\n\
BEGIN:VEVENT\r\nUID:win@elsewhere\r\nDTSTART;TZID=Pacific Standard Time:20261116T090000\r\nSUMMARY:Call\r\n\
DTEND;TZID=Pacific Standard Time:20261116T100000\r\nEND:VEVENT\r\n\
BEGIN:VTODO\r\nUID:todo@elsewhere\r\nSUMMARY:Not an appointment\r\nEND:VTODO\r\n\
END:VCALENDAR\r\n";

const EXPECTED: [&str; 8] = [
    "2026-10-19T09:00:00+02:00 Weekly",
    "2026-10-26T09:00:00+01:00 Weekly",
    "2026-11-02T09:00:00+01:00 Weekly",
    "2026-11-16T09:00:00+01:00 Coffee, tea; or water",
    "2026-11-16T18:00:00+01:00 Call",
    "2026-11-17T14:00:00+01:00 Weekly, later",
    "2026-11-18 Fair",
    "2026-11-23T09:00:00+01:00 Weekly",
];

fn autumn() -> Value {
    json!({"from": "2026-10-01", "to": "2026-12-31"})
}

#[tokio::test]
async fn a_file_from_elsewhere_is_understood_and_taken_once() {
    let diary = Diary::new();
    std::fs::write(diary.folder.path().join("in.ics"), MANY).expect("written");
    let said = diary.said("calendar.import", json!({"path": "in.ics"})).await;
    assert_eq!(said, "Imported: 4 appointments new. Left out, being no appointments: 1.");
    assert_eq!(diary.listed(autumn()).await, EXPECTED);
    let again = diary.call("calendar.import", json!({"text": MANY})).await.expect("imported");
    assert_eq!((&again["added"], &again["changed"], &again["unchanged"]), (&json!(0), &json!(0), &json!(4)));
    assert_eq!(diary.listed(autumn()).await, EXPECTED);
    let changed = MANY.replace("SUMMARY:Fair", "SUMMARY:Big fair");
    let said = diary.said("calendar.import", json!({"text": changed})).await;
    assert!(said.starts_with("Imported: 1 changed and 3 already there."), "{said}");
    diary.said("calendar.cancel", json!({"event": "big fair"})).await;
    let said = diary.said("calendar.import", json!({"text": changed})).await;
    assert!(said.starts_with("Imported: 1 appointment new and 3 already there."), "{said}");
}

#[tokio::test]
async fn what_is_exported_is_the_same_again_and_loses_nothing() {
    let diary = Diary::new();
    diary.call("calendar.import", json!({"text": MANY})).await.expect("imported");
    let add = json!({"title": "Mine", "start": "2026-11-19T10:00", "people": ["Bo, Jr", "Cy"], "place": "a\nb",
        "recurrence": "FREQ=MONTHLY;BYDAY=3TH"});
    diary.said("calendar.add", add).await;
    let first = diary.call("calendar.export", json!({})).await.expect("exported");
    let text = first["text"].as_str().expect("text");
    for kept in ["X-MOOD:good", "TRIGGER:-PT15M", "mailto:ada@example.org", "TZID:Europe/Oslo", "RECURRENCE-ID"] {
        assert!(text.contains(kept), "{kept} is not in\n{text}");
    }
    assert!(text.lines().all(|line| line.len() <= 75) && text.ends_with("END:VCALENDAR\r\n"), "{text}");
    let other = Diary::new();
    let said = other.said("calendar.import", json!({"text": text})).await;
    assert_eq!(said, "Imported: 5 appointments new.");
    assert_eq!(other.listed(autumn()).await, diary.listed(autumn()).await);
    let list = json!({"from": "2026-11-19", "to": "2026-11-19", "query": "mine"});
    let (there, here) = (other.call("calendar.list", list.clone()).await, diary.call("calendar.list", list).await);
    assert_eq!(there.expect("list"), here.expect("list"));
    let again = other.call("calendar.import", json!({"text": text})).await.expect("imported");
    assert_eq!(again["unchanged"], 5);
    let some = diary.call("calendar.export", json!({"from": "2026-11-18", "to": "2026-11-18"})).await.expect("some");
    assert_eq!(some["said"], "1 appointment as iCalendar.");
}

#[tokio::test]
async fn a_broken_file_is_refused_with_the_line_and_changes_nothing() {
    let diary = Diary::new();
    let event = |lines: &str| format!("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\n{lines}\nEND:VEVENT\nEND:VCALENDAR\n");
    let mut said = Vec::new();
    for text in [
        String::new(),
        "🦷".into(),
        "hello\nworld".into(),
        "BEGIN:VCARD\nEND:VCARD".into(),
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VCALENDAR".into(),
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\n".into(),
        "BEGIN:A\n".repeat(1000),
        event("SUMMARY:no start"),
        event("DTSTART:20260230T100000"),
        event("DTSTART:tomorrow"),
        event("DTSTART:20261116T100000\nDTEND:20261116T090000"),
        event("DTSTART:20261116T100000\nDURATION:an hour"),
        event("DTSTART:20261116T100000\nDURATION:P99999999D"),
        event("DTSTART:20261116T100000\nRRULE:FREQ=DAILY\nEXDATE:never"),
        event("DTSTART;TZID=\"Europe/Oslo:20261116T100000"),
        event("=?:;"),
    ] {
        said.push(diary.refused("calendar.import", json!({"text": text})).await);
    }
    insta::assert_snapshot!(said.join("\n"));
    assert_eq!(diary.listed(autumn()).await, Vec::<String>::new());
}

#[tokio::test]
async fn what_is_half_understood_is_shown_and_said() {
    let diary = Diary::new();
    let text = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\nDTSTART;TZID=Mars/Base:20261116T100000\nRRULE:FREQ=HOURLY\n\
        EXDATE;VALUE=DATE:20261117\nEND:VEVENT\nEND:VCALENDAR";
    let said = diary.said("calendar.import", json!({"text": text})).await;
    assert_eq!(
        said,
        "Imported: 1 appointment new. Note: the zone `Mars/Base` is not known, its times are taken as yours. Note: “(no \
         title)” is shown only once, because `FREQ` must be DAILY, WEEKLY, MONTHLY or YEARLY, got `HOURLY`."
    );
    assert_eq!(diary.listed(autumn()).await, ["2026-11-16T10:00:00+01:00 (no title)"]);
    let exported = diary.call("calendar.export", json!({})).await.expect("exported");
    assert!(exported["text"].as_str().is_some_and(|text| text.contains("RRULE:FREQ=HOURLY\r\n")));
}

#[tokio::test]
async fn the_end_of_a_rule_is_written_the_way_others_expect() {
    for (start, until, expected) in [
        ("2026-11-16T09:00", "UNTIL=20261118", "UNTIL=20261118T225959Z"),
        ("2026-11-16T09:00", "UNTIL=20261118T090000", "UNTIL=20261118T080000Z"),
        ("2026-11-16", "UNTIL=20261118T090000Z", "UNTIL=20261118\r"),
    ] {
        let diary = Diary::new();
        let rule = format!("FREQ=DAILY;{until}");
        let said = diary.said("calendar.add", json!({"title": "x", "start": start, "recurrence": rule})).await;
        assert!(said.ends_with("every day, until Wednesday 18 November."), "{said}");
        assert_eq!(diary.listed(autumn()).await.len(), 3, "{until}");
        let exported = diary.call("calendar.export", json!({})).await.expect("exported");
        assert!(exported["text"].as_str().is_some_and(|text| text.contains(expected)), "{exported}");
    }
}

#[tokio::test]
async fn files_stay_within_their_folder() {
    let diary = Diary::new();
    let outside = tempfile::tempdir().expect("folder");
    std::fs::write(outside.path().join("in.ics"), MANY).expect("written");
    std::os::unix::fs::symlink(outside.path(), diary.folder.path().join("link")).expect("linked");
    let absolute = outside.path().join("in.ics").display().to_string();
    for path in ["../in.ics", absolute.as_str(), "link/in.ics", "", ".", "a/../../x"] {
        for tool in ["calendar.import", "calendar.export"] {
            let refusal = diary.refused(tool, json!({"path": path})).await;
            assert!(refusal.contains("`path` must lie within"), "{tool} {path}: {refusal}");
        }
    }
    let missing = diary.refused("calendar.import", json!({"path": "no.ics"})).await;
    assert!(missing.starts_with("`calendar.import`: `no.ics` cannot be read:"), "{missing}");
    diary.said("calendar.add", json!({"title": "Fair", "start": "2026-11-18"})).await;
    let said = diary.said("calendar.export", json!({"path": "out/all.ics"})).await;
    let file = diary.folder.path().join("out/all.ics");
    assert_eq!(said, format!("Wrote 1 appointment to `{}`.", file.display()));
    assert_eq!(std::fs::read_dir(diary.folder.path().join("out")).expect("folder").count(), 1);
    let nowhere = Diary::with("Europe/Oslo", |calendar| tools::Calendar { files: None, ..calendar });
    let refusal = nowhere.refused("calendar.import", json!({"path": "in.ics"})).await;
    assert_eq!(refusal, "`calendar.import`: no folder for files is configured");
    let both = nowhere.refused("calendar.import", json!({"path": "in.ics", "text": ""})).await;
    assert_eq!(both, "arguments of `calendar.import`: give `path` or `text`");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn an_export_brings_everything_back(
        title in "\\PC{1,90}",
        notes in prop::option::of("(?s).{0,120}"),
        place in prop::option::of("\\PC{0,40}"),
        people in prop::collection::vec("\\PC{1,20}", 0..3),
        day in 0..3000i32, hour in 0..24u8, minutes in 1..3000u32,
        zone in prop::sample::select(vec!["Europe/Oslo", "America/New_York", "Asia/Kathmandu", "UTC", "Australia/Lord_Howe"]),
        recurrence in prop::option::of(prop::sample::select(vec!["FREQ=DAILY;COUNT=9", "FREQ=WEEKLY;BYDAY=MO,SU", "FREQ=MONTHLY;BYDAY=-1FR"])),
    ) {
        prop_assume!(title.split_whitespace().next().is_some());
        let start = jiff::civil::date(2024, 1, 1).checked_add(jiff::Span::new().days(day)).expect("a day");
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let (here, there) = runtime.block_on(async {
            let (here, there) = (Diary::new(), Diary::new());
            let add = json!({"title": title, "start": format!("{start}T{hour:02}:00"), "zone": zone, "notes": notes,
                "place": place, "people": people, "duration": format!("PT{minutes}M"), "recurrence": recurrence});
            here.call("calendar.add", add).await.expect("added");
            let export = here.call("calendar.export", json!({})).await.expect("exported");
            there.call("calendar.import", json!({"text": export["text"]})).await.expect("imported");
            let list = json!({"from": "2024-01-01", "to": "2034-01-01", "limit": 30});
            (here.call("calendar.list", list.clone()).await, there.call("calendar.list", list).await)
        });
        prop_assert_eq!(here.expect("a list"), there.expect("a list"));
    }
}
