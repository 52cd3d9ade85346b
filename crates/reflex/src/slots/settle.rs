//! Settles which moment a time of day means, or asks.

use jiff::civil::{Date, Time};
use jiff::{ToSpan, Zoned};
use serde_json::{Value, json};

use super::Kind;
use super::clock::{Clock, Part, Sure};
use super::days::{self, Day};
use super::join::ranged;
use super::periods::Period;
use super::words::Words;

/// A time of day, and what else it could be.
pub(super) struct Settled {
    pub(super) time: Time,
    pub(super) doubt: Option<String>,
}

/// Which part of the day the words of a text are about.
pub(super) fn lean(words: &Words<'_>) -> Option<Part> {
    (0..words.len()).find_map(|i| match words.at(i) {
        "wake" | "breakfast" | "sunrise" | "morning" | "mornings" | "dawn" => Some(Part::Morning),
        "afternoon" => Some(Part::Afternoon),
        "dinner" | "supper" | "evening" | "evenings" | "sunset" | "dusk" => Some(Part::Evening),
        "tonight" | "night" | "bedtime" => Some(Part::Night),
        "lunch" | "brunch" | "meeting" | "meetings" | "appointment" | "dentist" | "doctor" | "interview" | "class"
        | "lecture" | "school" | "office" | "haircut" | "conference" => Some(Part::Daytime),
        _ => None,
    })
}

/// The time itself, on whatever day.
pub(super) fn any_day(clock: Clock, hint: Option<Part>) -> Settled {
    let clock = hint.map_or(clock, |part| clock.within(part));
    match clock.sure {
        Sure::Yes => Settled { time: clock.time, doubt: None },
        Sure::Half => Settled { time: likely(clock), doubt: Some(question(clock)) },
        Sure::Spread(from, to) => {
            let time = clock.time.strftime("%-H:%M");
            Settled { time: clock.time, doubt: Some(format!("Do you mean {time}, or from {from}:00 to {to}:00?")) }
        }
    }
}

/// Seven to eleven are in the morning, the rest after noon.
fn likely(clock: Clock) -> Time {
    if (7..12).contains(&clock.time.hour()) { clock.time } else { clock.later() }
}

fn question(clock: Clock) -> String {
    let (early, late) = (clock.time.strftime("%-H:%M"), clock.later().strftime("%-H:%M"));
    if clock.time.hour() == 0 {
        return format!("Do you mean {late} in the day or {early} at night?");
    }
    format!("Do you mean {early} in the morning or {late}?")
}

/// The moment of a time of day: on the day that was said, or when it comes next.
pub(super) fn moment(
    clock: Clock,
    day: Option<&Day>,
    hint: Option<Part>,
    now: &Zoned,
) -> (Kind, Value, Option<String>) {
    let clock = hint.map_or(clock, |part| clock.within(part));
    let (moment, doubt) = match day {
        Some(Day { date: None, doubt }) => return (Kind::Moment, Value::Null, doubt.clone()),
        Some(Day { date: Some(date), doubt }) => {
            let (moment, own) = on_day(clock, *date, hint, now);
            (moment, doubt.clone().or(own))
        }
        None => next(clock, now),
    };
    (Kind::Moment, moment.map_or(Value::Null, |moment| json!(moment.to_string())), doubt)
}

fn on_day(clock: Clock, date: Date, hint: Option<Part>, now: &Zoned) -> (Option<Zoned>, Option<String>) {
    let today = date == now.date();
    // The small hours of a night belong to the next day.
    let small_hours = clock.sure == Sure::Yes && clock.time.hour() < 5 && hint == Some(Part::Night);
    if small_hours {
        return (date.tomorrow().ok().and_then(|date| at(date, clock.time, now)), None);
    }
    if clock.sure == Sure::Half && today {
        let coming = [clock.time, clock.later()].map(|time| at(date, time, now).filter(|moment| moment > now));
        return match coming {
            [Some(early), Some(_)] => (Some(early), Some(question(clock))),
            [None, Some(late)] => (Some(late), None),
            _ => past(clock.later(), date, now),
        };
    }
    let Settled { time, doubt } = any_day(clock, None);
    if today
        && at(date, time, now).is_some_and(|moment| moment < *now)
        && hint != Some(Part::Daytime)
        && doubt.is_none()
    {
        return past(time, date, now);
    }
    let missing = skipped(date, time, now);
    let midnight = (time == Time::midnight() && clock.sure == Sure::Yes && !today)
        .then(|| format!("Do you mean the midnight before or after {}?", days::said(date, now.date())));
    (at(date, time, now), doubt.or(missing).or(midnight))
}

