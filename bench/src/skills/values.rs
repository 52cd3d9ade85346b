//! Values as people say them, and as plans have them. What is right is known here by making it, not by reading it.

use std::collections::BTreeMap;

use domain::name::{Name, NameKind};
use jiff::civil::Weekday;
use jiff::{ToSpan, Zoned};
use serde_json::{Value, json};

use crate::dice::Dice;

/// A value: the words for it, and how plans write it.
#[derive(Debug, Clone)]
pub struct Spoken {
    /// The words.
    pub said: String,
    /// By the name of the form; the empty one is the value itself.
    pub written: BTreeMap<&'static str, Value>,
}

const ITEMS: &str = "milk eggs bread butter honey rice pasta flour sugar salt coffee tea apples pears onions garlic cheese \
                     yoghurt tofu beans lentils oats raisins walnuts olives mustard ketchup vinegar paprika cinnamon";
const TASKS: [&str; 24] = [
    "call the dentist",
    "pay the rent",
    "pick up the parcel",
    "water the tomatoes",
    "renew my passport",
    "buy a gift",
    "feed the cat",
    "take out the rubbish",
    "return the library books",
    "charge the bike",
    "book the sauna",
    "clean the oven",
    "change the sheets",
    "defrost the freezer",
    "back up the laptop",
    "sign the contract",
    "check the tyres",
    "read the minutes",
    "order new filters",
    "iron the shirts",
    "sharpen the knives",
    "sweep the terrace",
    "wash the car",
    "cancel the subscription",
];
const PEOPLE: &str = "Ann Bob Cleo David Emil Frida Greta Henrik Ines Jonas Karin Lars Mona Nils Olga Petter Ragna Silje \
                      Tuva Ulrik Vera Wilma";
const PLACES: &str = "Oslo Bergen Paris London Berlin Rome Madrid Vienna Prague Lisbon Dublin Athens Warsaw Zurich \
                      Helsinki Stockholm Copenhagen Amsterdam Brussels Budapest";
const DEVICES: [&str; 10] = [
    "kitchen light",
    "bedroom lamp",
    "hallway light",
    "desk lamp",
    "porch light",
    "heater",
    "fan",
    "coffee machine",
    "garage light",
    "reading lamp",
];
const TITLES: [&str; 16] = [
    "Blue Monday",
    "Purple Rain",
    "Hey Jude",
    "Paper Planes",
    "Silent Running",
    "Golden Hours",
    "Northern Lights",
    "Glass Houses",
    "Winter Birds",
    "Open Season",
    "Heavy Weather",
    "Night Train",
    "River Songs",
    "Second Nature",
    "Long Shadows",
    "Rubber Soul",
];
const GENRES: &str = "jazz rock folk soul blues reggae techno ambient disco swing salsa punk";
const CATEGORIES: &str = "food clothes travel books fuel rent insurance gifts sports phones";
const COLOURS: &str = "red blue green yellow purple orange pink white";
const LANGUAGES: &str = "Norwegian German French Spanish Italian Polish Finnish Greek Dutch Danish";
const CURRENCIES: &str = "dollars pounds kroner yen francs";
const PLANTS: &str = "roses ferns basil orchids tulips cactus lavender mint ivy palms";
const RESTAURANTS: [&str; 10] = [
    "Luigi's",
    "Golden Dragon",
    "Bella Napoli",
    "Green Garden",
    "Harbour House",
    "Little Bombay",
    "Chez Marie",
    "Blue Door",
    "Smith and Sons",
    "Old Mill",
];
const TOPICS: [&str; 18] = [
    "solar panels",
    "electric bikes",
    "sourdough bread",
    "heat pumps",
    "mountain huts",
    "tax returns",
    "garden sheds",
    "wood stoves",
    "whale songs",
    "roman roads",
    "rust compilers",
    "vertical farms",
    "tidal power",
    "steam trains",
    "honey bees",
    "glass art",
    "sea kayaks",
    "old maps",
];
const FILES: [&str; 12] = [
    "report.pdf",
    "budget.xlsx",
    "notes.txt",
    "letter.docx",
    "photo.jpg",
    "talk.pptx",
    "draft.md",
    "invoice.pdf",
    "plan.txt",
    "minutes.docx",
    "recipe.md",
    "map.png",
];
const FOLDERS: &str = "Archive Drafts Photos Invoices Music Backup Projects Letters Scans Receipts";
const QUOTES: [&str; 14] = [
    "I am late",
    "see you soon",
    "the keys are under the mat",
    "dinner is ready",
    "thank you so much",
    "where are you",
    "the train is on time",
    "happy birthday",
    "I cannot come today",
    "good luck tomorrow",
    "we are out of milk",
    "call me back",
    "the door is open",
    "wait for me",
];

