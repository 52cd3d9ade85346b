//! Times of day, and times from here.

use super::{SUNDAY, all, at};

#[test]
fn times_that_are_sure() {
    all(&[
        ("7pm", "at 2026-11-15T19:00"),
        ("at 7 p.m.", "at 2026-11-15T19:00"),
        ("at 7:30 am", "at 2026-11-16T07:30"),
        ("at 19:30", "at 2026-11-15T19:30"),
        ("at 07:30", "at 2026-11-16T07:30"),
        ("25 to 7 p.m.", "at 2026-11-15T18:35"),
        ("call at noon", "at 2026-11-15T12:00"),
        ("twelve noon", "at 2026-11-15T12:00"),
        ("at midnight", "at 2026-11-16T00:00"),
        ("at seven in the evening", "at 2026-11-15T19:00"),
        ("1900 hours", "at 2026-11-15T19:00"),
        ("0600 hours", "at 2026-11-16T06:00"),
        ("wake me at seven", "at 2026-11-16T07:00"),
        ("wake me up at half past six", "at 2026-11-16T06:30"),
        ("dinner at 7", "at 2026-11-15T19:00"),
        ("breakfast at eight thirty", "at 2026-11-16T08:30"),
        ("meeting at 3", "at 2026-11-15T15:00"),
        ("remind me tonight at 8", "at 2026-11-15T20:00"),
        ("tonight at quarter to nine", "at 2026-11-15T20:45"),
        ("at 5 10 p.m.", "at 2026-11-15T17:10"),
        ("half past 15 afternoon", "at 2026-11-15T15:30"),
        ("at 12:25 a.m.", "at 2026-11-16T00:25"),
        ("set an alarm for six am", "at 2026-11-16T06:00"),
        ("7.30pm", "at 2026-11-15T19:30"),
        ("at 0 45 p.m.", "at 2026-11-15T12:45"),
        ("any time later than 9 pm", "at 2026-11-15T21:00"),
        ("call at 15h30", "at 2026-11-15T15:30"),
        ("at 1330", "at 2026-11-15T13:30"),
        ("at 6pm sharp", "at 2026-11-15T18:00"),
    ]);
}

#[test]
fn times_that_could_be_before_or_after_noon_ask() {
    all(&[
        ("at 7", "at 2026-11-15T19:00 ?"),
        ("at 7:30", "at 2026-11-15T19:30 ?"),
        ("at 11", "at 2026-11-15T11:00 ?"),
        ("quarter to nine", "at 2026-11-15T20:45 ?"),
        ("half past six", "at 2026-11-15T18:30 ?"),
        ("at five o'clock", "at 2026-11-15T17:00 ?"),
        ("set an alarm for 7", "at 2026-11-15T19:00 ?"),
        ("tomorrow at five", "at 2026-11-16T17:00 ?"),
        ("at five tomorrow", "at 2026-11-16T17:00 ?"),
    ]);
    at(SUNDAY)
        .asks("remind me at 7", "Do you mean 7:00 in the morning or 19:00?")
        .asks("at 12", "Do you mean 12:00 in the day or 0:00 at night?");
    at("2026-11-15T20:00[Europe/Oslo]").finds("at 7", "at 2026-11-16T07:00 ?");
}

#[test]
fn the_day_that_was_said_decides_or_is_past() {
    at(SUNDAY)
        .finds("today at 7", "at 2026-11-15T19:00")
        .asks("today at 6am", "Today at 6:00 is already past. Which day do you mean?")
        .finds("6am", "at 2026-11-16T06:00");
}

#[test]
fn times_from_here() {
    all(&[
        ("in 2 hours", "at 2026-11-15T12:00"),
        ("ten minutes from now", "at 2026-11-15T10:10"),
        ("remind me in half an hour to call", "at 2026-11-15T10:30"),
        ("two hours ago", "at 2026-11-15T08:00"),
        ("in an hour and a half", "at 2026-11-15T11:30"),
        ("turn it off after 20 minutes", "at 2026-11-15T10:20"),
        ("in 2 days at 5pm", "at 2026-11-17T17:00"),
    ]);
}

#[test]
fn days_and_times_join_wherever_they_stand() {
    all(&[
        ("on friday the 13th at half past six in the morning", "at 2027-08-13T06:30"),
        ("tomorrow remind me to call Ann at 5pm", "at 2026-11-16T17:00"),
        ("at 5pm remind me to call tomorrow", "at 2026-11-16T17:00"),
        ("dentist on march 5 at 9:15 am", "at 2027-03-05T09:15"),
        ("friday at noon", "at 2026-11-20T12:00"),
        ("tomorrow morning at 7", "at 2026-11-16T07:00"),
        ("at 8 this evening", "at 2026-11-15T20:00"),
        ("alarm at 6am and at 7am tomorrow", "at 2026-11-16T06:00; at 2026-11-16T07:00"),
        ("on february 30 at 5pm", "at nothing ?"),
    ]);
}

#[test]
fn what_is_no_time_says_so() {
    all(&[
        ("at 7:75", "at nothing ?"),
        ("at 25:00", "at nothing ?"),
        ("25 o'clock", "at nothing ?"),
        ("at 25", "number 25"),
    ]);
    at(SUNDAY).asks("meet me at 25:10", "25:10 is not a time of day.");
}

#[test]
fn times_that_the_clocks_skip_or_nights_that_go_on() {
    at("2026-03-28T12:00[Europe/Oslo]")
        .asks("tomorrow at 02:30", "There is no 2:30 on Sunday 29 March: the clocks go forward. Do you mean 3:30?");
    at(SUNDAY)
        .finds("tonight at 1 am", "at 2026-11-16T01:00")
        .asks("friday at midnight", "Do you mean the midnight before or after Friday 20 November?");
}

#[test]
fn numbers_that_are_no_times() {
    all(&[
        ("set the volume to 7", "number 7"),
        ("turn it up by 5", "number 5"),
        ("book a table for 4", "number 4"),
        ("at one point", "number 1"),
        ("at one of the shops", "number 1"),
        ("cancel the lunch booking for 4", "number 4"),
        ("play it now", ""),
        ("good morning", ""),
        ("good night", ""),
    ]);
}
