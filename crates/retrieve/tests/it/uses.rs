//! What earlier uses change.

use crate::{index, most, names, score, used};

const TEXT: &str = "let my boss know that I am late";

#[test]
fn what_went_well_comes_first_the_next_time() {
    let index = index();
    let before = score(&index, TEXT, "send_sms");
    for _ in 0..3 {
        assert!(index.learn(used(TEXT, "send_sms", true)));
    }
    let found = index.search("let my boss know that I am ill", &most(1));
    assert_eq!(names(&found), ["send_sms"]);
    assert!(score(&index, TEXT, "send_sms") > before);
    assert!(found[0].usage > 0.0);
    assert!(found[0].why.ends_with("was used 3 times for such requests, all went well"), "{}", found[0].why);
}

#[test]
fn a_bad_use_lowers_the_score_below_what_words_and_meaning_give() {
    let index = index();
    let text = "add an event to the calendar";
    let before = score(&index, text, "calendar_add");
    index.learn(used(text, "calendar_add", false));
    let found = index.search(text, &most(1));
    assert!(score(&index, text, "calendar_add") < before);
    assert!(found[0].usage < 0.0);
    assert!(found[0].why.ends_with("was used once for such a request, which went badly"), "{}", found[0].why);
    let once = score(&index, text, "calendar_add");
    index.learn(used(text, "calendar_add", false));
    assert!(score(&index, text, "calendar_add") < once);
}

#[test]
fn uses_for_one_request_leave_others_alone() {
    let index = index();
    let before = score(&index, "the price of a share", "stock_price");
    for _ in 0..5 {
        index.learn(used(TEXT, "send_sms", true));
    }
    assert!((score(&index, "the price of a share", "stock_price") - before).abs() < 0.1);
    assert_eq!(names(&index.search("the price of a share", &most(1))), ["stock_price"]);
}

#[test]
fn two_things_that_one_request_needs_do_not_push_each_other_out() {
    let index = index();
    let text = "get me over there and give me a bed";
    for _ in 0..6 {
        index.learn(used(text, "flight_search", true));
        index.learn(used(text, "hotel_book", true));
    }
    let found = index.search(text, &most(2));
    let mut found = names(&found);
    found.sort_unstable();
    assert_eq!(found, ["flight_search", "hotel_book"]);
}

#[test]
fn nothing_is_learned_about_what_is_not_there() {
    let index = index();
    assert!(!index.learn(used(TEXT, "telegraph", true)));
    assert_eq!(index.size().uses, 0);
}
