//! Times and durations as a person says them. Everything is said as seen from a `now`, in that moment's zone.

use jiff::{SignedDuration, Zoned};

/// From the largest down: days, hours, minutes, seconds.
const UNITS: [(&str, i64); 4] = [("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1)];

/// Within this time of now, seconds matter.
const NEAR: SignedDuration = SignedDuration::from_mins(5);

/// The length of time in at most two units: `10 minutes`, `an hour and 5 minutes`. Its sign is not said.
pub(crate) fn duration(d: SignedDuration) -> String {
    let seconds = d.as_secs().saturating_abs();
    let Some(at) = UNITS.iter().position(|(_, size)| seconds >= *size) else { return "no time".into() };
    let (unit, size) = UNITS[at];
    let count = seconds / size;
    let first = match (count, unit) {
        (1, "hour") => "an hour".to_owned(),
        (1, _) => format!("a {unit}"),
        _ => counted(count, unit),
    };
    // Whoever hears of days does not mind minutes.
    match UNITS.get(at + 1).map(|(unit, size)| (seconds % UNITS[at].1 / size, unit)) {
        Some((rest, unit)) if rest > 0 => format!("{first} and {}", counted(rest, unit)),
        _ => first,
    }
}

/// A moment by its day and its time: `today at 19:00`, `on Friday 20 November at 09:00`.
pub(crate) fn moment(at: &Zoned, now: &Zoned) -> String {
    format!("{} at {}", day(at, now), clock(at, now))
}

/// The day of a moment: `today`, `tomorrow`, `yesterday`, `on Friday 20 November`, with its year where it is another.
pub(crate) fn day(at: &Zoned, now: &Zoned) -> String {
    let at = at.with_time_zone(now.time_zone().clone());
    let (date, today) = (at.date(), now.date());
    if date == today {
        return "today".into();
    }
    if today.tomorrow().is_ok_and(|tomorrow| date == tomorrow) {
        return "tomorrow".into();
    }
    if today.yesterday().is_ok_and(|yesterday| date == yesterday) {
        return "yesterday".into();
    }
    let year = if date.year() == today.year() { String::new() } else { format!(" {}", date.year()) };
    format!("on {} {}{year}", date.strftime("%A"), date.strftime("%-d %B"))
}

/// The time of a moment, `14:05`, with its seconds where it is near and they matter.
pub(crate) fn clock(at: &Zoned, now: &Zoned) -> String {
    let at = at.with_time_zone(now.time_zone().clone());
    let near = at.timestamp().duration_until(now.timestamp()).abs() < NEAR;
    at.strftime(if near && at.second() != 0 { "%H:%M:%S" } else { "%H:%M" }).to_string()
}

/// How long ago a moment was: `3 hours ago`, `just now`.
pub(crate) fn ago(at: &Zoned, now: &Zoned) -> String {
    let passed = at.timestamp().duration_until(now.timestamp());
    match passed.as_secs() {
        ..1 => "just now".into(),
        // A second part would claim to know it more exactly than anybody cares.
        seconds => {
            let size = UNITS.iter().map(|(_, size)| *size).find(|size| seconds >= *size).unwrap_or(1);
            format!("{} ago", duration(SignedDuration::from_secs(seconds - seconds % size)))
        }
    }
}

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn listed(things: &[String], word: &str) -> String {
    match things {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} {word} {last}", first.join(", ")),
    }
}

fn counted(count: i64, unit: &str) -> String {
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(seconds: i64) -> String {
        duration(SignedDuration::from_secs(seconds))
    }

    fn zoned(text: &str) -> Zoned {
        text.parse().expect("a moment")
    }

    #[test]
    fn durations_are_said_in_two_units_at_most() {
        for (length, said) in [
            (0, "no time"),
            (1, "a second"),
            (45, "45 seconds"),
            (60, "a minute"),
            (90, "a minute and 30 seconds"),
            (600, "10 minutes"),
            (3_600, "an hour"),
            (3_660, "an hour and 1 minute"),
            (3_900, "an hour and 5 minutes"),
            (3_601, "an hour"),
            (-7_200, "2 hours"),
            (86_400, "a day"),
            (180_000, "2 days and 2 hours"),
        ] {
            assert_eq!(seconds(length), said, "{length}");
        }
        assert!(duration(SignedDuration::MIN).contains("days"));
    }

    #[test]
    fn a_moment_is_said_as_seen_from_now() {
        let now = zoned("2026-11-15T14:00:00+01:00[Europe/Oslo]");
        for (at, said) in [
            ("2026-11-15T19:00:00+01:00[Europe/Oslo]", "today at 19:00"),
            ("2026-11-15T23:30:00+00:00[UTC]", "tomorrow at 00:30"),
            ("2026-11-15T14:00:37+01:00[Europe/Oslo]", "today at 14:00:37"),
            ("2026-11-16T07:30:00+01:00[Europe/Oslo]", "tomorrow at 07:30"),
            ("2026-11-14T07:30:10+01:00[Europe/Oslo]", "yesterday at 07:30"),
            ("2026-11-20T09:00:00+01:00[Europe/Oslo]", "on Friday 20 November at 09:00"),
            ("2027-01-01T00:00:00+01:00[Europe/Oslo]", "on Friday 1 January 2027 at 00:00"),
        ] {
            assert_eq!(moment(&zoned(at), &now), said);
        }
    }

    #[test]
    fn what_is_past_is_said_in_one_unit() {
        let now = zoned("2026-11-15T17:10:00+01:00[Europe/Oslo]");
        assert_eq!(ago(&zoned("2026-11-15T14:05:00+01:00[Europe/Oslo]"), &now), "3 hours ago");
        assert_eq!(ago(&zoned("2026-11-15T17:09:00+01:00[Europe/Oslo]"), &now), "a minute ago");
        assert_eq!(ago(&now, &now), "just now");
        assert_eq!(ago(&zoned("2026-11-15T18:00:00+01:00[Europe/Oslo]"), &now), "just now");
    }

    #[test]
    fn things_are_listed_as_in_a_sentence() {
        let things = |count: usize| ["a", "b", "c"][..count].iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        assert_eq!([0, 1, 2, 3].map(|count| listed(&things(count), "and")), ["", "a", "a and b", "a, b and c"]);
    }
}
