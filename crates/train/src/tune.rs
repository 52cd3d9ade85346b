//! Calibrates the distilled head on requests it has not seen.
//!
//! The dev part of router6 holds one request in forty that is out of scope. In use they are more frequent, and so they
//! are in its test part: dev rows that are out of scope weigh so much that they are [`STRANGERS`] of all.

use reflex::calibrate::{Checked, Curve};
use reflex::certificate::Sample;
use reflex::classify::{Classifier, OTHER, Tuning};
use reflex::embed::Encoded;

use crate::data::Row;

/// The share of requests that is taken to be out of scope.
pub const STRANGERS: f32 = 0.15;
/// The share of right roles among dev rows, so weighed, up to which choosing a role gives way to caution.
const ENOUGH: f32 = 0.92;
/// Sources of labels in scope that the dev part has no rows of, so that nothing can be learned about them there.
const UNSEEN: [&str; 3] = ["ha", "own", "snips"];
/// How strongly what is added to labels is held small.
const HOLD: f32 = 0.002;

/// A dev row, encoded and answered.
struct Asked {
    logits: Vec<f32>,
    role: usize,
    weight: f32,
}

/// What calibration finds on these rows, for a classifier without any.
pub fn tune(classifier: &Classifier, rows: &[Row]) -> Tuning {
    let labels: Vec<(String, String)> =
        classifier.labels().map(|(label, role)| (label.to_owned(), role.to_owned())).collect();
    let roles: Vec<&str> = classifier.roles().collect();
    let role_of: Vec<usize> =
        labels.iter().map(|(_, role)| roles.iter().position(|own| own == role).unwrap_or_default()).collect();
    let weights = weights(rows);
    let asked: Vec<Asked> = rows
        .iter()
        .zip(&weights)
        .map(|(row, weight)| Asked {
            logits: classifier.logits(&encode(classifier, &row.text)),
            role: roles.iter().position(|own| *own == row.role).unwrap_or_default(),
            weight: *weight,
        })
        .collect();
    let mut sources: Vec<&str> = labels.iter().map(|(label, _)| source(label)).collect();
    sources.sort_unstable();
    sources.dedup();
    let place = |label: &str| sources.iter().position(|own| *own == source(label)).unwrap_or_default();
    let source_of: Vec<usize> = labels.iter().map(|(label, _)| place(label)).collect();

    let mut best = vec![0.0; sources.len() + 1];
    let loss = |found: &[f32]| {
        let add: Vec<f32> = source_of.iter().map(|source| found[source + 1]).collect();
        let mut sum = 0.0;
        for one in &asked {
            sum -=
                one.weight * spread(&one.logits, found[0].exp(), &add, &role_of, roles.len())[one.role].max(1e-9).ln();
        }
        sum / weights.iter().sum::<f32>() + HOLD * found[1..].iter().map(|x| x * x).sum::<f32>()
    };
    let mut least = loss(&best);
    let mut step = 0.4;
    for round in 1..=12 {
        for at in 0..best.len() {
            if at > 0 && UNSEEN.contains(&sources[at - 1]) {
                continue;
            }
            for by in [step, -step] {
                let mut other = best.clone();
                other[at] += by;
                let now = loss(&other);
                if now < least - 1e-6 {
                    (best, least) = (other, now);
                    break;
                }
            }
        }
        if round % 3 == 0 {
            step /= 2.0;
        }
    }
    let doubt: Vec<f32> = source_of.iter().map(|source| best[source + 1]).collect();
    let sharpness = best[0].exp();
    let right = |share: f32| {
        let lean: Vec<f32> = doubt.iter().map(|add| add * share).collect();
        let hits: f32 = asked
            .iter()
            .filter(|one| first(&spread(&one.logits, sharpness, &lean, &role_of, roles.len())) == one.role)
            .map(|one| one.weight)
            .sum();
        hits / weights.iter().sum::<f32>()
    };
    let share = (0..=20_u8).map(|n| f32::from(n) / 20.0).find(|share| right(*share) >= ENOUGH).unwrap_or(1.0);
    let lean: Vec<f32> = doubt.iter().map(|add| add * share).collect();
    println!("added to sources {sources:?}: {:?}, of which {share} when choosing", &best[1..]);

    let (mut ours, mut others) = (Vec::new(), Vec::new());
    for one in &asked {
        let chosen = first(&spread(&one.logits, sharpness, &lean, &role_of, roles.len()));
        let confidence = spread(&one.logits, sharpness, &doubt, &role_of, roles.len())[chosen];
        let checked = Checked { confidence, right: chosen == one.role, weight: one.weight };
        if roles[chosen] == OTHER { others.push(checked) } else { ours.push(checked) }
    }
    Tuning { sharpness, lean, doubt, ours: curve(&ours), other: curve(&others) }
}

/// Answers of a calibrated classifier on these rows, as far as they are fast ones.
pub fn samples(classifier: &Classifier, rows: &[Row]) -> Vec<Sample> {
    let answered = rows.iter().zip(weights(rows)).map(|(row, weight)| {
        let scores = classifier.judge(&row.text);
        let role = scores.role().to_owned();
        Sample { right: role == row.role, role, confidence: scores.confidence, weight }
    });
    answered.filter(|sample| sample.role != OTHER).collect()
}

/// One for each row, more for those that are out of scope.
pub fn weights(rows: &[Row]) -> Vec<f32> {
    let strangers = rows.iter().filter(|row| row.out_of_scope()).count() as f32;
    let others = rows.len() as f32 - strangers;
    let heavy = STRANGERS / (1.0 - STRANGERS) * others / strangers.max(1.0);
    rows.iter().map(|row| if row.out_of_scope() { heavy.max(1.0) } else { 1.0 }).collect()
}

fn encode(classifier: &Classifier, text: &str) -> Encoded {
    classifier.encoder().features(text)
}

/// Where a label comes from; out of scope is a source of its own.
fn source(label: &str) -> &str {
    if label == "clinc:oos" { "oos" } else { label.split(':').next().unwrap_or(label) }
}

/// A monotone fit, smoothed by demanding that each step rests on many rows.
fn curve(checked: &[Checked]) -> Curve {
    let total: f32 = checked.iter().map(|one| one.weight).sum();
    let fitted = Curve::fit(checked, total / 25.0);
    let mut knots = fitted.knots().to_vec();
    knots.insert(0, (0.0, knots.first().map_or(0.0, |(x, y)| y.min(*x) * 0.5)));
    // Beyond the last step the surest are still told apart.
    knots.push((1.0, 0.9995));
    Curve::through(knots)
}

fn first(values: &[f32]) -> usize {
    (0..values.len()).max_by(|a, b| values[*a].total_cmp(&values[*b])).unwrap_or_default()
}

fn spread(logits: &[f32], sharpness: f32, add: &[f32], role_of: &[usize], roles: usize) -> Vec<f32> {
    let most = logits.iter().zip(add).map(|(logit, add)| logit * sharpness + add).fold(f32::NEG_INFINITY, f32::max);
    let (mut sums, mut total) = (vec![0.0; roles], 0.0);
    for ((logit, add), role) in logits.iter().zip(add).zip(role_of) {
        let value = (logit * sharpness + add - most).exp();
        sums[*role] += value;
        total += value;
    }
    sums.iter_mut().for_each(|sum| *sum /= total);
    sums
}
