use domain::tool::{Effect, Repeat, ToolError};
use serde_json::{Value, json};
use tools::{CalDav, Calendar};

use crate::diary::Diary;
use crate::language::{Reply, serving};
use crate::radicale::Radicale;

const HOME: &str = "/ada/home/";

fn diary(server: CalDav) -> Diary {
    Diary::with("Europe/Oslo", |calendar| Calendar { caldav: Some(server), ..calendar })
}

async fn sync(diary: &Diary) -> String {
    diary.said("calendar.sync", json!({})).await
}

async fn server() -> Radicale {
    let radicale = Radicale::start().await;
    radicale.make(HOME, "VEVENT").await;
    radicale
}

fn event(uid: &str, title: &str, lines: &str) -> String {
    format!(
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Elsewhere//EN\r\nBEGIN:VEVENT\r\nUID:{uid}\r\n\
         DTSTAMP:20260101T000000Z\r\nDTSTART:20261117T080000Z\r\nDTEND:20261117T090000Z\r\nSUMMARY:{title}\r\n{lines}\
         END:VEVENT\r\nEND:VCALENDAR\r\n"
    )
}

fn all() -> Value {
    json!({"from": "2026-11-01", "to": "2026-12-31"})
}

#[tokio::test]
async fn what_is_made_here_and_elsewhere_comes_to_both() {
    let radicale = server().await;
    let diary = diary(radicale.signed_in(HOME));
    assert_eq!(sync(&diary).await, "Your calendar and the server agree; nothing had changed.");
    let added = diary.call("calendar.add", json!({"title": "Dentist", "start": "2026-11-20T19:00"})).await;
    assert_eq!(added.expect("added")["synchronised"], false);
    let alarm = "X-MOOD:good\r\nBEGIN:VALARM\r\nACTION:DISPLAY\r\nDESCRIPTION:!\r\nTRIGGER:-PT15M\r\nEND:VALARM\r\n";
    radicale.elsewhere("PUT", "/ada/home/x.ics", &event("x@elsewhere", "Lunch", alarm)).await;
    assert_eq!(sync(&diary).await, "Synchronised with the server: 1 appointment received and 1 sent.");
    let expected = ["2026-11-17T09:00:00+01:00 Lunch", "2026-11-20T19:00:00+01:00 Dentist"];
    assert_eq!(diary.listed(all()).await, expected);
    assert_eq!(sync(&diary).await, "Your calendar and the server agree; nothing had changed.");
    let other = self::diary(radicale.signed_in(HOME));
    assert_eq!(sync(&other).await, "Synchronised with the server: 2 appointments received.");
    assert_eq!(other.listed(all()).await, expected);
    diary.said("calendar.move", json!({"event": "lunch", "by": "PT1H"})).await;
    diary.said("calendar.cancel", json!({"event": "dentist"})).await;
    let result = diary.call("calendar.sync", json!({})).await.expect("synchronised");
    assert_eq!(result["said"], "Synchronised with the server: 1 appointment sent and 1 cancelled there.");
    assert_eq!(result["synchronised"], true);
    assert_eq!(sync(&other).await, "Synchronised with the server: 1 appointment received and 1 removed here.");
    assert_eq!(other.listed(all()).await, ["2026-11-17T10:00:00+01:00 Lunch"]);
    let files = radicale.files(HOME);
    assert_eq!(files.len(), 1);
    assert!(files[0].contains("X-MOOD:good") && files[0].contains("TRIGGER:-PT15M"), "{}", files[0]);
}