/// The things that have names in these requests.
pub fn names() -> Vec<Name> {
    let named = |name: &&str| Name {
        kind: NameKind::Device,
        id: format!("device.{}", name.replace(' ', "_")),
        name: (*name).to_owned(),
        aliases: Vec::new(),
        domain: None,
        class: None,
        within: None,
    };
    DEVICES.iter().map(named).collect()
}

/// A value of a kind at a moment. A digit at the end of a kind tells two of the same kind apart.
pub fn value(kind: &str, now: &Zoned, dice: &mut Dice) -> Spoken {
    let word = |dice: &mut Dice, words: &str| words_of(words, dice);
    match kind.trim_end_matches(char::is_numeric) {
        "item" => plain(word(dice, ITEMS)),
        "task" => plain(one_of(&TASKS, dice)),
        "person" => plain(word(dice, PEOPLE)),
        "place" => plain(word(dice, PLACES)),
        "title" => plain(one_of(&TITLES, dice)),
        "genre" => plain(word(dice, GENRES)),
        "category" => plain(word(dice, CATEGORIES)),
        "colour" => plain(word(dice, COLOURS)),
        "language" => plain(word(dice, LANGUAGES)),
        "currency" => plain(word(dice, CURRENCIES)),
        "plant" => plain(word(dice, PLANTS)),
        "restaurant" => plain(one_of(&RESTAURANTS, dice)),
        "topic" => plain(one_of(&TOPICS, dice)),
        "file" => plain(one_of(&FILES, dice)),
        "folder" => plain(word(dice, FOLDERS)),
        "parcel" => {
            plain(format!("{}{}", ["NO", "DE", "SE", "FR"][dice.below(4) as usize], 100_000 + dice.below(900_000)))
        }
        "quote" => {
            let text = one_of(&QUOTES, dice);
            spoken(format!("\"{text}\""), [("", json!(text))])
        }
        "device" => {
            let device = one_of(&DEVICES, dice);
            let id = format!("device.{}", device.replace(' ', "_"));
            spoken(device, [("id", json!(id))])
        }
        "percent" => {
            let level = 5 * (1 + dice.below(19));
            let sign = ["%", " percent"][dice.below(2) as usize];
            spoken(format!("{level}{sign}"), [("number", json!(level))])
        }
        "number" => {
            let number = 2 + dice.below(7);
            let said = if dice.below(2) == 0 { number.to_string() } else { SMALL[number as usize].to_owned() };
            spoken(said, [("number", json!(number))])
        }
        "money" => {
            let amount = 5 * (1 + dice.below(60));
            spoken(format!("{amount} euros"), [("number", json!(amount)), ("unit", json!("euro"))])
        }
        "length" => length(dice),
        "moment" => moment(now, dice),
        "day" => day(now, dice),
        "period" => period(now, dice),
        _ => often(dice),
    }
}

const SMALL: [&str; 11] = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

