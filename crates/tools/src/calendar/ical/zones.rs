//! Time zones in iCalendar: names that differ from system to system, and the rules that a file must bring with it.

use std::collections::BTreeMap;

use jiff::civil::{Date, DateTime, Weekday};
use jiff::tz::{Dst, Offset, TimeZone};
use jiff::{SignedDuration, Timestamp};

use super::Component;
use super::read::wall_time;
use crate::calendar::event::{Zone, zone_by_name};
use crate::calendar::rule::Rule;

/// What Windows calls zones, where calendars are still sent that way.
const WINDOWS: [(&str, &str); 44] = [
    ("AUS Eastern Standard Time", "Australia/Sydney"),
    ("Alaskan Standard Time", "America/Anchorage"),
    ("Arab Standard Time", "Asia/Riyadh"),
    ("Arabian Standard Time", "Asia/Dubai"),
    ("Argentina Standard Time", "America/Buenos_Aires"),
    ("Atlantic Standard Time", "America/Halifax"),
    ("Canada Central Standard Time", "America/Regina"),
    ("Central America Standard Time", "America/Guatemala"),
    ("Central Europe Standard Time", "Europe/Budapest"),
    ("Central European Standard Time", "Europe/Warsaw"),
    ("Central Standard Time", "America/Chicago"),
    ("Central Standard Time (Mexico)", "America/Mexico_City"),
    ("China Standard Time", "Asia/Shanghai"),
    ("Coordinated Universal Time", "UTC"),
    ("E. Australia Standard Time", "Australia/Brisbane"),
    ("E. Europe Standard Time", "Europe/Chisinau"),
    ("E. South America Standard Time", "America/Sao_Paulo"),
    ("Eastern Standard Time", "America/New_York"),
    ("Egypt Standard Time", "Africa/Cairo"),
    ("FLE Standard Time", "Europe/Kiev"),
    ("GMT Standard Time", "Europe/London"),
    ("GTB Standard Time", "Europe/Bucharest"),
    ("Greenwich Standard Time", "Atlantic/Reykjavik"),
    ("Hawaiian Standard Time", "Pacific/Honolulu"),
    ("India Standard Time", "Asia/Calcutta"),
    ("Iran Standard Time", "Asia/Tehran"),
    ("Israel Standard Time", "Asia/Jerusalem"),
    ("Korea Standard Time", "Asia/Seoul"),
    ("Mountain Standard Time", "America/Denver"),
    ("New Zealand Standard Time", "Pacific/Auckland"),
    ("Newfoundland Standard Time", "America/St_Johns"),
    ("Pacific Standard Time", "America/Los_Angeles"),
    ("Romance Standard Time", "Europe/Paris"),
    ("Russian Standard Time", "Europe/Moscow"),
    ("SA Pacific Standard Time", "America/Bogota"),
    ("SE Asia Standard Time", "Asia/Bangkok"),
    ("Singapore Standard Time", "Asia/Singapore"),
    ("South Africa Standard Time", "Africa/Johannesburg"),
    ("Taipei Standard Time", "Asia/Taipei"),
    ("Tokyo Standard Time", "Asia/Tokyo"),
    ("Turkey Standard Time", "Europe/Istanbul"),
    ("US Mountain Standard Time", "America/Phoenix"),
    ("W. Europe Standard Time", "Europe/Berlin"),
    ("W. Australia Standard Time", "Australia/Perth"),
];

/// The zone that a file means by a name, if that can be told.
pub(super) fn zone_of(tzid: &str, calendar: &Component) -> Option<Zone> {
    let described = calendar
        .within
        .iter()
        .find(|zone| zone.name == "VTIMEZONE" && zone.get("TZID").is_some_and(|line| line.value.trim() == tzid));
    let place = described.and_then(|zone| zone.get("X-LIC-LOCATION")).map(|line| line.value.trim());
    let windows = WINDOWS.iter().find(|(name, _)| name.eq_ignore_ascii_case(tzid)).map(|(_, name)| *name);
    let known = [Some(tzid), place, windows, ending(tzid, 3), ending(tzid, 2)];
    let known = known.into_iter().flatten().find(|name| zone_by_name(name).is_some());
    known.map(Zone::named).or_else(|| described.and_then(by_rules))
}

