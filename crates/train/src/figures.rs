//! Measures a classifier the way the public baselines were measured.

use std::path::Path;

use reflex::calibrate::{self, Checked};
use reflex::certificate::{Certificate, certify, certify_together};
use reflex::classify::{Classifier, OTHER};
use reflex::embed::Encoder;

use crate::data::{self, Row};
use crate::head::Head;
use crate::tune;

/// What a classifier said about a row.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The role it chose.
    pub role: String,
    /// The role it should have chosen.
    pub wanted: String,
    /// How sure it was.
    pub confidence: f32,
    /// Whether the row is outside everything.
    pub stranger: bool,
    /// Whether people could disagree.
    pub ambiguous: bool,
}

impl Answer {
    fn right(&self) -> bool {
        self.role == self.wanted
    }
}

/// Asks about every row.
pub fn ask(classifier: &Classifier, rows: &[Row]) -> Vec<Answer> {
    let answer = |row: &Row| {
        let scores = classifier.judge(&row.text);
        Answer {
            role: scores.role().to_owned(),
            wanted: row.role.clone(),
            confidence: scores.confidence,
            stranger: row.out_of_scope(),
            ambiguous: row.ambiguous,
        }
    };
    rows.iter().map(answer).collect()
}

/// Share of right roles.
pub fn accuracy(answers: &[Answer]) -> f64 {
    share(answers.iter(), Answer::right)
}

/// Share of right roles where people agree.
pub fn accuracy_where_clear(answers: &[Answer]) -> f64 {
    share(answers.iter().filter(|answer| !answer.ambiguous), Answer::right)
}

/// The mean over roles of the harmonic mean of precision and recall.
pub fn macro_f1(answers: &[Answer]) -> f64 {
    let mut roles: Vec<&str> = answers.iter().map(|answer| answer.wanted.as_str()).collect();
    roles.sort_unstable();
    roles.dedup();
    let f1 = |role: &&str| {
        let hits = answers.iter().filter(|answer| answer.right() && answer.role == **role).count() as f64;
        let said = answers.iter().filter(|answer| answer.role == **role).count() as f64;
        let were = answers.iter().filter(|answer| answer.wanted == **role).count() as f64;
        2.0 * hits / (said + were).max(1.0)
    };
    roles.iter().map(f1).sum::<f64>() / roles.len().max(1) as f64
}

/// Share of requests in scope that get a right fast answer, with the lowest threshold at which so large a share of fast
/// answers is right.
pub fn coverage(answers: &[Answer], precision: f64) -> f64 {
    let mut fast: Vec<&Answer> = answers.iter().filter(|answer| answer.role != OTHER).collect();
    fast.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
    let inside = answers.iter().filter(|answer| answer.wanted != OTHER).count();
    let (mut right, mut most) = (0, 0);
    for (at, answer) in fast.iter().enumerate() {
        right += usize::from(answer.right());
        // Answers that are equally sure are taken or left together.
        let tied = fast.get(at + 1).is_some_and(|next| next.confidence == answer.confidence);
        if !tied && right as f64 >= precision * (at + 1) as f64 {
            most = right;
        }
    }
    most as f64 / inside.max(1) as f64
}

/// Expected calibration error over fifteen bins.
pub fn calibration_error(answers: &[Answer]) -> f64 {
    let checked: Vec<Checked> = answers
        .iter()
        .map(|answer| Checked { confidence: answer.confidence, right: answer.right(), weight: 1.0 })
        .collect();
    calibrate::error(&checked, 15)
}

/// What happens with thresholds that were chosen elsewhere.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fast {
    /// Share of wrong ones among fast answers.
    pub error: f64,
    /// Share of requests in scope that are answered fast and right.
    pub coverage: f64,
    /// Share of requests outside everything that are answered fast.
    pub strangers: f64,
}

/// Answers fast what these promises cover: those of the role, else the one for all.
pub fn fast(answers: &[Answer], promises: &[Certificate], together: Option<&Certificate>) -> Fast {
    let covered = |answer: &&Answer| {
        let own = promises.iter().find(|promise| promise.role == answer.role).or(together);
        answer.role != OTHER && own.is_some_and(|promise| answer.confidence >= promise.threshold)
    };
    let taken: Vec<&Answer> = answers.iter().filter(covered).collect();
    let inside = answers.iter().filter(|answer| answer.wanted != OTHER).count();
    let right = taken.iter().filter(|answer| answer.right()).count();
    let strangers = answers.iter().filter(|answer| answer.stranger);
    Fast {
        error: 1.0 - right as f64 / taken.len().max(1) as f64,
        coverage: right as f64 / inside.max(1) as f64,
        strangers: share(strangers, |answer| covered(&answer)),
    }
}