#[tokio::test]
async fn repeating_ones_and_their_exceptions_come_to_both() {
    let radicale = server().await;
    let (here, there) = (diary(radicale.signed_in(HOME)), diary(radicale.signed_in(HOME)));
    let standup = json!({"title": "Standup", "start": "2026-11-16T09:15", "recurrence": "FREQ=DAILY;COUNT=5"});
    here.said("calendar.add", standup).await;
    here.said("calendar.cancel", json!({"event": "standup", "occurrence": "2026-11-17"})).await;
    here.said("calendar.move", json!({"event": "standup", "on": "2026-11-18", "by": "PT2H"})).await;
    here.said("calendar.add", json!({"title": "Fair", "start": "2026-11-21", "end": "2026-11-22"})).await;
    assert_eq!(sync(&here).await, "Synchronised with the server: 2 appointments sent.");
    assert_eq!(sync(&there).await, "Synchronised with the server: 2 appointments received.");
    let expected = here.listed(all()).await;
    assert_eq!(expected.len(), 5, "{expected:?}");
    assert_eq!(there.listed(all()).await, expected);
    there.said("calendar.cancel", json!({"event": "standup", "occurrence": "2026-11-18"})).await;
    assert_eq!(sync(&there).await, "Synchronised with the server: 1 appointment sent.");
    assert_eq!(sync(&here).await, "Synchronised with the server: 1 appointment received.");
    assert_eq!(here.listed(all()).await.len(), 4);
}

#[tokio::test]
async fn the_server_wins_and_what_was_changed_here_is_kept_beside_it() {
    let radicale = server().await;
    let (here, there) = (diary(radicale.signed_in(HOME)), diary(radicale.signed_in(HOME)));
    for title in ["Dentist", "Lunch", "Run", "Same"] {
        here.said("calendar.add", json!({"title": title, "start": "2026-11-20T10:00"})).await;
    }
    sync(&here).await;
    sync(&there).await;
    there.said("calendar.move", json!({"event": "dentist", "start": "2026-11-20T15:00"})).await;
    there.said("calendar.move", json!({"event": "lunch", "start": "2026-11-20T12:00"})).await;
    there.said("calendar.cancel", json!({"event": "run"})).await;
    there.said("calendar.move", json!({"event": "same", "by": "PT1H"})).await;
    sync(&there).await;
    here.said("calendar.move", json!({"event": "dentist", "start": "2026-11-20T08:00"})).await;
    here.said("calendar.cancel", json!({"event": "lunch"})).await;
    here.said("calendar.move", json!({"event": "run", "by": "PT7H"})).await;
    here.said("calendar.move", json!({"event": "same", "by": "PT1H"})).await;
    let said = sync(&here).await;
    let (first, rest) = said.split_once('\n').expect("conflicts");
    assert_eq!(first, "Synchronised with the server: 2 appointments received and 2 sent.");
    let mut rest: Vec<&str> = rest.lines().collect();
    rest.sort_unstable();
    assert_eq!(
        rest,
        [
            "“Dentist” was changed here and on the server: the server's stays, yours is kept as “Dentist (copy)”.",
            "“Lunch” was cancelled here but changed on the server: it stays.",
            "“Run” was changed here but cancelled on the server: it is kept.",
        ]
    );
    let expected = [
        "2026-11-20T08:00:00+01:00 Dentist (copy)",
        "2026-11-20T11:00:00+01:00 Same",
        "2026-11-20T12:00:00+01:00 Lunch",
        "2026-11-20T15:00:00+01:00 Dentist",
        "2026-11-20T17:00:00+01:00 Run",
    ];
    assert_eq!(here.listed(all()).await, expected);
    sync(&there).await;
    assert_eq!(there.listed(all()).await, expected);
    assert_eq!(sync(&here).await, "Your calendar and the server agree; nothing had changed.");
}

#[tokio::test]
async fn the_calendar_is_found_from_the_address_of_the_server_or_the_user() {
    let radicale = Radicale::start().await;
    radicale.make("/ada/aaa-tasks/", "VTODO").await;
    for path in ["/", "/ada/"] {
        let empty = diary(radicale.signed_in(path)).refused("calendar.sync", json!({})).await;
        assert_eq!(
            empty,
            "`calendar.sync`: the calendar server has no calendar for appointments at the configured address"
        );
    }
    radicale.make(HOME, "VEVENT").await;
    for path in ["/", "/ada/", "/ada/home", HOME] {
        let diary = diary(radicale.signed_in(path));
        let add = json!({"title": path, "start": "2026-11-20"});
        diary.repeat(path, "calendar.add", add).await.expect("added");
        sync(&diary).await;
    }
    assert_eq!(radicale.files(HOME).len(), 4);
    assert_eq!(radicale.files("/ada/aaa-tasks/").len(), 0);
}

