//! `agentwright route calibrate`: thresholds from labelled requests, and what can be promised with them.

use std::path::Path;

use domain::role::OTHER;
use reflex::certificate::{Certificate, Refused, Sample, certify_best};
use serde::Serialize;
use serde_json::json;

use super::super::Here;
use super::Known;
use super::labelled::{Labelled, read};
use super::test::judge;
use crate::compose;
use crate::exit::{Exit, Refusal};
use crate::print;

/// What can be promised.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Calibration {
    /// The share of wrong fast answers that is tolerated.
    pub(crate) alpha: f64,
    /// The chance that there are more of them.
    pub(crate) delta: f64,
    /// On how many requests it rests.
    pub(crate) requests: usize,
    /// The promises.
    pub(crate) certificates: Vec<Certificate>,
    /// The roles nothing can be promised for.
    pub(crate) refused: Vec<Refused>,
    /// Whether the thresholds are used from now on.
    pub(crate) kept: bool,
}

/// What is to be promised, and about which mixture of requests.
pub(super) struct Wanted {
    pub(super) alpha: Option<f64>,
    pub(super) delta: Option<f64>,
    pub(super) strangers: f64,
    pub(super) dry: bool,
}

pub(super) async fn calibrate(here: &Here, file: &Path, wanted: Wanted) -> anyhow::Result<Exit> {
    let Wanted { alpha, delta, strangers, dry } = wanted;
    let fast_path = &here.loaded.config.fast_path;
    let alpha = share("alpha", alpha.unwrap_or(fast_path.alpha.get()))?;
    let delta = share("delta", delta.unwrap_or(fast_path.delta.get()))?;
    let strangers = share("strangers", strangers)?;
    let labelled = read(file)?;
    let oos = |one: &Labelled| one.label.as_deref() == Some("oos");
    let strange = labelled.iter().filter(|one| oos(one)).count();
    // Files have fewer of them than life; they never count for less than they are.
    let weight = match strange {
        0 => 1.0,
        _ => (strangers / (1.0 - strangers) * (labelled.len() - strange) as f64 / strange as f64).max(1.0) as f32,
    };
    let known = Known::here(here).await?;
    let judged = judge(here, &known, &labelled);
    // A request that wants several things takes no fast path, whoever it is for.
    let samples: Vec<Sample> = judged
        .iter()
        .filter(|one| one.labelled.role.is_some() && one.role != OTHER && one.judgement.parts.len() == 1)
        .map(|one| Sample {
            role: one.role.clone(),
            confidence: one.judgement.confidence as f32,
            right: one.is_right(),
            weight: if oos(one.labelled) { weight } else { 1.0 },
        })
        .collect();
    let mut calibration = Calibration {
        alpha,
        delta,
        requests: labelled.len(),
        certificates: Vec::new(),
        refused: Vec::new(),
        kept: !dry,
    };
    for verdict in certify_best(&samples, alpha, delta) {
        match verdict {
            Ok(certificate) => calibration.certificates.push(certificate),
            Err(refused) => calibration.refused.push(refused),
        }
    }
    if !dry {
        keep(here, &calibration).await?;
    }
    here.screen.show(&calibration, |ink| print::route::calibration(&calibration, ink))?;
    Ok(Exit::Done)
}

fn share(name: &str, share: f64) -> anyhow::Result<f64> {
    match share > 0.0 && share < 1.0 {
        true => Ok(share),
        false => Err(Refusal::usage(format!("`--{name} {share}` is not between 0 and 1")).into()),
    }
}

async fn keep(here: &Here, calibration: &Calibration) -> anyhow::Result<()> {
    let store = compose::store(&here.loaded).await?;
    let thresholds: serde_json::Map<String, serde_json::Value> = calibration
        .certificates
        .iter()
        .map(|certificate| (certificate.role.clone(), json!(certificate.threshold)))
        .chain(calibration.refused.iter().map(|refused| (refused.role.clone(), json!(null))))
        .collect();
    let value = json!({
        "alpha": calibration.alpha, "delta": calibration.delta, "requests": calibration.requests,
        "thresholds": thresholds, "at": jiff::Timestamp::now(),
    });
    loop {
        let kept = store.kept(compose::CALIBRATION, "thresholds").await?;
        let version = kept.map_or(0, |kept| kept.version);
        if store.keep(compose::CALIBRATION, "thresholds", &value, version).await? {
            return Ok(());
        }
    }
}

pub(super) async fn forget(here: &Here) -> anyhow::Result<Exit> {
    let store = compose::store(&here.loaded).await?;
    let kept = store.kept(compose::CALIBRATION, "thresholds").await?;
    let gone = match kept {
        Some(kept) => store.discard(compose::CALIBRATION, "thresholds", kept.version).await?,
        None => false,
    };
    let words = if gone { "The shipped thresholds are used again.\n" } else { "There was no calibration of yours.\n" };
    here.screen.show(&json!({ "forgotten": gone }), |_| words.to_owned())?;
    Ok(Exit::Done)
}
