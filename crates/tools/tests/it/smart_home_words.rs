//! What is said: answers to questions, and to wishes that cannot be fulfilled.

use std::sync::Arc;

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::smart_home::{House, said};

fn house() -> House {
    House::on(&Arc::default())
}

#[tokio::test]
async fn questions_are_answered_in_a_sentence() {
    let house = house();
    house
        .control("k1", json!({"action": "set", "target": {"area": "kitchen", "domain": "light"}, "brightness": 40}))
        .await;
    house.control("k2", json!({"action": "unlock", "target": {"name": "back door"}})).await;
    let cases = [
        json!({"target": {"domain": "light"}, "question": "which", "state": "on"}),
        json!({"target": {"domain": "light"}, "question": "how_many", "state": "on"}),
        json!({"target": {"domain": "light", "area": "bedroom"}, "question": "any", "state": "on"}),
        json!({"target": {"domain": "light"}, "question": "any", "state": "on"}),
        json!({"target": {"domain": "lock"}, "question": "all", "state": "locked"}),
        json!({"target": {"domain": "light", "area": "kitchen"}, "question": "all", "state": "on"}),
        json!({"target": {"name": "front door"}, "state": "locked"}),
        json!({"target": {"name": "front door"}, "state": "open"}),
        json!({"target": {"name": "garage door"}, "state": "closed"}),
        json!({"target": {"name": "kitchen ceiling light"}, "attribute": "brightness"}),
        json!({"target": {"name": "porch light"}, "attribute": "brightness"}),
        json!({"target": {"area": "bedroom"}, "attribute": "temperature"}),
        json!({"target": {"area": "outside", "class": "temperature"}, "question": "what"}),
        json!({"target": {"area": "living room"}, "attribute": "temperature"}),
        json!({"target": {"area": "kitchen"}, "attribute": "temperature"}),
        json!({"target": {"name": "thermostat"}, "attribute": "target temperature"}),
        json!({"target": {"class": "motion"}}),
        json!({"target": {"domain": "cover"}, "question": "how_many"}),
        json!({"target": {"name": "speaker"}, "attribute": "volume"}),
        json!({"target": {"name": "fan"}, "attribute": "volume"}),
        json!({"target": {"name": "ceiling light"}}),
        json!({"target": {"name": "flux capacitor"}, "state": "on"}),
        json!({"target": {"area": "attic"}, "state": "on"}),
        json!({"target": {}}),
    ];
    let mut answers = Vec::new();
    for case in cases {
        answers.push(format!("{case}\n    {}", said(&house.state(case.clone()).await)));
    }
    answers.push(said(&house.call("list", "k", json!({})).await.expect("a list")));
    insta::assert_snapshot!(answers.join("\n"));
}

#[tokio::test]
async fn what_cannot_be_done_is_said_and_nothing_is_changed() {
    let house = house();
    let lamp = json!({"name": "desk lamp"});
    let cases = [
        json!({"action": "turn_on", "target": {"name": "flux capacitor"}}),
        json!({"action": "turn_on", "target": {"name": "dsk lmp"}}),
        json!({"action": "turn_on", "target": {"name": "ceiling light"}}),
        json!({"action": "turn_on", "target": {"area": "attic"}}),
        json!({"action": "turn_on", "target": {"floor": "basement", "domain": "light"}}),
        json!({"action": "turn_on", "target": {"area": "garage", "domain": "fan"}}),
        json!({"action": "turn_on", "target": {"id": "light.nowhere"}}),
        json!({"action": "turn_on", "target": {}}),
        json!({"action": "turn_on", "target": {"name": "front door"}}),
        json!({"action": "open", "target": {"name": "desk lamp"}}),
        json!({"action": "set", "target": {"name": "front door"}, "brightness": 10}),
        json!({"action": "set", "target": {"area": "hallway", "domain": "lock"}, "volume": 10}),
        json!({"action": "set", "target": lamp, "brightness": 300}),
        json!({"action": "set", "target": lamp, "brightness": -1e300}),
        json!({"action": "set", "target": lamp, "brightness_change": 101}),
        json!({"action": "set", "target": lamp, "colour": "loud"}),
        json!({"action": "set", "target": lamp}),
        json!({"action": "set", "target": {"name": "thermostat"}, "temperature": 90}),
        json!({"action": "set", "target": {"name": "thermostat"}, "temperature_change": 25}),
        json!({"action": "set", "target": {"name": "living room blinds"}, "position": 101}),
        json!({"action": "activate", "target": {"name": "desk lamp"}}),
        json!({"action": "turn_on", "target": {"name": "   "}}),
        json!({"action": "turn_on", "target": {"name": "💡"}}),
        json!({"action": "turn_on", "target": {"name": "مصباح المطبخ"}}),
    ];
    let mut answers = Vec::new();
    for (number, case) in cases.into_iter().enumerate() {
        let answer = house.control(&format!("k{number}"), case.clone()).await;
        assert_eq!(answer["changed"], json!([]), "{case}");
        let kind = ["unknown", "ambiguous", "refused"].into_iter().find(|kind| answer[*kind] == true);
        answers.push(format!("{case}\n    {}: {}", kind.expect("one of the three"), said(&answer)));
    }
    insta::assert_snapshot!(answers.join("\n"));
}

#[tokio::test]
async fn a_question_back_names_the_candidates() {
    let answer = house().control("k", json!({"action": "turn_on", "target": {"name": "kitchen light"}})).await;
    let ids: Vec<&Value> = answer["candidates"].as_array().expect("some").iter().map(|one| &one["id"]).collect();
    assert_eq!(ids, [&json!("light.kitchen_ceiling"), &json!("light.kitchen_counter")]);
}

#[tokio::test]
async fn arguments_of_the_wrong_shape_are_refused_before_anything_is_done() {
    let house = house();
    for wrong in [
        json!({}),
        json!({"action": "explode", "target": {}}),
        json!({"action": "turn_on"}),
        json!({"action": "turn_on", "target": "kitchen"}),
        json!({"action": "turn_on", "target": {"room": "kitchen"}}),
        json!({"action": "set", "target": {"name": "fan"}, "brightness": "bright"}),
    ] {
        assert!(house.call("control", "k", wrong.clone()).await.is_err(), "{wrong}");
    }
    let nowhere = json!({"name": "dark", "target": {"area": "dungeon"}});
    let unknown = house.call("scene_save", "k", nowhere).await.expect("an answer");
    assert_eq!((&unknown["unknown"], unknown.get("scene")), (&json!(true), None));
    let refused = house.call("scene_save", "k", json!({"name": " "})).await.expect("an answer");
    assert_eq!(refused["refused"], true);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_somebody_calls_it_there_is_an_answer(name in "\\PC{0,40}", area in "\\PC{0,10}", number: f64) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let house = house();
            let target = json!({"name": name, "area": area});
            let long = json!({"name": name.repeat(300)});
            for target in [target, long] {
                let answer = house.control("k", json!({"action": "set", "target": target, "brightness": number})).await;
                said(&answer);
                said(&house.state(json!({"target": target, "state": area, "attribute": name})).await);
            }
        });
    }
}