fn share<'a>(all: impl Iterator<Item = &'a Answer>, is: impl Fn(&'a Answer) -> bool) -> f64 {
    let (mut count, mut hits) = (0_usize, 0_usize);
    for answer in all {
        count += 1;
        hits += usize::from(is(answer));
    }
    hits as f64 / count.max(1) as f64
}

/// Every figure that the artefact is held to, as what, wanted and reached.
pub fn all(classifier: &Classifier, folder: &Path) -> anyhow::Result<Vec<(String, String, String)>> {
    let mut rows: Vec<(String, String, String)> = Vec::new();
    let mut add = |what: &str, wanted: &str, got: f64| rows.push((what.into(), wanted.into(), format!("{got:.4}")));
    let router = ask(classifier, &data::read(folder, "router6/test")?);
    add("router6 accuracy", "≥ 0.92", accuracy(&router));
    add("router6 accuracy where people agree", "", accuracy_where_clear(&router));
    add("router6 macro-F1", "", macro_f1(&router));
    add("router6 fast and right at 95 % precision, threshold on test", "≥ 0.93", coverage(&router, 0.95));
    add("router6 fast and right at 98 % precision, threshold on test", "≥ 0.82", coverage(&router, 0.98));
    add("router6 fast and right at 99 % precision, threshold on test", "≥ 0.60", coverage(&router, 0.99));
    add("router6 calibration error", "≤ 0.02", calibration_error(&router));
    let samples = tune::samples(classifier, &data::read(folder, "router6/dev")?);
    let promises: Vec<Certificate> = certify(&samples, 0.02, 0.1).into_iter().flatten().collect();
    let together = certify_together(&samples, 0.02, 0.1).ok();
    for (name, promises) in [("one threshold", &[][..]), ("a threshold a role", &promises[..])] {
        let fast = fast(&router, promises, together.as_ref());
        add(&format!("router6 error of fast answers, {name} from dev, α 0.02, δ 0.1"), "≤ 0.02", fast.error);
        add(&format!("router6 fast and right, {name} from dev"), "", fast.coverage);
        add(&format!("router6 out of scope answered fast, {name} from dev"), "≤ 0.10", fast.strangers);
    }
    let slurp = ask(classifier, &data::read(folder, "slurp/test")?);
    add("slurp accuracy, never trained on", "≥ 0.88", accuracy(&slurp));
    add("slurp accuracy where people agree", "", accuracy_where_clear(&slurp));
    add("slurp macro-F1", "", macro_f1(&slurp));
    let house = ask(classifier, &data::read(folder, "home_assistant/test")?);
    add("home_assistant role accuracy", "≥ 0.97", accuracy(&house));
    Ok(rows)
}

/// Sets with labels of their own, and what is wanted of each.
const OWN: [(&str, &str); 3] = [("clinc150", "≥ 0.95"), ("hwu64", "≥ 0.91"), ("banking77", "≥ 0.93")];

/// Accuracy of heads on the same encoder for sets with labels of their own, as what, wanted and reached. They are fitted
/// on the train and dev parts, which takes a minute or two, and asked about the rows in scope of the test parts.
pub fn own_labels(encoder: &Encoder, folder: &Path) -> anyhow::Result<Vec<(String, String, String)>> {
    let measure = |(set, wanted): (&str, &str)| {
        let reached = own_label_accuracy(encoder, folder, set, &["train", "dev"], "test")?;
        Ok((format!("{set} accuracy, its own labels"), wanted.to_owned(), format!("{reached:.4}")))
    };
    OWN.into_iter().map(measure).collect()
}

/// Accuracy on one part of a set with a head fitted on others.
pub fn own_label_accuracy(
    encoder: &Encoder,
    folder: &Path,
    set: &str,
    learned: &[&str],
    asked: &str,
) -> anyhow::Result<f64> {
    let inside = |part: &str| {
        let mut rows = data::read(folder, &format!("{set}/{part}"))?;
        rows.retain(|row| !row.out_of_scope());
        anyhow::Ok(rows)
    };
    let mut known = Vec::new();
    for part in learned {
        known.extend(inside(part)?);
    }
    let examples: Vec<(&str, &str)> = known.iter().map(|row| (row.text.as_str(), row.label.as_str())).collect();
    let head = Head::fit(encoder, &examples);
    let asked = inside(asked)?;
    let right = asked.iter().filter(|row| head.say(encoder, &row.text) == row.label).count();
    Ok(right as f64 / asked.len().max(1) as f64)
}