fn past(time: Time, date: Date, now: &Zoned) -> (Option<Zoned>, Option<String>) {
    (at(date, time, now), Some(format!("Today at {} is already past. Which day do you mean?", time.strftime("%-H:%M"))))
}

fn next(clock: Clock, now: &Zoned) -> (Option<Zoned>, Option<String>) {
    let coming = |time: Time| {
        let today = at(now.date(), time, now)?;
        if today > *now { Some(today) } else { at(now.date().tomorrow().ok()?, time, now) }
    };
    match clock.sure {
        Sure::Half if clock.time.hour() == 0 => (coming(clock.later()), Some(question(clock))),
        Sure::Half => {
            let both = [coming(clock.time), coming(clock.later())];
            (both.into_iter().flatten().min(), Some(question(clock)))
        }
        Sure::Yes => {
            let moment = coming(clock.time);
            let missing = moment.as_ref().and_then(|moment| skipped(moment.date(), clock.time, now));
            (moment, missing)
        }
        Sure::Spread(..) => (coming(clock.time), any_day(clock, None).doubt),
    }
}

fn at(date: Date, time: Time, now: &Zoned) -> Option<Zoned> {
    date.to_datetime(time).to_zoned(now.time_zone().clone()).ok()
}

/// Says so when the clocks go forward over that time.
fn skipped(date: Date, time: Time, now: &Zoned) -> Option<String> {
    let moment = at(date, time, now)?;
    (moment.time() != time).then(|| {
        let said = time.strftime("%-H:%M");
        format!(
            "There is no {said} on {}: the clocks go forward. Do you mean {}?",
            days::said(date, now.date()),
            moment.strftime("%-H:%M")
        )
    })
}

/// From one time of day to another, on the day that was said or the next on which it is still to come.
pub(super) fn hours(
    (from, to): (Clock, Clock),
    day: Option<&Day>,
    hint: Option<Part>,
    now: &Zoned,
) -> (Kind, Value, Option<String>) {
    let narrow = |clock: Clock| hint.map_or(clock, |part| clock.within(part));
    let (from, to) = match (from.sure, to.sure) {
        (Sure::Half, Sure::Half) => (narrow(from), narrow(to)),
        _ => (from, to),
    };
    let at_night = matches!(hint, Some(Part::Evening | Part::Night));
    let (start, end, doubt) = match (from.sure, to.sure) {
        // Only the end was said to be after noon: the beginning is the nearest hour before it.
        (Sure::Half, Sure::Yes) => (if from.later() < to.time { from.later() } else { from.time }, to.time, None),
        (Sure::Yes, Sure::Half) => (from.time, if to.time > from.time { to.time } else { to.later() }, None),
        // From nine to five is over noon.
        (Sure::Half, Sure::Half) if from.time > to.time && from.time.hour() > 6 && !at_night => {
            (from.time, to.later(), None)
        }
        (Sure::Half, _) => {
            let start = match day {
                Some(_) => likely(from),
                None => next(from, now).0.map_or(from.time, |moment| moment.time()),
            };
            (start, if to.time > start { to.time } else { to.later() }, Some(question(from)))
        }
        _ => (from.time, to.time, None),
    };
    if let Some(Day { date: None, doubt }) = day {
        return (Kind::Range, Value::Null, doubt.clone());
    }
    let said = day.and_then(|day| day.date);
    let date = said.unwrap_or(now.date());
    let build = |date: Date| {
        let last = if end > start { date } else { date.tomorrow().ok()? };
        Some(Period { from: at(date, start, now)?, to: at(last, end, now)?, doubt: None })
    };
    let mut period = build(date);
    if said.is_none() && period.as_ref().is_some_and(|period| period.to <= *now) {
        period = date.checked_add(1.day()).ok().and_then(build);
    }
    ranged(period.as_ref(), day.and_then(|day| day.doubt.clone()).or(doubt))
}
