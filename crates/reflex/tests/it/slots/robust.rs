//! Whatever is typed, the answer is well formed.

use proptest::prelude::*;
use reflex::slots::without;

use super::{SUNDAY, at};

fn well_formed(text: &str) {
    let slots = at(SUNDAY).knows(domain::name::NameKind::Area, "bad", "Bad Zimmer", &["ß", "'s"]).slots(text);
    let mut end = 0;
    for slot in &slots {
        assert!(slot.span.start >= end, "sorted and disjoint: {slots:?}");
        assert!(slot.span.start < slot.span.end, "not empty: {slots:?}");
        end = slot.span.end;
    }
    let mut all: Vec<_> = slots.iter().flat_map(|slot| std::iter::once(&slot.span).chain(&slot.also)).collect();
    all.sort_by_key(|span| span.start);
    for pair in all.windows(2) {
        assert!(pair[0].end <= pair[1].start, "no two share a byte: {slots:?}");
    }
    for span in all {
        assert!(text.get(span.clone()).is_some(), "on character boundaries: {slots:?}");
    }
    let _ = without(text, &slots.iter().collect::<Vec<_>>());
}

#[test]
fn strange_texts_are_read_without_harm() {
    for text in [
        "",
        " ",
        "'",
        "''",
        "\"",
        "“”",
        "a",
        "at",
        "in",
        "from to",
        "from 5 to",
        "every",
        "the",
        "½",
        "%",
        "$",
        "-",
        "minus",
        "half",
        "👍👍 at 5pm 🎉",
        "תזכיר לי מחר ב-7",
        "ذكرني غدا",
        "明日の7時",
        "AT SEVEN TOMORROW",
        "999999999999 years",
        "in 99999999 years",
        "99999999999999999 days ago",
        "the 99th",
        "0/0",
        "5/0",
        "00:00:00",
        "24:00",
        "-0",
        "next",
        "1h99999999m",
        "İSTANBUL'DA 5'TE",
        "every 0 days",
        "every 99999999999 weeks at 5pm",
        "in a few years",
        "february 30 to february 31",
        "from february 30 at 25:00",
        "a quarter",
        "quarter to",
        "5 to to 5",
        "on the",
        "last",
        "friday the",
        "9999-12-31",
        "in 8000 years at 5pm",
    ] {
        well_formed(text);
    }
    well_formed(&"remind me at 5 tomorrow and ".repeat(400));
    well_formed(&"9".repeat(10_000));
    well_formed(&"every monday and ".repeat(600));
}

const VOCABULARY: &[&str] = &[
    "at",
    "5",
    "to",
    "tomorrow",
    "every",
    "monday",
    "half",
    "past",
    "quarter",
    "the",
    "3rd",
    "of",
    "march",
    "in",
    "two",
    "hours",
    "and",
    "a",
    "from",
    "until",
    "pm",
    "next",
    "last",
    "week",
    "friday",
    ":",
    "30",
    "-",
    "/",
    "2027",
    "hundred",
    "twenty",
    "one",
    "'s",
    "noon",
    "tonight",
    "morning",
    "between",
    "degrees",
    "%",
    "called",
    "\"",
    "oslo",
    "minutes",
    "ago",
    "Bad",
    "Zimmer",
    "other",
    "day",
    "month",
    "first",
    "point",
    "minus",
    "1/2",
    "9-11am",
    "7:75",
    "february",
    "31",
    "weekend",
    "this",
    "on",
    "for",
    "christmas",
    "year",
    ",",
];

proptest! {
    #[test]
    fn any_text_gives_sorted_disjoint_spans(text in ".{0,60}") {
        well_formed(&text);
    }

    #[test]
    fn any_order_of_the_words_we_know_gives_sorted_disjoint_spans(
        words in prop::collection::vec((prop::sample::select(VOCABULARY), prop::sample::select(&["", " ", " "][..])), 0..14),
    ) {
        let text: String = words.iter().flat_map(|(word, gap)| [*word, *gap]).collect();
        well_formed(&text);
    }
}
