//! What is left of a request without its values.

use reflex::slots::without;

use super::{SUNDAY, at};

#[track_caller]
fn leaves(text: &str, expected: &str) {
    let slots = at(SUNDAY).slots(text);
    assert_eq!(without(text, &slots.iter().collect::<Vec<_>>()), expected, "of `{text}`");
}

#[test]
fn the_rest_of_a_request_can_be_a_title() {
    leaves("call mom tomorrow at 5pm", "call mom");
    leaves("tomorrow at five call mom", "call mom");
    leaves("tomorrow call the dentist at 5pm", "call the dentist");
    leaves("on friday the 13th at half past six dinner with Ann", "dinner with Ann");
    leaves("dinner with Ann at 7pm on friday, bring wine", "dinner with Ann, bring wine");
    leaves("a timer called pasta for ten minutes", "a timer");
    leaves("water the plants every monday at 8am", "water the plants");
    leaves("schedule lunch with Sarah next thursday at 12:30 pm", "schedule lunch with Sarah");
    leaves("buy milk, eggs and bread on saturday morning", "buy milk, eggs and bread");
    leaves("tomorrow's standup", "standup");
    leaves("ring Åse på jobb kl at 15:00 🎉", "ring Åse på jobb kl 🎉");
    leaves("tomorrow", "");
    leaves("", "");
}
