//! How long.

use super::all;

#[test]
fn durations_in_digits_and_in_words() {
    all(&[
        ("set a timer for 10 minutes", "for PT10M"),
        ("timer for an hour and a half", "for PT1H30M"),
        ("wait half an hour", "for PT30M"),
        ("half hour timer", "for PT30M"),
        ("timer 1h30m", "for PT1H30M"),
        ("timer 1h30", "for PT1H30M"),
        ("90 sec timer", "for PT90S"),
        ("two and a half hours", "for PT2H30M"),
        ("1.5 hours", "for PT1H30M"),
        ("a couple of minutes", "for PT2M"),
        ("an hour, 20 minutes and 5 seconds", "for PT1H20M5S"),
        ("an hour and twenty minutes", "for PT1H20M"),
        ("an hour and twenty", "for PT1H20M"),
        ("set a ten-minute timer", "for PT10M"),
        ("a minute and a half", "for PT1M30S"),
        ("three quarters of an hour", "for PT45M"),
        ("a quarter of an hour", "for PT15M"),
        ("set the timer to twenty five minutes", "for PT25M"),
        ("TIMER FOR 5 MINS", "for PT5M"),
        ("snooze for 5m", "for PT5M"),
        ("block two weeks", "for P2W"),
        ("a fortnight", "for P2W"),
        ("two hours thirty", "for PT2H30M"),
        ("set a timer for 1/2 a minute", "for PT30S"),
        ("a 3 night stay", "for P3D"),
        ("an hour and forty five minutes please", "for PT1H45M"),
        ("1 hr 5 min", "for PT1H5M"),
        ("book 3 nights", "for P3D"),
        ("set a timer for 1:30:00", "for PT1H30M"),
        ("a hundred and five seconds", "for PT105S"),
    ]);
}

#[test]
fn durations_that_need_a_word_more() {
    all(&[
        ("five to ten minutes", "for PT5M ?"),
        ("10-15 minutes", "for PT10M ?"),
        ("a few minutes", "for PT3M ?"),
        ("set a timer for 1:30", "for PT1M30S ?"),
    ]);
    super::at(super::SUNDAY).asks("cook it five to ten minutes", "Do you mean 5 minutes or 10 minutes?");
}

#[test]
fn what_only_sounds_like_a_duration() {
    all(&[("just a second", ""), ("twice a day", ""), ("set a timer", ""), ("play the 1990s mix", "number 1990")]);
}
