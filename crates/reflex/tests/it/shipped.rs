//! What is compiled in, asked about plain and about odd texts.

use domain::embed::{Embedder, likeness};
use proptest::prelude::*;
use reflex::classify::Classifier;
use reflex::embed::StaticEmbedder;

fn role(text: &str) -> &'static str {
    Classifier::shipped().judge(text).role()
}

#[test]
fn plain_requests_go_to_their_roles() {
    assert_eq!(role("set a timer for ten minutes"), "timer");
    assert_eq!(role("What's the weather like in Oslo tomorrow?"), "weather");
    assert_eq!(role("turn off the kitchen light"), "smart_home");
    assert_eq!(role("add dinner with Anna to my calendar on friday at seven"), "calendar");
    assert_eq!(role("tell me a joke"), "conversation");
    assert_eq!(role("SEND AN EMAIL TO MY BOSS"), "other");
}

#[test]
fn meaning_counts_more_than_words() {
    let embedder = StaticEmbedder::shipped();
    let [one, two, three] =
        ["is it going to rain today", "what is the weather forecast", "transfer money to my savings account"]
            .map(|text| embedder.embed(text));
    assert!(likeness(&one, &two) > likeness(&one, &three) + 0.1);
    assert_eq!(one.len(), embedder.dimensions());
}

#[test]
fn a_text_without_words_is_not_answered() {
    for text in ["", "   ", "…!?", "🙂🙂"] {
        let scores = Classifier::shipped().judge(text);
        assert_eq!(scores.confidence, 0.0, "{text:?}");
    }
}

#[test]
fn ten_kilobytes_are_read_no_further_than_they_matter() {
    let long = "please turn on the light ".repeat(400);
    assert_eq!(role(&long), role(&long[..2000]));
}

proptest! {
    #[test]
    fn any_text_has_probabilities(text in "\\PC{0,120}") {
        let scores = Classifier::shipped().judge(&text);
        let sum: f32 = scores.roles.iter().map(|(_, probability)| probability).sum();
        prop_assert!((sum - 1.0).abs() < 1e-3);
        prop_assert!((0.0..=1.0).contains(&scores.confidence));
        prop_assert!(scores.roles.windows(2).all(|pair| pair[0].1 >= pair[1].1));
    }
}
