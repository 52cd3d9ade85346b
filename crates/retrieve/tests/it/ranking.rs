//! What comes first, and what is said about it.

use domain::library::Kind;
use retrieve::{Entry, Wanted};

use crate::{empty, index, most, names, score};

#[test]
fn what_shares_words_comes_first_and_says_which() {
    let found = index().search("which events are in my calendar on friday?", &most(2));
    assert_eq!(names(&found), ["calendar_list", "calendar_add"]);
    assert!(found[0].why.contains("shares the words `events`, `calendar`"), "{}", found[0].why);
    assert!(found[0].words > 0.0 && found[0].usage == 0.0);
}

#[test]
fn what_means_the_same_in_other_words_comes_first() {
    let found = index().search("will it rain tomorrow", &most(1));
    assert_eq!(names(&found), ["weather_forecast"]);
    assert_eq!(found[0].words, 0.0);
    let found = index().search("an airplane to Oslo", &most(1));
    assert_eq!(names(&found), ["flight_search"]);
}

#[test]
fn a_piece_of_a_word_is_not_the_word() {
    let index = empty();
    index.put(vec![
        Entry::new(Kind::Agent, "cartographer", "Draws maps of coasts"),
        Entry::new(Kind::Agent, "garage", "Repairs a car"),
    ]);
    let found = index.search("car", &most(2));
    assert_eq!(names(&found), ["garage", "cartographer"]);
    assert_eq!(found[1].words, 0.0);
    assert!(found[1].score < 0.1, "{}", found[1].score);
}

#[test]
fn one_shared_word_is_not_a_match() {
    let agent = Entry::new(Kind::Agent, "accountant", "Checks invoices, books payments and writes the monthly report");
    let index = empty();
    index.put(vec![agent]);
    let asked = "write a poem about the sea in the style of a ship's report";
    assert!(score(&index, asked, "accountant") < 0.2);
    let asked = "check the invoices, book the payments and write the monthly report";
    assert!(score(&index, asked, "accountant") > 0.5);
}

#[test]
fn names_are_found_by_the_words_in_them() {
    let index = empty();
    index.put(vec![
        Entry::new(Kind::Tool, "getUserProfile", ""),
        Entry::new(Kind::Tool, "YouTubeSearch", ""),
        Entry::new(Kind::Tool, "db.backup_table", ""),
    ]);
    assert_eq!(names(&index.search("the profile of a user", &most(1))), ["getUserProfile"]);
    assert_eq!(names(&index.search("youtube", &most(1))), ["YouTubeSearch"]);
    assert_eq!(names(&index.search("backups of tables", &most(1))), ["db.backup_table"]);
}

#[test]
fn only_the_kinds_that_are_wanted_are_found() {
    let index = index();
    index.put(vec![Entry::new(Kind::Skill, "calendar_add", "Adds an event to the calendar")]);
    let found = index.search("add it to the calendar", &Wanted::new([Kind::Skill], 5));
    assert_eq!(found.iter().map(|found| found.kind).collect::<Vec<_>>(), [Kind::Skill]);
    let both = index.search("add it to the calendar", &Wanted::new([Kind::Skill, Kind::Tool], 2));
    assert_eq!(names(&both), ["calendar_add", "calendar_add"]);
}

#[test]
fn everything_a_composite_request_needs_comes_early() {
    let request = "I'm off to Oslo in May. Find me a flight, book a hotel there, tell me whether it will rain, \
        and send a text message to my sister.";
    let found = index().shortlist(request, &[Kind::Tool], 4);
    let mut found = names(&found);
    found.sort_unstable();
    assert_eq!(found, ["flight_search", "hotel_book", "send_sms", "weather_forecast"]);
}

#[test]
fn a_kind_of_file_stands_for_its_words() {
    let index = empty();
    index.put(vec![
        Entry::new(Kind::Tool, "read_sheet", "Reads an Excel workbook"),
        Entry::new(Kind::Tool, "read_slides", "Reads a presentation"),
    ]);
    assert_eq!(names(&index.search("open sales.xlsx", &most(1))), ["read_sheet"]);
    assert_eq!(names(&index.search("open sales.pptx", &most(1))), ["read_slides"]);
}
