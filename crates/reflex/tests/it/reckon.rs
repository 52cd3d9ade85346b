//! Questions that only need reckoning.

use jiff::Zoned;
use proptest::prelude::*;
use reflex::reckon::{Reckoned, reckon};

/// A Sunday, ten in the morning.
fn now() -> Zoned {
    "2026-11-15T10:00[Europe/Oslo]".parse().expect("a moment with a zone")
}

fn reckoned(text: &str) -> Option<Reckoned> {
    reckon(text, &now())
}

/// Every row is a question and its answer; an empty answer means that it is none of our questions.
#[track_caller]
fn answers(rows: &[(&str, &str)]) {
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|(text, expected)| {
            let answer = reckoned(text).map(|reckoned| reckoned.answer).unwrap_or_default();
            (answer != *expected).then(|| format!("{text}\n   answered {answer}\n   expected {expected}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {} rows differ:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

#[test]
fn sums() {
    answers(&[
        ("what is 15% of 80", "15% of 80 is 12."),
        ("12 times 7", "12 times 7 is 84."),
        ("what's the square root of 144?", "The square root of 144 is 12."),
        ("square root of 2", "Square root of 2 is about 1.4142."),
        ("(3+4)*2", "(3+4)*2 is 14."),
        ("two plus two", "Two plus two is 4."),
        ("0.1 + 0.2", "0.1 + 0.2 is 0.3."),
        ("what is 10 divided by 4", "10 divided by 4 is 2.5."),
        ("1/3 + 1/3", "1/3 + 1/3 is about 0.66666667."),
        ("8/4/2 =", "8/4/2 is 1."),
        ("2^10", "2^10 is 1024."),
        ("2 to the power of ten", "2 to the power of ten is 1024."),
        ("what is 80 plus 15%", "80 plus 15% is 92."),
        ("20% off 50", "20% off 50 is 40."),
        ("half of 90", "Half of 90 is 45."),
        ("what is 3x4", "3x4 is 12."),
        ("calculate 5 minus 8", "5 minus 8 is -3."),
        ("2 + 3 * 4", "2 + 3 * 4 is 14."),
        ("-3 + 5", "-3 + 5 is 2."),
        ("7 squared", "7 squared is 49."),
        ("1,000 + 1", "1,000 + 1 is 1001."),
        ("what is two hundred and fifty times three", "Two hundred and fifty times three is 750."),
        ("what percent of 80 is 20", "20 is 25% of 80."),
        ("20 is what percent of 80", "20 is 25% of 80."),
        ("17 mod 5", "17 mod 5 is 2."),
        ("how much is 5 times 5 please", "5 times 5 is 25."),
        ("can you tell me what is 9 + 9?", "9 + 9 is 18."),
        ("what is the total of 500 and 23", "The total of 500 and 23 is 523."),
        ("can you tell me what 30% off 235 is, please", "30% off 235 is 164.5."),
        ("5 factorial", "5 factorial is 120."),
    ]);
}

#[test]
fn sums_without_a_result_say_why() {
    answers(&[
        ("what is 5 divided by 0", "Nothing can be divided by zero."),
        ("1/(2-2)?", "Nothing can be divided by zero."),
        ("square root of -4", "A negative number has no real square root."),
        ("9^9^9", "That number is too large for me."),
        ("10^200", "That number is too large for me."),
    ]);
    assert!(reckoned("what is 5 divided by 0").expect("it is answered").value.is_null());
}

#[test]
fn units() {
    answers(&[
        ("how many feet in 3 meters", "3 meters is about 9.8425 feet."),
        ("convert 20 celsius to fahrenheit", "20 degrees Celsius is 68 degrees Fahrenheit."),
        ("5 miles in km", "5 miles is about 8.0467 kilometers."),
        ("what is 20 degrees in fahrenheit", "20 degrees Celsius is 68 degrees Fahrenheit."),
        ("-40 f to c", "-40 degrees Fahrenheit is -40 degrees Celsius."),
        ("how many ml in a cup", "1 cup is about 236.5882 milliliters."),
        ("10 pounds to kg", "10 pounds is about 4.5359 kilograms."),
        ("60 mph in kmh", "60 miles per hour is about 96.5606 kilometers per hour."),
        ("how many bytes are in a kilobyte", "1 kilobyte is 1000 bytes."),
        ("5 feet 10 inches in cm", "5 feet 10 inches is 177.8 centimeters."),
        ("how many minutes in 3 hours", "3 hours is 180 minutes."),
        ("how many seconds are there in a day", "1 day is 86400 seconds."),
        ("half a mile in meters", "0.5 miles is 804.672 meters."),
        ("30 cm to in", "30 centimeters is about 11.811 inches."),
        ("how many inches is 2 feet", "2 feet is 24 inches."),
        ("5 meters in kilograms", ""),
        ("20 dollars in euros", ""),
    ]);
    let value = reckoned("convert 20 celsius to fahrenheit").expect("it is answered").value;
    assert_eq!(value, serde_json::json!({"value": 68, "unit": "fahrenheit"}));
}

#[test]
fn the_clock_and_the_calendar() {
    answers(&[
        ("what time is it", "It is 10:00."),
        ("what time is it in Tokyo", "It is 18:00 in Tokyo."),
        ("what's the time in new york right now?", "It is 4:00 in New York."),
        ("what time is it in auckland", "It is 22:00 in Auckland."),
        ("current time new york", "It is 4:00 in New York."),
        ("what time will it be in 3 hours", "It will be 13:00."),
        ("what day is it", "Today is Sunday 15 November 2026."),
        ("what's today's date?", "Today is Sunday 15 November 2026."),
        ("what day is christmas", "That is Friday 25 December 2026."),
        ("what day of the week is march 5", "That is Friday 5 March 2027."),
        ("how many days until march 5", "There are 110 days until Friday 5 March 2027."),
        ("how many weeks until christmas", "There are 5 weeks and 5 days until Friday 25 December 2026."),
        ("how long until christmas", "There are 40 days until Friday 25 December 2026."),
        ("how many days since christmas", "It has been 325 days since Thursday 25 December 2025."),
        ("what's the date in three weeks", "That is Sunday 6 December 2026."),
        ("when is easter", "That is Sunday 28 March 2027."),
        ("how many days are in february", "February has 28 days this year."),
        ("is 2028 a leap year", "Yes, 2028 is a leap year."),
        ("how old is someone born in 1990", "Somebody born in 1990 is 35 or 36 years old, depending on the birthday."),
        ("is the twenty third of april a saturday", "No, 23 April is a Friday."),
        (
            "how many days between march 5 and april 1",
            "From Friday 5 March 2027 to Thursday 1 April 2027 it is 27 days.",
        ),
        ("what day is february 30", "There is no 30 February."),
        ("what year is it", "It is 2026."),
    ]);
}

#[test]
fn other_questions_are_left_to_others() {
    let others = [
        "",
        "?",
        "hello",
        "what is 5",
        "5",
        "9-5",
        "5/3",
        "set a timer for 10 minutes",
        "what is the meaning of life",
        "time",
        "what is the weather in oslo",
        "how many people live in oslo",
        "turn on 2 lamps and 3 fans",
        "what time is my meeting",
        "when is my dentist appointment",
        "what's on today",
        "how many calories in an apple",
        "convert this to pdf",
        "what is",
        "today",
        "how long is the movie",
        "is tomorrow free",
        "what time is it in atlantis",
        "one plus",
        "plus one",
        "3 times a day",
        "what is half",
        "remind me in 3 hours",
        "how many days",
        "what is the time difference",
        "24/7",
        "12/25/2026",
        "555-12-34",
        "call 555-1234",
    ];
    for text in others {
        assert_eq!(reckoned(text), None, "`{text}`");
    }
}

const VOCABULARY: &[&str] = &[
    "what",
    "is",
    "how",
    "many",
    "5",
    "0",
    "(",
    ")",
    "+",
    "-",
    "*",
    "/",
    "^",
    "%",
    "of",
    "plus",
    "times",
    "divided",
    "by",
    "square",
    "root",
    "meters",
    "in",
    "feet",
    "celsius",
    "to",
    "days",
    "until",
    "christmas",
    "time",
    "it",
    "tokyo",
    "a",
    "half",
    "two",
    "!",
    "?",
    "squared",
    "99999999999999999999",
    "0.001",
    "minus",
    "since",
    "march",
    "2027",
    "the",
    "date",
    "'s",
    "today",
];

proptest! {
    #[test]
    fn any_text_is_read_without_harm(text in ".{0,60}") {
        let _ = reckoned(&text);
    }

    #[test]
    fn any_order_of_the_words_we_know_is_read_without_harm(words in prop::collection::vec(prop::sample::select(VOCABULARY), 0..14)) {
        let _ = reckoned(&words.join(" "));
    }

    #[test]
    fn whole_numbers_add_up(a in -1_000_000_i64..1_000_000, b in 0_i64..1_000_000) {
        let sum = reckoned(&format!("{a} + {b}")).expect("a sum");
        prop_assert_eq!(sum.value, serde_json::json!(a + b));
    }
}

#[test]
fn deep_and_long_questions_end() {
    let _ = reckoned(&"(".repeat(299));
    let _ = reckoned(&"- ".repeat(149));
    let _ = reckoned(&"2^".repeat(100));
    let _ = reckoned(&"9".repeat(10_000));
}
