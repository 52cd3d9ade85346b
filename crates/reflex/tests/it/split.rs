//! Where requests are parted, and where they are not.

use proptest::prelude::*;
use reflex::split::{Link, NotWeights, Split, Weights, split};

fn texts(split: &Split) -> Vec<&str> {
    split.parts.iter().map(|part| part.text.as_str()).collect()
}

#[test]
fn several_things_are_parted_where_they_meet() {
    let cases: &[&[&str]] = &[
        &["turn off the kitchen light", " and ", "set a timer for ten minutes"],
        &["turn off the lights in the kitchen", " and ", "lock the front door", " and ", "play jazz"],
        &["dim the lights to 20 percent", ", ", "close the blinds", " and ", "start the movie scene"],
        &["please close the blinds", ", ", "turn off the tv", " and ", "lock the door"],
        &["cancel my 3pm meeting", ", ", "move the dentist to friday", " and ", "tell me what's left for today"],
        &["Turn off the lights", ". ", "Set a timer for 10 minutes."],
        &["set an alarm for six", " and also ", "what's the weather in Bergen tomorrow"],
        &["what's the weather like", " and ", "how long is my commute"],
        &["TURN OFF THE LIGHTS", " AND ", "SET AN ALARM FOR SEVEN"],
        &["add salt to my shopping list", "; ", "play the radio"],
        &["play rock and roll in the garage", " and then ", "remind me at nine to call Ines"],
    ];
    for case in cases {
        let found = split(&case.concat());
        let wanted: Vec<&str> = case.iter().copied().step_by(2).collect();
        assert_eq!(texts(&found), wanted, "{found:?}");
        assert!(found.several > 0.5, "{found:?}");
    }
}

#[test]
fn one_thing_stays_whole_whatever_joins_its_words() {
    let cases = [
        "turn on the kitchen light and the fan",
        "turn on the lights in the hall and the kitchen",
        "set timers for 5 and 10 minutes",
        "set a timer for one hour and thirty minutes",
        "add milk to the list and eggs",
        "add milk, eggs and bread to my shopping list",
        "schedule lunch with Bob and Carol tomorrow at noon",
        "remind me to call John and Mary at 5",
        "am i free between 3 and 5 on friday",
        "what's the difference between cats and dogs",
        "play rock and roll",
        "is the black and white film on tonight",
        "what is 5 plus 7",
        "hey, turn off the lights please",
        "good morning, what's the weather",
        "my card was swallowed by the machine and i don't know what to do",
        "i moved house last week, how do i change my address?",
        "go ahead and open the blinds",
        "send a message to Anna saying \"buy milk and then call mum and lock the door\"",
        "text Tom 'start the oven, then set a timer for ten minutes'",
        "turn on the lights",
        "weather",
    ];
    for case in cases {
        let found = split(case);
        assert_eq!(texts(&found), [case], "{found:?}");
        assert_eq!(found.parts[0].link, Link::First);
        assert!(found.several < 0.5, "{found:?}");
    }
}

#[test]
fn a_condition_is_told_from_what_is_wanted() {
    let when = |condition: &str| Link::If { condition: condition.to_owned() };
    let unless = |condition: &str| Link::Unless { condition: condition.to_owned() };
    let cases = [
        (
            "if it rains tomorrow, remind me to take an umbrella",
            "remind me to take an umbrella",
            when("it rains tomorrow"),
        ),
        (
            "if it rains tomorrow remind me to take an umbrella",
            "remind me to take an umbrella",
            when("it rains tomorrow"),
        ),
        ("if it is dark then turn on the porch light", "turn on the porch light", when("it is dark")),
        ("remind me to take an umbrella if it rains", "remind me to take an umbrella", when("it rains")),
        ("unless it rains, water the garden", "water the garden", unless("it rains")),
        ("water the garden unless it rains", "water the garden", unless("it rains")),
        ("if the front door is open close it", "close it", when("the front door is open")),
        ("if the battery is low, can you tell Ines", "can you tell Ines", when("the battery is low")),
        ("tell me if it rains tomorrow", "tell me if it rains tomorrow", Link::First),
        ("check if the door is locked", "check if the door is locked", Link::First),
        ("if i lose my card, what do i do", "if i lose my card, what do i do", Link::First),
        ("if", "if", Link::First),
        ("if it rains", "if it rains", Link::First),
    ];
    for (text, wanted, link) in cases {
        let found = split(text);
        assert_eq!(texts(&found), [wanted], "{text}");
        assert_eq!(found.parts[0].link, link, "{text}");
        assert!(found.several < 0.5, "{found:?}");
    }
}