/// The lines that describe a zone from one day to another.
pub(super) fn described(name: &str, zone: &TimeZone, from: Date, to: Date) -> Vec<String> {
    let moment = |day: Date| day.to_zoned(TimeZone::UTC).map_or(Timestamp::UNIX_EPOCH, |at| at.timestamp());
    let (from, to) = (moment(from), moment(to));
    // What begins a zone's story holds until the first change that is told.
    let first = zone.to_offset_info(from);
    let mut turns: BTreeMap<(i64, Offset, Offset, bool, String), Vec<DateTime>> = BTreeMap::new();
    let beginning =
        (i64::MIN, first.offset(), first.offset(), first.dst() == Dst::Yes, first.abbreviation().to_owned());
    turns.insert(beginning, vec![jiff::civil::date(1970, 1, 1).at(0, 0, 0, 0)]);
    for turn in zone.following(from).take_while(|turn| turn.timestamp() <= to).take(200) {
        let before = zone.to_offset(turn.timestamp() - SignedDuration::from_nanos(1));
        let order = if turn.dst() == Dst::Yes { 1 } else { 0 };
        let kind = (order, before, turn.offset(), turn.dst() == Dst::Yes, turn.abbreviation().to_owned());
        turns.entry(kind).or_default().push(before.to_datetime(turn.timestamp()));
    }
    let mut lines = vec!["BEGIN:VTIMEZONE".to_owned(), format!("TZID:{name}")];
    for ((_, before, after, summer, short), at) in turns {
        let kind = if summer { "DAYLIGHT" } else { "STANDARD" };
        let mut at = at.iter().map(|at| at.strftime("%Y%m%dT%H%M%S").to_string());
        lines.push(format!("BEGIN:{kind}"));
        lines.push(format!("DTSTART:{}", at.next().unwrap_or_default()));
        lines.push(format!("TZOFFSETFROM:{}", offset_text(before)));
        lines.push(format!("TZOFFSETTO:{}", offset_text(after)));
        lines.push(format!("TZNAME:{short}"));
        lines.extend(at.map(|at| format!("RDATE:{at}")));
        lines.push(format!("END:{kind}"));
    }
    lines.push("END:VTIMEZONE".into());
    lines
}

/// The last parts of a name such as `/example.org/Europe/Oslo`.
fn ending(tzid: &str, parts: usize) -> Option<&str> {
    let slash = tzid.rmatch_indices('/').nth(parts - 1)?.0;
    Some(&tzid[slash + 1..])
}

/// A zone that only its rules describe, as POSIX writes such rules.
fn by_rules(zone: &Component) -> Option<Zone> {
    let latest = |name: &str| {
        let kinds = zone.within.iter().filter(|kind| kind.name == name);
        kinds.max_by_key(|kind| kind.get("DTSTART").map(|line| line.value.clone()))
    };
    let (winter, summer) = (latest("STANDARD"), latest("DAYLIGHT"));
    let winter_offset = offset(winter.or(summer)?)?;
    let posix = |offset: i32| {
        let (hours, minutes) = (offset.abs() / 3600, offset.abs() % 3600 / 60);
        let (name, west) = if offset < 0 { ('-', "") } else { ('+', "-") };
        format!("<{name}{hours:02}{minutes:02}>{west}{hours}:{minutes:02}")
    };
    let name = match (winter.and_then(turn), summer.and_then(turn), summer.and_then(offset)) {
        (Some(back), Some(forth), Some(summer)) => format!("{}{},{forth},{back}", posix(winter_offset), posix(summer)),
        _ => posix(winter_offset),
    };
    zone_by_name(&name).map(|_| Zone::named(&name))
}

/// When clocks change, as POSIX writes it: month, week, weekday and time.
fn turn(kind: &Component) -> Option<String> {
    let rule: Rule = kind.get("RRULE")?.value.parse().ok()?;
    let start = wall_time(&kind.get("DTSTART")?.value)?;
    let day = rule.days.first()?;
    let week = match (day.nth, rule.month_days.iter().min()) {
        (Some(nth), _) if nth < 0 => 5,
        (Some(nth), _) => nth,
        (None, Some(first)) if *first > 0 => (first - 1) / 7 + 1,
        _ => return None,
    };
    let month = rule.months.first().copied().unwrap_or(start.month());
    let weekday = day.weekday.since(Weekday::Sunday);
    Some(format!("M{month}.{week}.{weekday}/{}:{:02}", start.hour(), start.minute()))
}

fn offset(kind: &Component) -> Option<i32> {
    let text = kind.get("TZOFFSETTO")?.value.trim();
    let (sign, digits) = match text.split_at_checked(1)? {
        ("-", digits) => (-1, digits),
        ("+", digits) => (1, digits),
        _ => return None,
    };
    let part = |at: usize| digits.get(at..at + 2).map_or(Some(0), |part| part.parse::<i32>().ok());
    Some(sign * (part(0)? * 3600 + part(2)? * 60 + part(4)?))
}

fn offset_text(offset: Offset) -> String {
    let (sign, seconds) = (if offset.seconds() < 0 { '-' } else { '+' }, offset.seconds().abs());
    let text = format!("{sign}{:02}{:02}", seconds / 3600, seconds % 3600 / 60);
    if seconds % 60 == 0 { text } else { format!("{text}{:02}", seconds % 60) }
}
