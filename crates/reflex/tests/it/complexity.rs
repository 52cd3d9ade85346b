//! How much requests take: what people say at home, and what they would have an assistant see to.

use domain::thought::Orchestration::{self, Adaptive, Simple, Standard};
use domain::thought::Teller;
use proptest::prelude::*;
use reflex::complexity::{Judge, SECTION, Weighed, weigh};
use reflex::model::{Artefact, ArtefactError};
use reflex::split::split;

fn told(text: &str) -> Weighed {
    weigh(text, split(text).parts.len())
}

/// Each with every answer that people could give.
const REQUESTS: &[(&str, &[Orchestration])] = &[
    ("set a timer for ten minutes", &[Simple]),
    ("what's the weather in Oslo tomorrow", &[Simple]),
    ("turn off the lights in the kitchen", &[Simple]),
    ("Turn on the hall light.", &[Simple]),
    ("wake me up at seven", &[Simple]),
    ("cancel my alarm", &[Simple]),
    ("how much time is left on the pasta timer?", &[Simple]),
    ("will it rain this weekend", &[Simple]),
    ("do I need an umbrella today?", &[Simple]),
    ("add milk to my shopping list", &[Simple]),
    ("add milk, eggs and bread to my shopping list", &[Simple]),
    ("play some jazz in the living room", &[Simple]),
    ("what's on my calendar on Friday", &[Simple]),
    ("am I free between two and four on Tuesday", &[Simple]),
    ("schedule lunch with Bob and Carol tomorrow at noon", &[Simple]),
    ("remind me to call mum at six", &[Simple]),
    ("is the back door locked?", &[Simple]),
    ("set the bedroom to 19 degrees", &[Simple]),
    ("who wrote War and Peace", &[Simple]),
    ("what is 17 percent of 240", &[Simple]),
    ("how tall is the Eiffel Tower", &[Simple]),
    ("tell me a joke", &[Simple]),
    ("thank you", &[Simple]),
    ("hello", &[Simple]),
    ("stop", &[Simple]),
    ("text Anna that I'm running late", &[Simple]),
    ("what's the difference between a virus and a bacterium?", &[Simple]),
    ("translate good night into Italian", &[Simple]),
    ("search my notes for the wifi password", &[Simple]),
    ("how do you say thank you in Japanese", &[Simple]),
    ("could you please dim the lights in the dining room a little", &[Simple]),
    ("turn on the kitchen light and the fan", &[Simple]),
    ("send a message to Tom saying \"buy bread, then call Ines and book the table\"", &[Simple]),
    ("open the garage door", &[Simple]),
    ("when does the next train to Bergen leave", &[Simple]),
    ("turn off the kitchen light and set a timer for ten minutes", &[Standard, Simple]),
    ("set an alarm for six and tell me tomorrow's weather", &[Standard, Simple]),
    ("lock the front door and then start the vacuum", &[Standard]),
    ("find a good lasagne recipe and add what I need to the shopping list", &[Standard]),
    ("look up the opening hours of the museum and mail them to Ines", &[Standard]),
    ("book a table at Luigi's for eight and add it to my calendar", &[Standard]),
    ("check my calendar for Thursday and move the dentist to Friday if there is a clash", &[Standard, Adaptive]),
    ("if it rains tomorrow, cancel the picnic and tell the others", &[Standard, Adaptive]),
    ("summarize the report and send the summary to my boss", &[Standard]),
    ("compare the two phone contracts and tell me which one is cheaper", &[Standard, Adaptive]),
    ("find flights to Lisbon and hotels near the beach", &[Standard, Simple]),
    ("translate this letter into German and print it", &[Standard]),
    ("extract the text from scan.png and translate it into French", &[Standard]),
    ("plan my holidays", &[Standard]),
    ("organise a farewell party for Lena", &[Standard]),
    ("plan a three day trip to Rome, book a table for the second evening and mail the itinerary to Anna", &[Adaptive]),
    (
        "Find three flats in Leeds under 900 pounds, compare them, arrange viewings and put them into my calendar",
        &[Adaptive],
    ),
    (
        "research electric cars, compare the five cheapest, then write a recommendation and send it to my brother",
        &[Adaptive],
    ),
    (
        "download the recording, transcribe it, summarize the transcript, and then mail the summary to everyone who was there",
        &[Adaptive],
    ),
    (
        "Check the stock of printer paper. If there are less than five packs, order ten more, then tell the office and note the cost in the budget.",
        &[Adaptive],
    ),
    (
        "go through last year's invoices, find the ones that were never paid, write a reminder to each customer and make a list of what is still open",
        &[Adaptive],
    ),
    (
        "Plan the team offsite: find a venue for twenty people, ask everyone for their diet, book the train and prepare an agenda based on the survey results",
        &[Adaptive],
    ),
    (
        "first collect the error logs, then find out which service failed, and depending on the result restart it or open a ticket and inform the team",
        &[Adaptive],
    ),
    (
        "I want to learn Spanish: find a course near me, compare prices, sign me up for the best one and plan an hour every day in my calendar",
        &[Adaptive],
    ),
    (
        "take the photo beach.jpg, remove the background, put it onto poster.png, and finally upload the result and send the link to Tom",
        &[Adaptive],
    ),
    (
        "find out what the neighbours pay for heating, work out whether a heat pump would be cheaper, and write to three installers for offers if it is",
        &[Adaptive, Standard],
    ),
];

