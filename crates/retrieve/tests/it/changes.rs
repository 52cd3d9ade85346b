//! Entries that come, change and go while others search.

use domain::library::Kind;
use proptest::prelude::*;
use retrieve::{Entry, Tally};

use crate::{empty, index, most, names, used};

#[test]
fn the_same_kind_and_name_replaces_and_keeps_its_uses() {
    let index = index();
    index.learn(used("tell my sister", "send_sms", true));
    index.put(vec![Entry::new(Kind::Tool, "send_sms", "Sends a telegram")]);
    assert_eq!((index.size().entries, index.size().uses), (8, 1));
    let found = index.search("a short message to a phone number", &most(8));
    let sms = found.iter().find(|found| found.name == "send_sms").expect("it is there");
    assert_eq!(sms.words, 0.0, "the old words are gone");
    assert_eq!(names(&index.search("a telegram", &most(1))), ["send_sms"]);
}

#[test]
fn what_is_removed_is_gone_with_its_uses_and_its_place_is_used_again() {
    let index = index();
    for _ in 0..4 {
        index.learn(used("tell my sister", "send_sms", true));
    }
    assert!(index.remove(Kind::Tool, "send_sms"));
    assert!(!index.remove(Kind::Tool, "send_sms"));
    index.put(vec![Entry::new(Kind::Tool, "chess", "Plays chess")]);
    let found = index.search("tell my sister", &most(usize::MAX));
    assert_eq!(found.len(), 8);
    assert!(found.iter().all(|found| found.usage == 0.0 && found.name != "send_sms"));
    index.learn(used("a game", "chess", true));
    assert_eq!(index.size().uses, 1);
}

#[test]
fn ties_go_to_what_went_well_and_then_by_name() {
    let index = empty();
    let twin = |name: &str, good, bad| {
        let mut twin = Entry::new(Kind::Agent, name, "Summarises long reports");
        twin.tally = Tally { good, bad };
        twin
    };
    // Names without words of their own.
    index.put(vec![twin("10003", 0, 0), twin("10002", 0, 0), twin("10001", 0, 3), twin("10004", 9, 1)]);
    assert_eq!(names(&index.search("summarise this report", &most(4))), ["10004", "10002", "10003", "10001"]);
}

#[test]
fn ten_thousand_near_duplicates_are_told_apart_by_what_differs() {
    let index = empty();
    let twin = |n: usize| Entry::new(Kind::Agent, format!("twin_{n:05}"), "Reads the mail of the day and sorts it");
    index.put((0..10_000).map(twin).collect());
    index.put(vec![Entry::new(Kind::Agent, "odd", "Reads the mail of the day and sorts it by colour")]);
    let found = index.search("sort the mail of the day by colour", &most(3));
    assert_eq!(names(&found), ["odd", "twin_00000", "twin_00001"]);
}

#[test]
fn searching_goes_on_while_entries_change() {
    let index = index();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for n in 0..200 {
                index.put(vec![Entry::new(Kind::Agent, format!("agent {}", n % 20), "Waters the garden")]);
                index.learn(used("water the garden", "calendar_add", n % 2 == 0));
                index.remove(Kind::Agent, &format!("agent {}", (n + 7) % 20));
            }
        });
        for _ in 0..2 {
            scope.spawn(|| {
                for _ in 0..200 {
                    assert_eq!(index.shortlist("find a flight and book a hotel", &[Kind::Tool], 5).len(), 5);
                }
            });
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// However an index came to hold what it holds, it answers the same.
    #[test]
    fn history_does_not_matter(steps in prop::collection::vec((0..6_usize, 0..4_usize, any::<bool>()), 1..30)) {
        let texts = ["Plays music", "Reads the news aloud", "Waters the garden", "Adds an event to the calendar"];
        let changed = empty();
        let mut now = std::collections::BTreeMap::new();
        for (name, text, gone) in steps {
            let name = format!("entry {name}");
            if gone {
                changed.remove(Kind::Plan, &name);
                now.remove(&name);
            } else {
                changed.put(vec![Entry::new(Kind::Plan, &name, texts[text])]);
                now.insert(name, texts[text]);
            }
        }
        let fresh = empty();
        fresh.put(now.iter().map(|(name, text)| Entry::new(Kind::Plan, name, *text)).collect());
        prop_assert_eq!(changed.size().entries, now.len());
        for query in ["play the news", "garden", "put it into my calendar"] {
            let (one, two) = (changed.search(query, &most(9)), fresh.search(query, &most(9)));
            prop_assert_eq!(names(&one), names(&two));
            for (one, two) in one.iter().zip(&two) {
                prop_assert!((one.score - two.score).abs() < 1e-4);
            }
        }
    }
}
