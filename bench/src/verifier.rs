//! Whether the verifier finds what is wrong with plans, refuses none that is right, and how long it takes.
//!
//! Plans are thrown with dice over the tools that ship and some that declare what they return; defects are planted in
//! them one at a time. Public plans, written by others for other tools, are read beside them.

pub mod defects;
pub mod plans;
pub mod public;
pub mod toolset;

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::ensure;
use clap::Parser;
use domain::budget::Budget;
use domain::finding::{Finding, Weight};
use domain::hash::Hash;
use domain::id::ToolName;
use domain::tool::Toolbox;
use runtime::policy::Rule;
use runtime::verify::{self, Given};
use serde_json::{Value, json};

use crate::dice::Dice;
use crate::process::cpu;

/// Measures the verifier on plans with planted defects, its time, and public plans.
#[derive(Debug, Clone, Parser)]
pub struct Args {
    /// How many valid plans are thrown
    #[arg(long, default_value_t = 2_000)]
    pub plans: usize,
    /// What the dice fall by
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The folder of the public sets
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data"))]
    pub data: PathBuf,
}

/// What a plan is measured by.
#[derive(Default)]
pub struct Circumstances {
    /// What is forbidden or needs a person.
    pub rules: Vec<Rule>,
    /// What may be used.
    pub budget: Budget,
    /// What the first plan could reach.
    pub frozen: Option<Vec<ToolName>>,
    /// The declarations that were planned with.
    pub pins: Option<BTreeMap<ToolName, Hash>>,
}

/// Everything that is found in a plan.
pub fn found(plan: &Value, tools: &dyn Toolbox, circumstances: &Circumstances) -> Vec<Finding> {
    match verify::read(plan) {
        Ok(plan) => verify::verify(&plan, &given(tools, circumstances)).findings,
        Err(findings) => findings,
    }
}

fn given<'g>(tools: &'g dyn Toolbox, circumstances: &'g Circumstances) -> Given<'g> {
    Given {
        tools,
        rules: &circumstances.rules,
        budget: &circumstances.budget,
        max_iterations: 10,
        price: None,
        configuration: None,
        frozen: circumstances.frozen.as_deref(),
        pins: circumstances.pins.as_ref(),
    }
}

/// What became of planted defects and of plans without one.
#[derive(Debug, Clone, Default)]
pub struct Planted {
    /// How often each kind was planted and found.
    pub kinds: BTreeMap<&'static str, (usize, usize)>,
    /// How many plans there were.
    pub valid: usize,
    /// Those that were refused although nothing is wrong with them.
    pub refused: Vec<String>,
    /// A defect of each kind that was not found.
    pub missed: BTreeMap<&'static str, String>,
}

impl Planted {
    /// The share of planted defects that was found.
    pub fn share(&self) -> f64 {
        let (tried, found) = self.kinds.values().fold((0, 0), |sum, kind| (sum.0 + kind.0, sum.1 + kind.1));
        found as f64 / tried.max(1) as f64
    }
}

/// Throws plans and plants every kind of defect in each, where it can be planted.
pub fn plant(toolset: &toolset::Toolset, plans: usize, seed: u64) -> Planted {
    let mut planted = Planted { valid: plans, ..Planted::default() };
    let nothing = Circumstances::default();
    let mut dice = Dice::new(seed);
    for _ in 0..plans {
        let plan = plans::plan(toolset, &mut dice, None);
        let before = found(&plan, &toolset.registry, &nothing);
        if let Some(finding) = before.iter().find(|finding| finding.weight == Weight::Fatal) {
            planted.refused.push(format!("{finding} in {plan}"));
            continue;
        }
        for defect in defects::all() {
            let mut broken = plan.clone();
            let mut circumstances = Circumstances::default();
            let Some(code) = (defect.plant)(toolset, &mut dice, &mut broken, &mut circumstances) else { continue };
            let code = code.to_string();
            let after = found(&broken, &toolset.registry, &circumstances);
            let new = after.iter().any(|finding| finding.code == code && !before.contains(finding));
            let kind = planted.kinds.entry(defect.name).or_default();
            kind.0 += 1;
            kind.1 += usize::from(new);
            if !new {
                planted.missed.entry(defect.name).or_insert_with(|| format!("{code} not found in {broken}"));
            }
        }
    }
    planted
}

/// Microseconds of CPU for a plan of 20 steps: proving it, reading and proving it, and proving it with pins.
pub fn time(toolset: &toolset::Toolset, seed: u64) -> anyhow::Result<[f64; 3]> {
    let mut dice = Dice::new(seed);
    let drafts: Vec<Value> = (0..200).map(|_| plans::plan(toolset, &mut dice, Some(20))).collect();
    let plans: Vec<_> = drafts.iter().filter_map(|draft| verify::read(draft).ok()).collect();
    ensure!(plans.len() == drafts.len(), "a plan could not be read");
    let nothing = Circumstances::default();
    let pinned: Vec<Circumstances> = plans
        .iter()
        .map(|plan| Circumstances { pins: Some(verify::pins(&toolset.registry, plan)), ..Circumstances::default() })
        .collect();
    let each = |work: &dyn Fn()| {
        const ROUNDS: usize = 25;
        work();
        let before = cpu();
        (0..ROUNDS).for_each(|_| work());
        (cpu() - before).as_secs_f64() * 1e6 / (ROUNDS * plans.len()) as f64
    };
    Ok([
        each(&|| {
            for plan in &plans {
                std::hint::black_box(verify::verify(plan, &given(&toolset.registry, &nothing)));
            }
        }),
        each(&|| {
            for draft in &drafts {
                std::hint::black_box(found(draft, &toolset.registry, &nothing));
            }
        }),
        each(&|| {
            for (plan, pinned) in plans.iter().zip(&pinned) {
                std::hint::black_box(verify::verify(plan, &given(&toolset.registry, pinned)));
            }
        }),
    ])
}

/// The figures of planted defects and of time, as JSON.
pub fn figures(planted: &Planted, times: [f64; 3]) -> Value {
    json!({
        "bench": "verifier",
        "plans": planted.valid,
        "refused": planted.refused.len(),
        "kinds": planted.kinds.len(),
        "planted": planted.kinds.values().map(|kind| kind.0).sum::<usize>(),
        "found_share": planted.share(),
        "verify_us": times[0],
        "read_and_verify_us": times[1],
        "verify_with_pins_us": times[2],
    })
}