#[test]
fn requests_take_what_people_would_say() {
    let wrong: Vec<String> = REQUESTS
        .iter()
        .map(|(text, wanted)| (text, wanted, told(text).complexity))
        .filter(|(_, wanted, got)| !wanted.contains(&got.orchestration))
        .map(|(text, wanted, got)| format!("{} not {wanted:?}: {text}\n  {}", got.score, got.explanation))
        .collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), REQUESTS.len(), wrong.join("\n"));
}

#[test]
fn score_orchestration_and_passes_go_together() {
    for (text, _) in REQUESTS {
        let complexity = told(text).complexity;
        let (low, high, passes) = match complexity.orchestration {
            Simple => (0.0, 0.3, 1),
            Standard => (0.3, 0.7, 2),
            Adaptive => (0.7, 1.01, 3),
        };
        assert!((low..high).contains(&complexity.score.get()), "{complexity:?}");
        assert_eq!(complexity.passes, passes, "{text}");
        assert!(matches!(complexity.strategy, Teller::Semantic | Teller::Lexical));
    }
}

#[test]
fn the_reason_is_given_in_words_weightiest_first() {
    let trip = told(REQUESTS[50].0).complexity;
    assert!(trip.explanation.starts_with("Takes many steps that hang together: it "), "{}", trip.explanation);
    assert!(trip.signals.iter().any(|seen| seen.signal == "has three verbs of doing" && seen.value == 3.0), "{trip:?}");
    let timer = told("set a timer for ten minutes").complexity;
    assert!(timer.explanation.starts_with("Takes one step: it "), "{}", timer.explanation);
    for complexity in [trip, timer] {
        assert!(complexity.signals.is_sorted_by(|a, b| a.weight.abs() >= b.weight.abs()), "{complexity:?}");
    }
}

#[test]
fn what_nobody_can_read_here_is_left_to_a_model() {
    for text in ["احجز طاولة لشخصين ثم أرسل الدعوة", "προγραμμάτισε ένα ταξίδι στη Ρώμη", "qwrtz plmk vbnx"]
    {
        assert!(!told(text).sure, "{text}");
    }
    assert_eq!(told("Stell einen Timer auf zehn Minuten").complexity.orchestration, Simple);
}

#[test]
fn nothing_takes_one_step_and_is_sure() {
    for text in ["", "   ", "?!…", "🍕🎉"] {
        let weighed = weigh(text, 0);
        assert!(weighed.sure && weighed.complexity.score.get() == 0.0, "{weighed:?}");
        assert_eq!(weighed.complexity.explanation, "Takes one step: it has no words.");
    }
}

#[test]
fn only_the_beginning_of_a_huge_text_is_read() {
    let huge = "then book a table and call Ann, ".repeat(1000);
    assert_eq!(weigh(&huge, 9), weigh(&huge[..8000], 9));
    assert_eq!(weigh(&huge, 9).complexity.orchestration, Adaptive);
}

#[test]
fn what_was_not_learned_is_said_to_be_missing() {
    let bare = Artefact::write(&[(SECTION, b"1234")]);
    let read = |file: &[u8]| Judge::read(&Artefact::parse(file).expect("an artefact"));
    assert_eq!(read(&bare), Err(ArtefactError::Unfit(SECTION)));
    assert_eq!(read(&Artefact::write(&[])), Err(ArtefactError::Missing(SECTION)));
    let whole = Judge::shipped().write();
    assert_eq!(read(&Artefact::write(&[(SECTION, &whole)])).as_ref(), Ok(Judge::shipped()));
}

proptest! {
    #[test]
    fn whatever_is_said_is_weighed(text in "(\\PC|[a-z ,.'\"@:/\n]){0,300}", parts in 0_usize..70_000) {
        let weighed = weigh(&text, parts);
        prop_assert_eq!(&weighed, &weigh(&text, parts));
        let Weighed { complexity, .. } = weighed;
        prop_assert!((1..=3).contains(&complexity.passes));
        prop_assert!(complexity.signals.len() <= 8);
        prop_assert!(complexity.signals.iter().all(|seen| seen.weight.abs() <= 1.0 && seen.value.is_finite()));
        prop_assert!(complexity.explanation.len() < 400);
    }
}