#[tokio::test]
async fn a_wrong_password_and_a_server_that_is_away_are_said_and_change_nothing() {
    let mut radicale = server().await;
    let wrong = CalDav { password: "guess".into(), ..radicale.signed_in(HOME) };
    let stranger = diary(wrong);
    stranger.said("calendar.add", json!({"title": "Dentist", "start": "2026-11-20"})).await;
    let refusal = stranger.refused("calendar.sync", json!({})).await;
    assert_eq!(refusal, "`calendar.sync`: the calendar server does not accept the user name and the password");
    assert_eq!(stranger.listed(all()).await, ["2026-11-20 Dentist"]);
    let diary = diary(radicale.signed_in(HOME));
    diary.said("calendar.add", json!({"title": "Dentist", "start": "2026-11-20"})).await;
    sync(&diary).await;
    radicale.stop().await;
    let error = diary.call("calendar.sync", json!({})).await.expect_err("away");
    assert!(matches!(error, ToolError::Unavailable { .. }), "{error:?}");
    assert!(error.to_string().contains("the calendar server cannot be reached: no connection"), "{error}");
    diary.said("calendar.move", json!({"event": "dentist", "by": "P1D"})).await;
    assert_eq!(diary.listed(all()).await, ["2026-11-21 Dentist"]);
}

#[tokio::test]
async fn a_synchronisation_that_broke_off_is_finished_by_the_next() {
    let radicale = server().await;
    let diary = diary(radicale.signed_in(HOME));
    for title in ["Dentist", "Lunch"] {
        diary.said("calendar.add", json!({"title": title, "start": "2026-11-20T10:00"})).await;
    }
    let before = diary.notebook.shelves.lock().expect("not poisoned").clone();
    sync(&diary).await;
    // As if the process had ended before it could note what the server has.
    *diary.notebook.shelves.lock().expect("not poisoned") = before;
    assert_eq!(sync(&diary).await, "Your calendar and the server agree; nothing had changed.");
    assert_eq!((radicale.files(HOME).len(), diary.listed(all()).await.len()), (2, 2));
    let result = diary.call("calendar.sync", json!({})).await.expect("synchronised");
    assert_eq!(result["synchronised"], true);
}

#[tokio::test]
async fn nothing_is_lost_when_the_server_is_another_one_or_holds_what_cannot_be_read() {
    let (old, new) = (server().await, server().await);
    let first = diary(old.signed_in(HOME));
    first.said("calendar.add", json!({"title": "Dentist", "start": "2026-11-20"})).await;
    sync(&first).await;
    let odd = event("odd@elsewhere", "Odd", "")
        .replace("DTSTART:2026", "DTSTART;TZID=Mars/Base:2026")
        .replace("0Z\r\nDTEND", "0\r\nDTEND");
    new.elsewhere("PUT", "/ada/home/odd.ics", &odd).await;
    // The same shelf, and another server.
    let calendar = Calendar { caldav: Some(new.signed_in(HOME)), ..first.calendar.clone() };
    let done = tools::synchronise(&calendar, first.now.timestamp()).await.expect("synchronised").expect("a server");
    assert_eq!((&done["removed"], &done["sent"], &done["received"]), (&json!(0), &json!(1), &json!(1)));
    assert_eq!(new.files(HOME).len(), 2);
    assert_eq!(old.files(HOME).len(), 1);
    let alone = Calendar { caldav: None, ..calendar };
    assert_eq!(tools::synchronise(&alone, first.now.timestamp()).await, Ok(None));
}

