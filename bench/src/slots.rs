//! How well values are found in requests that others wrote, and how fast: NLU++ gives the values of times and days,
//! SLURP the words that name them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context;
use clap::Parser;
use domain::name::{Name, NameKind};
use jiff::civil::{Date, Time};
use jiff::{ToSpan, Zoned};
use reflex::slots::{Kind, Slot, Surroundings, find};
use serde_json::{Value, json};

/// When the experts of NLU++ wrote theirs: their values count from here.
const WRITTEN: &str = "2022-03-15T09:00[Europe/London]";

/// Finds times and days in public requests and counts what is right.
#[derive(Debug, Clone, Parser)]
pub struct Args {
    /// Where the public data lies
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data"))]
    pub data: PathBuf,
    /// Which part is measured
    #[arg(long, default_value = "test")]
    pub part: String,
    /// Print what was missed; for looking at dev, never at test
    #[arg(long)]
    pub misses: bool,
}

/// Right ones among those that were found and those that are there.
#[derive(Debug, Default)]
struct Count {
    there: usize,
    right: usize,
    /// Wrong or open by half a day, and asked about.
    asked: usize,
    found: usize,
    found_right: usize,
}

/// Counts per kind, and microseconds per request. Nothing where there is no data.
pub fn measure(args: &Args) -> anyhow::Result<Option<Value>> {
    let files = ["nlupp", "slurp"].map(|set| args.data.join(set).join(format!("{}.jsonl", args.part)));
    if let Some(missing) = files.iter().find(|file| !file.exists()) {
        eprintln!("SKIPPED: {} is not here, so nothing is measured", missing.display());
        return Ok(None);
    }
    let [nlupp, slurp] = files.map(|file| rows(&file));
    let (nlupp, slurp) = (nlupp?, slurp?);
    let home = home();
    let surroundings = Surroundings { now: WRITTEN.parse()?, names: &home };
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    for row in &nlupp {
        let text = row["text"].as_str().context("a row has no text")?;
        values(args, text, &row["slots"], &find(text, &surroundings), &mut counts);
    }
    for row in &slurp {
        let text = row["text"].as_str().context("a row has no text")?;
        mentions(args, text, &row["slots"], &find(text, &surroundings), &mut counts);
    }
    let texts: Vec<&str> = nlupp.iter().chain(&slurp).filter_map(|row| row["text"].as_str()).collect();
    let (p50, p99) = speed(&texts, &surroundings);
    let kinds: serde_json::Map<String, Value> = counts.into_iter().map(|(kind, count)| (kind, count.shown())).collect();
    Ok(Some(json!({"part": args.part, "requests": texts.len(), "kinds": kinds, "p50_us": p50, "p99_us": p99})))
}

impl Count {
    fn shown(&self) -> Value {
        let share = |part: usize, whole: usize| {
            if whole == 0 { Value::Null } else { json!(((part as f64 / whole as f64) * 1e4).round() / 1e4) }
        };
        json!({
            "there": self.there,
            "recall": share(self.right, self.there),
            "recall_or_asked": share(self.right + self.asked, self.there),
            "found": self.found,
            "precision": share(self.found_right, self.found),
        })
    }
}

fn rows(file: &Path) -> anyhow::Result<Vec<Value>> {
    let text = fs::read_to_string(file).with_context(|| format!("{} cannot be read", file.display()))?;
    text.lines().map(|line| serde_json::from_str(line).context("a line is not JSON")).collect()
}

/// Compares values: a time of day by hour and minute, a day by its date.
fn values(args: &Args, text: &str, expected: &Value, slots: &[Slot], counts: &mut BTreeMap<String, Count>) {
    let (all_times, all_dates): (Vec<_>, Vec<_>) =
        (slots.iter().flat_map(times).collect(), slots.iter().flat_map(dates).collect());
    let number = |value: &Value, name: &str| value[name].as_i64().and_then(|number| i8::try_from(number).ok());
    let (mut true_times, mut true_dates) = (Vec::new(), Vec::new());
    for (name, slot) in expected.as_object().into_iter().flatten() {
        let value = &slot["value"];
        let (right, asked) = match name.as_str() {
            "time" | "time_from" | "time_to" => {
                let Some(time) =
                    number(value, "hour").zip(number(value, "minute")).and_then(|(h, m)| Time::new(h, m, 0, 0).ok())
                else {
                    continue;
                };
                true_times.push(time);
                let alike = |(found, asked): &(Time, bool)| {
                    *asked && found.hour() % 12 == time.hour() % 12 && found.minute() == time.minute()
                };
                (all_times.iter().any(|(found, _)| *found == time), all_times.iter().any(alike))
            }
            "date" | "date_from" | "date_to" => {
                let year = value["year"].as_i64().and_then(|year| i16::try_from(year).ok());
                let date = year.zip(number(value, "month")).zip(number(value, "day"));
                let Some(date) = date.and_then(|((y, m), d)| Date::new(y, m, d).ok()) else { continue };
                true_dates.push(date);
                (all_dates.iter().any(|(found, _)| *found == date), all_dates.iter().any(|(_, asked)| *asked))
            }
            _ => continue,
        };
        let count = counts.entry(format!("nlupp {name}")).or_default();
        count.there += 1;
        count.right += usize::from(right);
        count.asked += usize::from(!right && asked);
        if args.misses && !right {
            println!(
                "{name}{} {} in: {text}\n    {value}, found {slots:?}",
                if asked { " (asked)" } else { "" },
                slot["text"]
            );
        }
    }
    for slot in slots.iter().filter(|slot| slot.kind == Kind::Moment) {
        let count = counts.entry("nlupp found moments".to_owned()).or_default();
        count.found += 1;
        let right = times(slot).iter().any(|(time, asked)| {
            true_times.iter().any(|other| {
                time == other || *asked && time.hour() % 12 == other.hour() % 12 && time.minute() == other.minute()
            })
        });
        count.found_right += usize::from(right);
        if args.misses && !right {
            println!("extra moment {:?} in: {text}\n    {expected}", &text[slot.span.clone()]);
        }
    }
    for slot in slots.iter().filter(|slot| slot.kind == Kind::Date) {
        let count = counts.entry("nlupp found dates".to_owned()).or_default();
        count.found += 1;
        let right = dates(slot).iter().any(|(date, asked)| *asked || true_dates.contains(date));
        count.found_right += usize::from(right);
        if args.misses && !right {
            println!("extra date {:?} {} in: {text}\n    {expected}", &text[slot.span.clone()], slot.value);
        }
    }
}

