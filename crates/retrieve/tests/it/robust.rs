//! Texts that are not what one would expect.

use domain::embed::Embedder;
use domain::library::Kind;
use proptest::prelude::*;
use retrieve::{Entry, Index, Use};
use std::sync::Arc;

use crate::{empty, index, most, names};

#[test]
fn an_empty_index_and_an_empty_text_find_nothing_to_say() {
    assert!(empty().search("anything", &most(5)).is_empty());
    assert!(empty().shortlist("find this and do that", &[], 5).is_empty());
    for text in ["", " ", "?", "x", "the"] {
        let found = index().search(text, &most(3));
        assert_eq!(found.len(), 3);
        assert!(found.iter().all(|found| found.score < 0.1 && found.words == 0.0), "{text}: {found:?}");
    }
    assert!(index().search("weather", &most(0)).is_empty());
}

#[test]
fn a_hundred_kilobytes_are_searched_by_their_beginning() {
    let text = format!("what is the weather like? {}", "lorem ipsum dolor sit amet, and then. ".repeat(2_700));
    assert!(text.len() > 100_000);
    let index = index();
    assert_eq!(names(&index.search(&text, &most(1))), ["weather_forecast"]);
    assert_eq!(index.shortlist(&text, &[], 3).len(), 3);
    assert!(index.learn(Use { text, kind: Kind::Tool, name: "send_sms".to_owned(), good: true }));
}

#[test]
fn scripts_without_spaces_are_found_by_their_characters() {
    let index = index();
    index.put(vec![
        Entry::new(Kind::Tool, "bing", "使用必应搜索指定的关键词"),
        Entry::new(Kind::Tool, "pogoda", "прогноз погоды на завтра"),
    ]);
    assert_eq!(names(&index.search("搜索关键词", &most(1))), ["bing"]);
    assert_eq!(names(&index.search("какая погода завтра", &most(1))), ["pogoda"]);
}

#[test]
fn an_embedder_of_few_numbers_is_as_good_as_it_is() {
    struct Length;
    impl Embedder for Length {
        fn dimensions(&self) -> usize {
            2
        }
        fn embed(&self, text: &str) -> Vec<f32> {
            if text.contains("red") { vec![1.0, 0.0] } else { vec![0.0, 1.0] }
        }
    }
    let index = Index::new(Arc::new(Length));
    index.put(vec![Entry::new(Kind::Tool, "one", "is red"), Entry::new(Kind::Tool, "two", "is blue")]);
    let found = index.search("a red one", &most(2));
    assert_eq!(names(&found), ["one", "two"]);
    assert!(found[0].meaning > 0.99 && found[1].meaning < 0.01);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn whatever_is_said_scores_are_numbers_between_nothing_and_certainty(
        text in "\\PC{0,200}", name in "\\PC{0,20}", description in "\\PC{0,80}", good in any::<bool>(),
    ) {
        let index = index();
        index.put(vec![Entry::new(Kind::Cohort, &name, &description)]);
        index.learn(Use { text: text.clone(), kind: Kind::Cohort, name, good });
        for found in index.search(&text, &crate::most(9)).into_iter().chain(index.shortlist(&text, &[], 9)) {
            for part in [found.score, found.words, found.meaning] {
                prop_assert!((0.0..=1.0).contains(&part));
            }
            prop_assert!((-1.0..=1.0).contains(&found.usage));
            prop_assert!(!found.why.is_empty());
        }
    }
}
