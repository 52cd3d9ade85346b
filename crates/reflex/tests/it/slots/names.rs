//! Things with names, places, quoted words.

use domain::name::NameKind;

use super::{At, SUNDAY, all, at};

fn home() -> At {
    at(SUNDAY)
        .knows(NameKind::Area, "kitchen", "Kitchen", &[])
        .knows(NameKind::Area, "living_room", "Living Room", &["lounge"])
        .knows(NameKind::Device, "light.kitchen_lamp", "Kitchen Lamp", &[])
        .knows(NameKind::Device, "light.ceiling", "The Ceiling Light", &["ceiling"])
        .knows(NameKind::Device, "switch.toms", "Tom's heater", &[])
        .knows(NameKind::Device, "light.tv2", "TV2", &[])
        .knows(NameKind::Scene, "scene.film", "Film Night", &[])
        .knows(NameKind::Device, "light.stue", "Stålampe", &[])
}

#[test]
fn the_longest_name_wins_in_any_case() {
    home()
        .finds("turn on the KITCHEN LAMP", "thing light.kitchen_lamp")
        .finds("lights in the kitchen", "thing kitchen")
        .finds("the lounge", "thing living_room")
        .finds("ceiling light off", "thing light.ceiling")
        .finds("film night please", "thing scene.film")
        .finds("stålampe på", "thing light.stue")
        .finds("turn off tv2", "thing light.tv2")
        .finds("tom's heater", "thing switch.toms");
}

#[test]
fn one_letter_may_be_wrong_in_long_words() {
    home()
        .finds("turn on the kichen lamp", "thing light.kitchen_lamp")
        .finds("kitchen lamps", "thing light.kitchen_lamp")
        .finds("livng room", "thing living_room")
        .finds("the kitten", "");
}

#[test]
fn several_things_of_one_name_are_told() {
    let two =
        at(SUNDAY).knows(NameKind::Device, "light.a", "Lamp", &[]).knows(NameKind::Device, "light.b", "Lamp", &[]);
    two.asks("the lamp", "Which Lamp do you mean: light.a or light.b?");
}

#[test]
fn a_name_within_a_longer_mention_of_time_is_time() {
    at(SUNDAY)
        .knows(NameKind::Person, "june", "June", &[])
        .finds("call June on the 3rd of june", "thing june; on 2027-06-03")
        .finds("message june", "thing june");
}

#[test]
fn places() {
    all(&[
        ("weather in oslo", "place oslo"),
        ("weather in new york city tomorrow", "place new york city; on 2026-11-16"),
        ("is it raining in São Paulo", "place São Paulo"),
        ("forecast for Lillestrøm", "place Lillestrøm"),
        ("what is it like outside", "place outside"),
        ("weather in miami florida", "place miami florida"),
        ("Oslo, Norway", "place Oslo, Norway"),
        ("have a nice day", ""),
        ("remind us to call Ann", ""),
        ("weather in Kuala Lumpur on friday", "place Kuala Lumpur; on 2026-11-20"),
        ("a meeting in May", "during 2027-05-01T00:00..2027-06-01T00:00"),
    ]);
    home().finds("what is the temperature in the kitchen", "thing kitchen");
}

#[test]
fn quoted_words() {
    all(&[
        ("add \"buy milk\" to the list", "quoted buy milk"),
        ("note “call Ann at 5pm”", "quoted call Ann at 5pm"),
        ("say 'hello there' twice", "quoted hello there"),
        ("don't say it's fine", ""),
        ("a timer called pasta for 10 minutes", "quoted pasta; for PT10M"),
        ("10 minute timer named green tea", "for PT10M; quoted green tea"),
        ("add an event called lunch with Bob tomorrow at noon", "quoted lunch with Bob; at 2026-11-16T12:00"),
        ("who called yesterday", "on 2026-11-14"),
    ]);
}