/// The moments of a slot, whether they are asked about.
fn moments(slot: &Slot) -> Vec<(Zoned, bool)> {
    let ends = [&slot.value, &slot.value["from"], &slot.value["to"]];
    let moments = ends.into_iter().filter_map(|value| value.as_str()?.parse().ok());
    moments.map(|moment| (moment, slot.doubt.is_some())).collect()
}

fn times(slot: &Slot) -> Vec<(Time, bool)> {
    moments(slot).into_iter().map(|(moment, asked)| (moment.time(), asked)).collect()
}

/// The days of a slot. A range that ends at midnight ends with the day before.
fn dates(slot: &Slot) -> Vec<(Date, bool)> {
    let asked = slot.doubt.is_some();
    if let Some(date) =
        slot.value.as_str().and_then(|text| text.parse::<Date>().ok()).filter(|_| slot.kind == Kind::Date)
    {
        return vec![(date, asked)];
    }
    let day = |moment: Zoned| {
        let whole = slot.kind == Kind::Range && moment.time() == Time::midnight();
        let before = moment.date().checked_sub(1.day()).unwrap_or(moment.date());
        if whole { vec![moment.date(), before] } else { vec![moment.date()] }
    };
    moments(slot)
        .into_iter()
        .flat_map(|(moment, asked)| day(moment).into_iter().map(move |date| (date, asked)))
        .collect()
}

/// Compares words: what is said about time must lie within what was found.
fn mentions(args: &Args, text: &str, expected: &Value, slots: &[Slot], counts: &mut BTreeMap<String, Count>) {
    let temporal =
        |slot: &&Slot| matches!(slot.kind, Kind::Duration | Kind::Moment | Kind::Date | Kind::Range | Kind::Recurrence);
    let found: Vec<_> =
        slots.iter().filter(temporal).flat_map(|slot| std::iter::once(&slot.span).chain(&slot.also)).collect();
    let mut there = Vec::new();
    for slot in expected.as_array().into_iter().flatten() {
        let (Some(kind @ ("time" | "date" | "timeofday" | "general_frequency")), Some(said)) =
            (slot["type"].as_str(), slot["text"].as_str())
        else {
            continue;
        };
        let Some(start) = text.to_lowercase().find(&said.to_lowercase()) else { continue };
        let place = start..start + said.len();
        let right = found.iter().any(|span| span.start < place.end && place.start < span.end);
        there.push(place);
        let count = counts.entry(format!("slurp {kind}")).or_default();
        count.there += 1;
        count.right += usize::from(right);
        if args.misses && !right {
            println!("slurp {kind} {said:?} in: {text}");
        }
    }
    let count = counts.entry("slurp found".to_owned()).or_default();
    for span in found {
        count.found += 1;
        let right = there.iter().any(|place| span.start < place.end && place.start < span.end);
        count.found_right += usize::from(right);
        if args.misses && !right {
            println!("slurp extra {:?} in: {text}", &text[span.clone()]);
        }
    }
}

/// The median and the 99th percentile of microseconds per request, each request alone.
fn speed(texts: &[&str], surroundings: &Surroundings<'_>) -> (f64, f64) {
    let mut took = Vec::new();
    for _ in 0..5 {
        for text in texts {
            let begun = Instant::now();
            std::hint::black_box(find(std::hint::black_box(text), surroundings));
            took.push(begun.elapsed().as_nanos() as f64 / 1000.0);
        }
    }
    took.sort_by(f64::total_cmp);
    let at = |share: f64| took.get((took.len() as f64 * share) as usize).copied().unwrap_or_default();
    (at(0.5), at(0.99))
}

/// A home of usual size.
fn home() -> Vec<Name> {
    let rooms = [
        "Kitchen",
        "Living Room",
        "Bedroom",
        "Bathroom",
        "Hallway",
        "Office",
        "Garage",
        "Garden",
        "Dining Room",
        "Attic",
    ];
    let things = ["Ceiling Light", "Lamp", "Heater", "Blinds"];
    let name = |kind, name: String| Name {
        kind,
        id: name.to_lowercase().replace(' ', "_"),
        name,
        aliases: Vec::new(),
        domain: None,
        class: None,
        within: None,
    };
    let devices = rooms.iter().flat_map(|room| things.iter().map(move |thing| format!("{room} {thing}")));
    rooms
        .iter()
        .map(|room| name(NameKind::Area, (*room).to_owned()))
        .chain(devices.map(|device| name(NameKind::Device, device)))
        .collect()
}