#[test]
fn links_say_how_parts_go_on() {
    let found = split("what's the weather in Oslo tomorrow, and if it rains remind me at eight to take an umbrella");
    assert_eq!(texts(&found), ["what's the weather in Oslo tomorrow", "remind me at eight to take an umbrella"]);
    assert_eq!(found.parts[1].link, Link::If { condition: "it rains".to_owned() });

    let found = split("if the door is open close it, otherwise turn on the alarm");
    assert_eq!(texts(&found), ["close it", "turn on the alarm"]);
    assert_eq!(found.parts[1].link, Link::Otherwise);

    let found = split("turn off the heater and then lock the front door");
    assert_eq!([&found.parts[0].link, &found.parts[1].link], [&Link::First, &Link::Then]);

    let found = split("turn off the heater and lock the front door");
    assert_eq!(found.parts[1].link, Link::And);
}

#[test]
fn words_that_stand_for_earlier_ones_are_named() {
    let cases = [
        ("search for good pizza places, then add dinner there on Friday at seven to my calendar", Some("there")),
        ("search my notes for the wifi password and then email it to Anna", Some("it")),
        ("find my three longest meetings, then cancel them", Some("them")),
        ("turn off the kitchen light and set a timer for ten minutes", None),
        ("set a timer for ten minutes and then tell me if it rains", None),
        ("stop the music and then tell me whether there is traffic", None),
    ];
    for (text, word) in cases {
        let found = split(text);
        assert_eq!(found.parts.len(), 2, "{found:?}");
        assert_eq!(found.parts[1].refers_back.as_deref(), word, "{found:?}");
    }
}

#[test]
fn spans_are_where_the_words_stand() {
    let text = "  Turn off the lights ,  and set a timer for 5 minutes!  ";
    let found = split(text);
    assert_eq!(found.parts.len(), 2, "{found:?}");
    for part in &found.parts {
        assert_eq!(&text[part.span.clone()], part.text);
    }
}

#[test]
fn bad_input_is_one_thing_or_nothing() {
    for nothing in ["", "   ", "?!.,;", "\n\n", "\"\"", "🎉🎉"] {
        assert!(split(nothing).parts.is_empty(), "{nothing:?}");
        assert_eq!(split(nothing).several, 0.0);
    }
    for one in [
        "and",
        "and and and",
        ", then",
        "then",
        "if if if",
        "אור במטבח",
        "料理のレシピ",
        "‘’‘’'a 'b",
        "99999999999999999999999",
    ] {
        let found = split(one);
        assert_eq!(found.parts.len(), 1, "{found:?}");
        assert!(found.several < 0.5, "{found:?}");
    }
}

#[test]
fn a_long_text_is_answered_and_nothing_of_it_is_lost() {
    for piece in ["turn off the light and set a timer, ", "'a ", "\"", "if ", "and ", "если и ", "a, ", "it "] {
        let text = piece.repeat(10_000 / piece.len());
        let found = split(&text);
        if let Some(last) = found.parts.last() {
            assert!(text[last.span.end..].len() < 8, "{piece}");
        }
    }
}

#[test]
fn bytes_that_are_no_weights_are_refused() {
    for bytes in [&b""[..], b"AWSPLIT2", &[0; 400_000]] {
        assert_eq!(Weights::read(bytes).map(drop), Err(NotWeights));
    }
}

proptest! {
    #[test]
    fn parts_are_in_order_and_lie_within_the_text(text in "\\PC{0,200}") {
        check(&text)?;
    }

    #[test]
    fn parts_of_things_people_say_are_in_order(words in prop::collection::vec(0..SAID.len(), 0..40)) {
        let text: Vec<&str> = words.iter().map(|at| SAID[*at]).collect();
        check(&text.join(" "))?;
        check(&text.concat())?;
    }
}

const SAID: &[&str] = &[
    "and",
    "then",
    "also",
    ",",
    ";",
    ".",
    "?",
    "if",
    "unless",
    "otherwise",
    "else",
    "or",
    "turn",
    "off",
    "the",
    "light",
    "it",
    "rains",
    "\"",
    "'",
    "what's",
    "the weather",
    "please",
    "remind me",
    "there",
    "after that",
    "as well as",
    "plus",
    "5",
    "é",
    "—",
    "’",
    "“",
    "”",
    "\n",
    "-",
    "tell me",
    "is",
    "i",
    "want",
];

fn check(text: &str) -> Result<(), TestCaseError> {
    let found = split(text);
    prop_assert!((0.0..=1.0).contains(&found.several));
    prop_assert!(found.parts.len() < 2 || found.several >= 0.5, "{found:?}");
    let mut end = 0;
    for part in &found.parts {
        prop_assert!(part.span.start >= end && part.span.end <= text.len());
        prop_assert_eq!(text.get(part.span.clone()), Some(part.text.as_str()));
        prop_assert_eq!(part.text.trim(), part.text.as_str());
        end = part.span.end;
    }
    Ok(())
}
