//! Generated agents whose descriptions are nearly the same, by the hundred thousand.

use domain::library::Kind;
use retrieve::{Entry, Tally};

use crate::dice::Dice;

const DEEDS: [&str; 12] = [
    "summarises",
    "translates",
    "reviews",
    "collects",
    "compares",
    "schedules",
    "forecasts",
    "archives",
    "converts",
    "monitors",
    "classifies",
    "proofreads",
];
const THINGS: [&str; 24] = [
    "invoices",
    "contracts",
    "meeting notes",
    "weather reports",
    "pull requests",
    "support tickets",
    "flight offers",
    "recipes",
    "research papers",
    "newsletters",
    "sensor readings",
    "bank statements",
    "job applications",
    "song lyrics",
    "legal briefs",
    "travel diaries",
    "customer reviews",
    "lab results",
    "press releases",
    "server logs",
    "bug reports",
    "lesson plans",
    "shipping labels",
    "tax forms",
];
const FOR: [&str; 16] = [
    "a small team",
    "the finance department",
    "a hospital",
    "a school",
    "the legal department",
    "a travel agency",
    "a bakery",
    "the sales team",
    "a law firm",
    "a newspaper",
    "an observatory",
    "a shipping company",
    "a museum",
    "the human resources department",
    "a software company",
    "a farm",
];
const HOW: [&str; 10] = [
    "every morning",
    "on demand",
    "with a short explanation",
    "as a table",
    "in plain words",
    "in two languages",
    "and sends the result by mail",
    "and asks when unsure",
    "within a minute",
    "and keeps a record",
];

fn pick<'a>(dice: &mut Dice, of: &[&'a str]) -> &'a str {
    of[dice.below(of.len() as u64) as usize]
}

fn described(dice: &mut Dice) -> String {
    let (deed, thing, whom) = (pick(dice, &DEEDS), pick(dice, &THINGS), pick(dice, &FOR));
    format!("An agent that {deed} {thing} for {whom} {}, and says what it did and why", pick(dice, &HOW))
}

/// So many agents.
pub(super) fn agents(dice: &mut Dice, count: usize) -> Vec<Entry> {
    (0..count)
        .map(|number| {
            let mut agent = Entry::new(Kind::Agent, format!("agent_{number}"), described(dice));
            agent.keywords = vec![pick(dice, &THINGS).to_owned()];
            agent.tally = Tally { good: dice.below(20) as u32, bad: dice.below(5) as u32 };
            agent
        })
        .collect()
}

/// So many requests to them.
pub(super) fn requests(dice: &mut Dice, count: usize) -> Vec<String> {
    let request = |dice: &mut Dice| {
        let (deed, thing) = (pick(dice, &DEEDS), pick(dice, &THINGS));
        let first = format!("I need somebody who {deed} {thing} for {}", pick(dice, &FOR));
        match dice.below(3) {
            0 => first,
            1 => format!("{first}, {}, and who {} {}", pick(dice, &HOW), pick(dice, &DEEDS), pick(dice, &THINGS)),
            _ => format!(
                "{first}. Then it should be one who {} {} {}.",
                pick(dice, &DEEDS),
                pick(dice, &THINGS),
                pick(dice, &HOW)
            ),
        }
    };
    (0..count).map(|_| request(dice)).collect()
}
