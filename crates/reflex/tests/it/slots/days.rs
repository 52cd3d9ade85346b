//! Days of the calendar.

use super::{SUNDAY, all, at};

#[test]
fn days_by_their_distance() {
    all(&[
        ("today", "on 2026-11-15"),
        ("tomorrow", "on 2026-11-16"),
        ("what's on tomorrow's agenda", "on 2026-11-16"),
        ("the day after tomorrow", "on 2026-11-17"),
        ("yesterday", "on 2026-11-14"),
        ("in two weeks", "on 2026-11-29"),
        ("in 3 days", "on 2026-11-18"),
        ("3 days ago", "on 2026-11-12"),
        ("a week from tomorrow", "on 2026-11-23"),
        ("two days from now", "on 2026-11-17"),
        ("in a month", "on 2026-12-15"),
        ("the day before christmas", "on 2026-12-24"),
        ("end of the month", "on 2026-11-30"),
    ]);
}

#[test]
fn weekdays() {
    all(&[
        ("on friday", "on 2026-11-20"),
        ("next tuesday", "on 2026-11-17"),
        ("this sunday", "on 2026-11-15"),
        ("last monday", "on 2026-11-09"),
        ("on sunday", "on 2026-11-22 ?"),
        ("thursday in two weeks", "on 2026-12-03"),
        ("friday the 13th", "on 2027-08-13"),
        ("saturday next week", "on 2026-11-21"),
        ("next week friday", "on 2026-11-20"),
        ("monday of last week", "on 2026-11-02"),
        ("a week today", "on 2026-11-22"),
        ("the first monday of next month", "on 2026-12-07"),
        ("last friday of the month", "on 2026-11-27"),
    ]);
    at("2022-03-15T09:00[Europe/London]")
        .asks("next saturday", "Do you mean Saturday 19 March or Saturday 26 March?")
        .finds("next tuesday", "on 2022-03-22")
        .finds("friday the 13th", "on 2022-05-13")
        .asks("on friday, october the 16th", "That is Sunday 16 October. Which day do you mean?")
        .asks("march 13th", "Do you mean Monday 13 March 2023 or the Sunday 13 March that is past?");
}

#[test]
fn dates() {
    all(&[
        ("on the 3rd", "on 2026-12-03"),
        ("the 21st of the month", "on 2026-11-21"),
        ("march 5", "on 2027-03-05"),
        ("march fifth", "on 2027-03-05"),
        ("5 march 2027", "on 2027-03-05"),
        ("the fifth of march, 2028", "on 2028-03-05"),
        ("the twenty first of march two thousand and seventeen", "on 2017-03-21"),
        ("Nov the 20th", "on 2026-11-20"),
        ("on 2027-03-05", "on 2027-03-05"),
        ("due 13/3", "on 2027-03-13"),
        ("on 5/3", "on 2027-03-05 ?"),
        ("5.3.2027", "on 2027-03-05 ?"),
        ("christmas", "on 2026-12-25"),
        ("christmas eve", "on 2026-12-24"),
        ("new year's eve", "on 2026-12-31"),
        ("valentine's day", "on 2027-02-14"),
        ("easter sunday", "on 2027-03-28"),
        ("thanksgiving", "on 2026-11-26"),
    ]);
    at("2026-11-15T10:00[America/New_York]").finds("on 5/3", "on 2027-05-03 ?");
    at(SUNDAY).asks("on 5/3", "Do you mean Friday 5 March 2027 or Monday 3 May 2027?");
}

#[test]
fn days_that_do_not_exist_say_so() {
    at(SUNDAY)
        .finds("february 30", "on nothing ?")
        .asks("add lunch on february 30", "There is no 30 February.")
        .asks("the 31st of april", "There is no 31 April.")
        .asks("29 february 2027", "There is no 29 February in 2027.")
        .asks("on feb 29", "The next 29 February is in 2028. Do you mean that?")
        .asks("on 2027-02-30", "There is no 2027-02-30.");
}

#[test]
fn words_that_are_no_days() {
    all(&[
        ("may i ask you something", ""),
        ("march on", ""),
        ("the second lamp", ""),
        ("the sun is up", ""),
        ("he sat down", ""),
    ]);
}