#[tokio::test]
async fn the_password_is_shown_to_nobody_else_and_odd_servers_are_refused() {
    let answer = |body: &str| {
        let length = body.len();
        Reply::Raw(format!("HTTP/1.1 207 Multi-Status\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"))
    };
    let principal = "<multistatus><response><href>/</href><propstat><prop><current-user-principal>\
        <href>http://elsewhere.example/ada/</href></current-user-principal></prop></propstat></response></multistatus>";
    let moved = "HTTP/1.1 301 Moved\r\nlocation: http://elsewhere.example/\r\ncontent-length: 0\r\n\r\n";
    let broken = Reply::Text("500 Internal Server Error", String::new());
    for (replies, said) in [
        (vec![answer(principal)], "it refers to another host, `http://elsewhere.example/ada/`"),
        (vec![answer("<a><b></a>"), answer("")], "it answered XML that is broken"),
        (vec![Reply::Raw(moved.into()), Reply::Raw(moved.into())], "it sends on to `http://elsewhere.example/`"),
        (
            vec![Reply::Text("404 Not Found", String::new()), Reply::Text("404 Not Found", String::new())],
            "it answered 404",
        ),
        (vec![broken], "the calendar server cannot be reached: it answered 500"),
    ] {
        let (refusal, _) = serving(replies, async |base| {
            let with = CalDav {
                url: base.parse().expect("an address"),
                user: "ada".into(),
                password: "secret".into(),
                client: tools::client().expect("a client"),
            };
            diary(with).refused("calendar.sync", json!({})).await
        })
        .await;
        assert!(refusal.contains(said), "{said}: {refusal}");
        assert!(!refusal.contains("secret"), "{refusal}");
    }
}

#[tokio::test]
async fn a_server_is_asked_where_it_keeps_calendars() {
    let multi = |inner: &str| {
        let body = format!("<multistatus xmlns=\"DAV:\"><response>{inner}</response></multistatus>");
        let length = body.len();
        Reply::Raw(format!("HTTP/1.1 207 Multi-Status\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"))
    };
    let found = |href: &str, prop: &str| {
        multi(&format!("<href>{href}</href><propstat><prop>{prop}</prop><status>HTTP/1.1 200 OK</status></propstat>"))
    };
    let moved = "HTTP/1.1 301 Moved\r\nlocation: /dav/\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    let replies = vec![
        Reply::Text("404 Not Found", String::new()),
        Reply::Raw(moved.into()),
        found("/dav/", "<current-user-principal><href>/dav/ada/</href></current-user-principal>"),
        found("/dav/ada/", "<calendar-home-set><href>/dav/cal/</href></calendar-home-set>"),
        found("/dav/cal/one/", "<resourcetype><collection/><calendar/></resourcetype>"),
        found("/dav/cal/one/x.ics", "<getetag>\"1\"</getetag>"),
        multi("<href>/dav/cal/one/x.ics</href><status>HTTP/1.1 404 Not Found</status>"),
    ];
    let (said, requests) = serving(replies, async |base| {
        let url = base.parse().expect("an address");
        let client = tools::client().expect("a client");
        sync(&diary(CalDav { url, user: "ada".into(), password: "secret".into(), client })).await
    })
    .await;
    assert_eq!(said, "Your calendar and the server agree; nothing had changed.");
    let asked: Vec<&str> = requests.iter().filter_map(|request| request.split(" HTTP/1.1").next()).collect();
    assert_eq!(
        asked,
        [
            "PROPFIND /",
            "PROPFIND /.well-known/caldav",
            "PROPFIND /dav/",
            "PROPFIND /dav/ada/",
            "PROPFIND /dav/cal/",
            "REPORT /dav/cal/one/",
            "REPORT /dav/cal/one/"
        ]
    );
    assert!(requests.iter().all(|request| request.contains("authorization: Basic")), "{requests:?}");
    assert!(requests[6].contains("<D:href>/dav/cal/one/x.ics</D:href>"), "{}", requests[6]);
}

#[tokio::test]
async fn without_a_server_it_says_so_and_with_one_it_reaches_beyond_the_machine() {
    let diary = Diary::new();
    let refusal = diary.refused("calendar.sync", json!({})).await;
    assert_eq!(refusal, "`calendar.sync`: no calendar server is configured");
    let effect = diary.tool("calendar.sync").spec().effect.clone();
    assert!(matches!(effect, Effect::Write { external: true, repeat: Repeat::SameKey, .. }), "{effect:?}");
    let added = diary.call("calendar.add", json!({"title": "x", "start": "2026-11-20"})).await.expect("added");
    assert_eq!(added.get("synchronised"), None);
}