fn length(dice: &mut Dice) -> Spoken {
    let number = 2 + dice.below(8);
    let said = if dice.below(2) == 0 { number.to_string() } else { SMALL[number as usize].to_owned() };
    let (unit, seconds, iso) = [("minutes", 60, format!("PT{number}M")), ("hours", 3600, format!("PT{number}H"))]
        [dice.below(2) as usize]
        .clone();
    let seconds = number * seconds;
    spoken(
        format!("{said} {unit}"),
        [("seconds", json!(seconds)), ("minutes", json!(seconds / 60)), ("iso", json!(iso))],
    )
}

/// A day to come, in words and by date.
fn some_day(now: &Zoned, dice: &mut Dice) -> (String, Zoned) {
    let ahead = |days: i64| now.checked_add(days.days()).unwrap_or_else(|_| now.clone());
    match dice.below(3) {
        0 => ("tomorrow".into(), ahead(1)),
        1 => {
            let days = 2 + dice.below(4) as i64;
            (weekday(ahead(days).weekday()).into(), ahead(days))
        }
        _ => {
            let day = ahead(8 + dice.below(200) as i64);
            (day.strftime("%-d %B").to_string(), day)
        }
    }
}

fn day(now: &Zoned, dice: &mut Dice) -> Spoken {
    let (said, day) = some_day(now, dice);
    let said = if said == "tomorrow" { said } else { format!("on {said}") };
    spoken(said, [("date", json!(day.date().to_string()))])
}

fn moment(now: &Zoned, dice: &mut Dice) -> Spoken {
    let (said, day) = some_day(now, dice);
    let hour = 6 + dice.below(17) as i8;
    let clock = match dice.below(2) {
        0 => format!("{:02}:00", hour),
        _ if hour < 12 => format!("{hour} am"),
        _ => format!("{} pm", if hour == 12 { 12 } else { hour - 12 }),
    };
    let at = day.date().at(hour, 0, 0, 0).to_zoned(now.time_zone().clone()).unwrap_or(day);
    let said = if said == "tomorrow" { said } else { format!("on {said}") };
    spoken(format!("{said} at {clock}"), [("offset", json!(at.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()))])
}

fn period(now: &Zoned, dice: &mut Dice) -> Spoken {
    let today = now.date();
    let month = today.first_of_month();
    let (said, from, to) = match dice.below(2) {
        0 => ("this month", month, month.saturating_add(1.month())),
        _ => ("last month", month.saturating_sub(1.month()), month),
    };
    spoken(said, [("from", json!(from.to_string())), ("to", json!(to.to_string()))])
}

fn often(dice: &mut Dice) -> Spoken {
    let days = [Weekday::Monday, Weekday::Tuesday, Weekday::Wednesday, Weekday::Thursday, Weekday::Friday];
    let day = days[dice.below(5) as usize];
    let (said, rule) = match dice.below(3) {
        0 => ("every day".to_owned(), "FREQ=DAILY".to_owned()),
        _ => {
            let name = weekday(day);
            (format!("every {name}"), format!("FREQ=WEEKLY;BYDAY={}", &name[..2].to_uppercase()))
        }
    };
    spoken(said, [("rule", json!(rule))])
}

fn weekday(day: Weekday) -> &'static str {
    match day {
        Weekday::Monday => "monday",
        Weekday::Tuesday => "tuesday",
        Weekday::Wednesday => "wednesday",
        Weekday::Thursday => "thursday",
        Weekday::Friday => "friday",
        Weekday::Saturday => "saturday",
        Weekday::Sunday => "sunday",
    }
}

fn plain(said: String) -> Spoken {
    let value = json!(said);
    spoken(said, [("", value)])
}

fn spoken<const N: usize>(said: impl Into<String>, written: [(&'static str, Value); N]) -> Spoken {
    Spoken { said: said.into(), written: written.into() }
}

fn one_of(of: &[&str], dice: &mut Dice) -> String {
    of[dice.below(of.len() as u64) as usize].to_owned()
}

fn words_of(words: &str, dice: &mut Dice) -> String {
    one_of(&words.split_whitespace().collect::<Vec<_>>(), dice)
}
