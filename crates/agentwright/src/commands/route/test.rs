//! `agentwright route test`: labelled requests, and how often they are understood.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use domain::role::OTHER;
use domain::route::{Decision, Judgement};
use reflex::calibrate::{Checked, error};
use serde::Serialize;
use serde_json::{Value, json};

use super::super::Here;
use super::Known;
use super::labelled::{Labelled, read, roles};
use crate::args::Output;
use crate::exit::Exit;
use crate::print;

/// How many bins confidence is compared with correctness in.
const BINS: usize = 15;

/// A request and what became of it.
pub(super) struct Judged<'l> {
    pub(super) labelled: &'l Labelled,
    pub(super) judgement: Judgement,
    /// The role as the file knows roles.
    pub(super) role: String,
    took: Duration,
}

/// How often requests are understood.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Summary {
    /// How many requests there are.
    pub(crate) requests: usize,
    /// The share whose role is right.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) accuracy: Option<f64>,
    /// The mean over roles of the harmonic mean of precision and recall.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) macro_f1: Option<f64>,
    /// Of the requests that a role of ours should answer, the share that is answered without a plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) coverage: Option<f64>,
    /// The share of fast answers whose role is right.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) precision: Option<f64>,
    /// How many fast answers there are.
    pub(crate) fast: usize,
    /// Of the requests that no role should answer, the share that is not answered without a plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) abstention: Option<f64>,
    /// The same for those labelled `oos`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) abstention_oos: Option<f64>,
    /// The mean distance between confidence and the share that is right.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) calibration_error: Option<f64>,
    /// Requests that want several things and are told from those that want one: F1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) multi_f1: Option<f64>,
    /// The share of requests for one thing that are taken apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) split_wrongly: Option<f64>,
    /// The share of values named in `slots` that are found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) slots_found: Option<f64>,
    /// What each role reaches.
    pub(crate) roles: BTreeMap<String, RoleSummary>,
    /// Half of the requests take no longer.
    pub(crate) p50_us: f64,
    /// All but one in a hundred take no longer.
    pub(crate) p99_us: f64,
}

/// What one role reaches.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct RoleSummary {
    /// How many requests are for it.
    pub(crate) requests: usize,
    /// The share of what it is given that is for it.
    pub(crate) precision: f64,
    /// The share of what is for it that it is given.
    pub(crate) recall: f64,
    /// Of what is for it, the share that is answered without a plan.
    pub(crate) coverage: f64,
}

pub(super) async fn test(here: &Here, file: &Path) -> anyhow::Result<Exit> {
    let labelled = read(file)?;
    let known = Known::here(here).await?;
    let judged = judge(here, &known, &labelled);
    let summary = summarise(&judged);
    match here.screen.output {
        Output::Text => print::write(&print::route::summary(&summary))?,
        Output::Json | Output::StreamJson => {
            let mut lines = String::new();
            for (at, one) in judged.iter().enumerate() {
                lines.push_str(&line(at, one).to_string());
                lines.push('\n');
            }
            lines.push_str(&json!({ "summary": summary }).to_string());
            lines.push('\n');
            print::write(&lines)?;
        }
    }
    Ok(Exit::Done)
}

/// Judges every request as if it came now.
pub(super) fn judge<'l>(here: &Here, known: &Known, labelled: &'l [Labelled]) -> Vec<Judged<'l>> {
    let theirs = roles(labelled);
    let circumstances = known.circumstances(here);
    let one = |labelled: &'l Labelled| {
        let started = Instant::now();
        let judgement = known.router.judge(&labelled.text, &circumstances);
        let took = started.elapsed();
        let role = if theirs.contains(&judgement.role) { judgement.role.clone() } else { OTHER.to_owned() };
        Judged { labelled, judgement, role, took }
    };
    labelled.iter().map(one).collect()
}

impl Judged<'_> {
    /// Whether it is answered without a plan, or asked back about.
    pub(super) fn is_fast(&self) -> bool {
        matches!(self.judgement.decision, Decision::Fast | Decision::Ask) && self.role != OTHER
    }

    pub(super) fn is_right(&self) -> bool {
        self.labelled.role.as_ref() == Some(&self.role)
    }
}

fn line(at: usize, one: &Judged<'_>) -> Value {
    let judgement = &one.judgement;
    json!({
        "id": one.labelled.id.clone().unwrap_or_else(|| json!(at + 1)),
        "role": one.role,
        "confidence": judgement.confidence,
        "decision": judgement.decision.word(),
        "parts": judgement.parts,
    })
}

