//! What the learned router reaches on public test sets, and what it costs.

use std::path::Path;
use std::time::Instant;

use clap::Parser;
use reflex::classify::Classifier;
use reflex::embed::Encoder;
use reflex::learn::{Lesson, learn};
use reflex::model::Artefact;
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};
use train::figures;

use crate::process::{memory, percentiles};

/// Measures the router on the test parts of public sets: roles, thresholds, calibration, time and memory.
#[derive(Debug, Clone, Parser)]
pub struct Args {
    /// Leave out the sets with labels of their own, for which heads are trained, which takes minutes
    #[arg(long)]
    pub roles_only: bool,
}

/// What loading and asking costs; no set is needed. Comes first, so that memory is only the router's.
pub fn cost() -> Value {
    let (before, _) = memory();
    let begun = cpu_micros();
    let classifier = Classifier::shipped();
    let loading = (cpu_micros() - begun) / 1e3;
    let texts = [
        "set a timer for ten minutes",
        "what's the weather going to be like in Oslo tomorrow afternoon",
        "turn off the lights in the kitchen and the living room please",
        "could you move my dentist appointment from tuesday to thursday at half past nine",
        "how many calories does a slice of pepperoni pizza have",
        "wat is teh wether lik in Reykjavík todday",
        "thanks",
        "send an email to Katharina and ask her whether she has received the documents i sent last week",
    ];
    texts.iter().for_each(|text| drop(classifier.judge(text)));
    let mut micros: Vec<f64> = (0..4000)
        .map(|n| {
            let begun = cpu_micros();
            std::hint::black_box(classifier.judge(std::hint::black_box(texts[n % texts.len()])));
            cpu_micros() - begun
        })
        .collect();
    let (p50, p99) = percentiles(&mut micros);
    let (now, most) = memory();
    let begun = Instant::now();
    let lessons: Vec<Lesson> = (0..20).map(lesson).collect();
    std::hint::black_box(learn(classifier, &lessons));
    json!({
        "p50_us": p50, "p99_us": p99, "load_ms": loading, "artefact_bytes": Artefact::shipped_size(),
        "memory_mb": (now.saturating_sub(before)) as f64 / 1e6, "peak_mb": most as f64 / 1e6,
        "learn_20_roles_of_30_examples_ms": begun.elapsed().as_secs_f64() * 1e3,
    })
}

/// Every figure on the sets, as what, wanted and reached.
pub fn reach(args: &Args, folder: &Path) -> anyhow::Result<Vec<(String, String, String)>> {
    let mut rows = figures::all(Classifier::shipped(), folder)?;
    if !args.roles_only {
        rows.extend(figures::own_labels(Encoder::shipped(), folder)?);
    }
    Ok(rows)
}

/// A made-up role with thirty examples.
fn lesson(n: usize) -> Lesson {
    let verbs = ["start", "stop", "check", "order", "describe", "move"];
    let things = ["boat", "piano", "greenhouse", "camera", "bicycle"];
    let say = |verb: &&str| things.map(|thing| format!("{verb} the {thing} number {n}")).to_vec();
    Lesson { role: format!("role {n}"), examples: verbs.iter().flat_map(say).collect(), shipped: false }
}

/// Processor time of this thread in microseconds.
fn cpu_micros() -> f64 {
    let spent = clock_gettime(ClockId::ThreadCPUTime);
    spent.tv_sec as f64 * 1e6 + spent.tv_nsec as f64 / 1e3
}
