//! Parts of the calendar.

use super::{SUNDAY, all, at};

#[test]
fn ranges() {
    all(&[
        ("this weekend", "during 2026-11-14T00:00..2026-11-16T00:00"),
        ("next week", "during 2026-11-16T00:00..2026-11-23T00:00"),
        ("tomorrow afternoon", "during 2026-11-16T12:00..2026-11-16T18:00"),
        ("between 3 and 5 pm", "during 2026-11-15T15:00..2026-11-15T17:00"),
        ("tomorrow between 11 and 1 pm", "during 2026-11-16T11:00..2026-11-16T13:00"),
        ("from monday to thursday", "during 2026-11-16T00:00..2026-11-20T00:00"),
        ("from friday to monday", "during 2026-11-20T00:00..2026-11-24T00:00"),
        ("from 9 till 11:30", "during 2026-11-15T21:00..2026-11-15T23:30 ?"),
        ("the next three days", "during 2026-11-15T10:00..2026-11-18T10:00"),
        ("the last 2 hours", "during 2026-11-15T08:00..2026-11-15T10:00"),
        ("tonight", "during 2026-11-15T18:00..2026-11-16T00:00"),
        ("this morning", "during 2026-11-15T06:00..2026-11-15T12:00"),
        ("friday evening", "during 2026-11-20T18:00..2026-11-21T00:00"),
        ("next month", "during 2026-12-01T00:00..2027-01-01T00:00"),
        ("in march", "during 2027-03-01T00:00..2027-04-01T00:00"),
        ("the rest of the week", "during 2026-11-15T10:00..2026-11-16T00:00"),
        ("meeting tomorrow 9-11am", "during 2026-11-16T09:00..2026-11-16T11:00"),
        ("3 to 4 pm", "during 2026-11-15T15:00..2026-11-15T16:00"),
        ("from march 3 to march 7", "during 2027-03-03T00:00..2027-03-08T00:00"),
        ("from 10pm to 6am", "during 2026-11-15T22:00..2026-11-16T06:00"),
        ("from the 28 oct to the 3rd", "during 2027-10-28T00:00..2027-11-04T00:00 ?"),
        ("from february 30 to march 3", "during nothing ?"),
        ("17 - 19 july", "during 2027-07-17T00:00..2027-07-20T00:00"),
        ("march 3 to 5", "during 2027-03-03T00:00..2027-03-06T00:00"),
        ("the 20th to the 5th", "during 2026-11-20T00:00..2026-12-06T00:00"),
        ("from 2009 to 2018", "during 2009-01-01T00:00..2019-01-01T00:00"),
        ("the week of march 3", "during 2027-03-01T00:00..2027-03-08T00:00"),
        ("from 5pm to 9am tomorrow", "during 2026-11-15T17:00..2026-11-16T09:00"),
        ("every day from 9 to 5", "every FREQ=DAILY; during 2026-11-15T09:00..2026-11-15T17:00"),
        ("in the morning", "during 2026-11-16T06:00..2026-11-16T12:00"),
        ("3 nights from friday", "for P3D; on 2026-11-20"),
        ("monday from 14:00 until 15:30", "during 2026-11-16T14:00..2026-11-16T15:30"),
        ("tomorrow from 9 to 10 in the morning", "during 2026-11-16T09:00..2026-11-16T10:00"),
    ]);
}

#[test]
fn what_is_moved_from_one_time_to_another_has_two() {
    at(SUNDAY).finds("move the call from 15:00 to 17:00", "at 2026-11-15T15:00; at 2026-11-15T17:00");
}

#[test]
fn ranges_of_other_things_than_time() {
    all(&[
        ("between 20 and 25 degrees", "number 20; quantity 25 degree"),
        ("from 5 to 10 dollars", "number 5; quantity 10 dollar"),
    ]);
}