fn summarise(all: &[Judged<'_>]) -> Summary {
    let judged: Vec<&Judged<'_>> = all.iter().filter(|one| one.labelled.role.is_some()).collect();
    let known_roles = |value: f64| (!judged.is_empty()).then_some(value);
    let share = |some: usize, all: usize| if all == 0 { 1.0 } else { some as f64 / all as f64 };
    let count = |test: &dyn Fn(&Judged<'_>) -> bool| judged.iter().filter(|one| test(one)).count();
    let ours = |one: &Judged<'_>| one.labelled.role.as_deref().is_some_and(|role| role != OTHER);
    let oos = |one: &Judged<'_>| one.labelled.label.as_deref() == Some("oos");
    let fast = count(&|one| one.is_fast());
    let mut by_role = BTreeMap::new();
    let names: std::collections::BTreeSet<&str> =
        judged.iter().flat_map(|one| [one.labelled.role.as_deref().unwrap_or(OTHER), &one.role]).collect();
    for name in names {
        let wanted = count(&|one| one.labelled.role.as_deref() == Some(name));
        let given = count(&|one| one.role == name);
        let both = count(&|one| one.role == name && one.is_right());
        let answered = count(&|one| one.labelled.role.as_deref() == Some(name) && one.is_fast());
        let summary = RoleSummary {
            requests: wanted,
            precision: share(both, given),
            recall: share(both, wanted),
            coverage: if name == OTHER { 0.0 } else { share(answered, wanted) },
        };
        by_role.insert(name.to_owned(), summary);
    }
    let f1 = |summary: &RoleSummary| harmonic(summary.precision, summary.recall);
    let known: Vec<&RoleSummary> = by_role.values().filter(|summary| summary.requests > 0).collect();
    let checked: Vec<Checked> = judged
        .iter()
        .map(|one| Checked { confidence: one.judgement.confidence as f32, right: one.is_right(), weight: 1.0 })
        .collect();
    let others = count(&|one| !ours(one));
    let strangers = count(&oos);
    let abstained = |test: &dyn Fn(&Judged<'_>) -> bool| count(&|one| test(one) && !one.is_fast());
    let mut times: Vec<Duration> = all.iter().map(|one| one.took).collect();
    times.sort_unstable();
    let at = |share: f64| times[((times.len() - 1) as f64 * share).round() as usize].as_secs_f64() * 1e6;
    Summary {
        requests: all.len(),
        accuracy: known_roles(share(count(&|one| one.is_right()), judged.len())),
        macro_f1: known_roles(known.iter().map(|summary| f1(summary)).sum::<f64>() / known.len().max(1) as f64),
        coverage: known_roles(share(count(&|one| ours(one) && one.is_fast()), count(&ours))),
        precision: known_roles(share(count(&|one| one.is_fast() && one.is_right()), fast)),
        fast,
        abstention: (others > 0).then(|| share(abstained(&|one| !ours(one)), others)),
        abstention_oos: (strangers > 0).then(|| share(abstained(&oos), strangers)),
        calibration_error: known_roles(error(&checked, BINS)),
        multi_f1: multi_f1(all),
        split_wrongly: split_wrongly(all),
        slots_found: slots_found(all),
        roles: by_role,
        p50_us: at(0.5),
        p99_us: at(0.99),
    }
}

fn harmonic(one: f64, other: f64) -> f64 {
    if one + other == 0.0 { 0.0 } else { 2.0 * one * other / (one + other) }
}

fn is_several(one: &Judged<'_>) -> bool {
    one.judgement.parts.len() > 1
}

fn multi_f1(judged: &[Judged<'_>]) -> Option<f64> {
    let labelled: Vec<_> = judged.iter().filter_map(|one| Some((one.labelled.multi?, is_several(one)))).collect();
    let both = labelled.iter().filter(|(wanted, found)| *wanted && *found).count() as f64;
    let wanted = labelled.iter().filter(|(wanted, _)| *wanted).count() as f64;
    let found = labelled.iter().filter(|(_, found)| *found).count() as f64;
    (wanted > 0.0).then(|| harmonic(both / found.max(1.0), both / wanted))
}

fn split_wrongly(judged: &[Judged<'_>]) -> Option<f64> {
    let singles: Vec<bool> = judged.iter().filter(|one| one.labelled.multi == Some(false)).map(is_several).collect();
    let wrong = singles.iter().filter(|split| **split).count();
    (!singles.is_empty()).then(|| wrong as f64 / singles.len() as f64)
}

/// A value counts as found if an argument says it, or says what it means in other letters.
fn slots_found(judged: &[Judged<'_>]) -> Option<f64> {
    let (mut wanted, mut found) = (0_usize, 0_usize);
    for one in judged {
        let acts = one.judgement.parts.iter().filter_map(|part| part.act.as_ref());
        let said: String = acts
            .map(|act| Value::Object(act.arguments.clone()).to_string().to_lowercase())
            .collect::<Vec<_>>()
            .join(" ");
        for value in one.labelled.values() {
            wanted += 1;
            found += usize::from(said.contains(&value));
        }
    }
    (wanted > 0).then(|| found as f64 / wanted as f64)
}
