//! Whole requests, with the shipped roles and a small house.

use std::path::Path;
use std::sync::LazyLock;

use domain::name::{Name, NameKind};
use domain::role::Role;
use reflex::{Circumstances, Experience, Policy, Router, draft};

pub(crate) fn roles() -> Vec<Role> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../agentwright/roles");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("roles").map(|file| file.expect("a file").path()).collect();
    files.sort();
    let read = |file: &std::path::PathBuf| -> Role {
        let mut role: Role = toml::from_str(&std::fs::read_to_string(file).expect("read")).expect("a role");
        role.shipped = true;
        role
    };
    files.iter().map(read).collect()
}

static ROUTER: LazyLock<Router> = LazyLock::new(|| {
    let started = std::time::Instant::now();
    let router = Router::new(roles(), Policy::default(), Experience::default()).expect("roles");
    println!("learned in {:?}", started.elapsed());
    router
});

fn house() -> Vec<Name> {
    let name = |kind, id: &str, name: &str, domain: Option<&str>, within: Option<&str>| Name {
        kind,
        id: id.into(),
        name: name.into(),
        aliases: Vec::new(),
        domain: domain.map(str::to_owned),
        class: None,
        within: within.map(str::to_owned),
    };
    vec![
        name(NameKind::Area, "kitchen", "Kitchen", None, None),
        name(NameKind::Area, "bedroom", "Bedroom", None, None),
        name(NameKind::Device, "light.kitchen", "Kitchen Light", Some("light"), Some("kitchen")),
        name(NameKind::Device, "light.lamp", "Bedroom Lamp", Some("light"), Some("bedroom")),
        name(NameKind::Device, "lock.front", "Front Door", Some("lock"), None),
    ]
}

/// What becomes of a request, in a line or a few.
fn told(text: &str) -> String {
    let router = &*ROUTER;
    let names = house();
    let now = "2026-11-15T10:00[Europe/Oslo]".parse().expect("a moment");
    let circumstances = Circumstances { now, names: &names, person: Some("Ada"), seed: 0 };
    let started = std::time::Instant::now();
    let judgement = router.judge(text, &circumstances);
    println!("{:?}", started.elapsed());
    let mut lines = vec![format!("{}: {}", text.chars().take(60).collect::<String>(), judgement.decision.word())];
    for part in &judgement.parts {
        let act =
            part.act.as_ref().map(|act| format!("{} {}", act.tool, serde_json::Value::from(act.arguments.clone())));
        let mut line = format!("  {}: {}", part.role, act.unwrap_or_else(|| "-".into()));
        if let Some(missing) = &part.missing {
            line.push_str(&format!(" asks: {}", missing.question));
        }
        if let Some(when) = &part.when {
            line.push_str(&format!(" when {when}"));
        }
        lines.push(line);
    }
    let _ = draft(text, &judgement);
    lines.join("\n")
}

#[test]
fn look() {
    for text in [
        "set a timer for ten minutes",
        "set a timer",
        "wake me up at half past six tomorrow",
        "turn off the kitchen light and set a timer for ten minutes",
        "what's the weather in Oslo tomorrow, and if it rains remind me at eight to take an umbrella",
        "search for good pizza places, then add dinner there on Friday at seven to my calendar",
        "turn on the flux capacitor",
        "add dinner with Anna on Friday at seven to my calendar",
        "what's on my calendar tomorrow",
        "remember that my sister's birthday is on May 3",
        "what can you do",
        "hello",
        "is the front door locked",
        "cancel all timers",
        "remind me to call mum at 6 pm",
        "move my dentist appointment to Thursday at nine",
        "plan a trip to Japan with three stops and book the hotels",
        "if it rains tomorrow, remind me at 8 am to take an umbrella",
    ] {
        println!("{}", told(text));
    }
}
#[test]
fn timing() {
    use std::time::Instant;
    let texts: Vec<String> = std::fs::read_to_string("/work/shared/data/router6/dev.jsonl")
        .expect("data")
        .lines()
        .map(|l| serde_json::from_str::<serde_json::Value>(l).expect("json")["text"].as_str().expect("text").to_owned())
        .collect();
    let router = &*ROUTER;
    let names = house();
    let now: jiff::Zoned = "2026-11-15T10:00[Europe/Oslo]".parse().expect("a moment");
    let circumstances = Circumstances { now, names: &names, person: Some("Ada"), seed: 0 };
    let time = |what: &str, f: &dyn Fn(&str)| {
        let mut all: Vec<f64> = texts
            .iter()
            .map(|t| {
                let s = Instant::now();
                f(t);
                s.elapsed().as_secs_f64() * 1e6
            })
            .collect();
        all.sort_by(f64::total_cmp);
        println!("{what}: p50 {:.1} p99 {:.1}", all[all.len() / 2], all[all.len() * 99 / 100]);
    };
    for _ in 0..2 {
        time("judge", &|t| {
            router.judge(t, &circumstances);
        });
        time("classify", &|t| {
            reflex::classify::Classifier::shipped().judge(t);
        });
        time("slots", &|t| {
            reflex::slots::find(t, &reflex::slots::Surroundings { now: circumstances.now.clone(), names: &names });
        });
        time("home", &|t| {
            reflex::home::understand(t, &names, None);
        });
        time("reckon", &|t| {
            reflex::reckon::reckon(t, &circumstances.now);
        });
        time("split", &|t| {
            reflex::split::split(t);
        });
    }
}
