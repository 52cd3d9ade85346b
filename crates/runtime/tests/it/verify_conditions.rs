//! What is proved about conditions, and about the steps that hang on them.

use domain::finding::Weight;
use serde_json::json;

use crate::verify::{Circumstances, checked, codes, look};

/// What is found where a step tells somebody under a condition.
fn when(condition: &str) -> Vec<String> {
    let arguments = json!({"to": "ada@example.org", "text": "hello"});
    codes(json!([look(), {"id": "tell", "tool": "mail.send", "arguments": arguments, "when": condition}]))
}

#[test]
fn conditions_are_decided_as_far_as_they_can_be() {
    for fine in [
        "${look.rain}",
        "${look.high} > 5 && ${look.high} < 30",
        "${look.high} > 5 || ${look.high} < 3",
        "${look.sky} == 'rain' || ${look.sky} == 'clouds'",
        "exists ${look.days[3]}",
        "${look.high} == null",
        "${look.sky} contains 'ou'",
        "${look.high} >= 5 && ${look.high} <= 5",
        "!(${look.high} > 5) && !(${look.high} <= 5)",
        "${look.rain} == false && ${look.sky} != 'rain'",
    ] {
        assert_eq!(when(fine), Vec::<String>::new(), "{fine}");
    }
    for never in [
        "false",
        "1 > 2",
        "${look.high} > 5 && ${look.rain} && 3 > ${look.high}",
        "${look.high} >= 5 && ${look.high} < 5",
        "${look.high} == 5 && ${look.high} == 6",
        "${look.high} == 5 && ${look.high} > 6",
        "${look.sky} == 'snow'",
        "${look.sky} != 'rain' && ${look.sky} > 'rain'",
        "${look.rain} && !${look.rain}",
        "${look.rain} && ${look.rain} == false",
        "!exists ${look.high} && ${look.high} > 5",
        "${look.high} < ${look.high}",
        "(${look.high} > 5 && ${look.high} < 3) || (1 == 2)",
    ] {
        assert_eq!(when(never), ["051"], "{never}");
    }
    for always in ["true", "2 > 1", "${look.rain} || !${look.rain}", "${look.high} == 5 || ${look.high} != 5"] {
        assert_eq!(when(always), ["052"], "{always}");
    }
    for odd in ["${look.high}", "${look.high} > 'x'", "${look.rain} > 1", "${look.sky} == 5", "${look.high} contains 5"]
    {
        assert_eq!(when(odd), ["050"], "{odd}");
    }
    assert_eq!(when("${look.wind} > 5"), ["040"]);
}

#[test]
fn what_needs_a_step_that_is_never_begun_is_never_begun_and_what_only_follows_it_is() {
    let never = json!({"id": "never", "tool": "weather.current", "arguments": {"city": "Oslo"}, "when": "1 > 2"});
    let needs = json!({"id": "needs", "tool": "contacts.find", "arguments": {"name": "x ${never.sky}"}, "when": "${never.rain}"});
    let asks = json!({"id": "asks", "goal": "x", "when": "${never.high} > 5"});
    let follows = json!({"id": "follows", "goal": "x", "depends_on": ["never"]});
    let unreachable: Vec<String> = checked(&json!([never, needs, asks, follows]), &Circumstances::default())
        .into_iter()
        .filter(|finding| finding.weight == Weight::Fatal)
        .map(|finding| format!("{} {}", finding.code, finding.step.unwrap_or_default()))
        .collect();
    assert_eq!(unreachable, ["AW-PLAN-051 never", "AW-PLAN-051 needs", "AW-PLAN-051 asks"]);
}
