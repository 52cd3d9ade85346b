//! Which role a request is for, and how sure that is.
//!
//! The network says a probability for each fine label; a role has the sum of its labels'. What was measured on requests
//! that it had not seen turns that into a confidence that means what it says.

use std::sync::OnceLock;

use crate::calibrate::Curve;
use crate::embed::{Encoded, Encoder, Layer};
use crate::model::{Artefact, ArtefactError, Bytes};

/// The role of whatever is not ours.
pub const OTHER: &str = "other";

/// Labels that [`Scores`] names.
const NAMED: usize = 5;

/// What a text seems to be for.
#[derive(Debug, Clone, PartialEq)]
pub struct Scores<'a> {
    /// Roles and their probabilities, which sum to one, the likeliest first.
    pub roles: Vec<(&'a str, f32)>,
    /// The likeliest fine labels, such as `hwu:alarm_set`, and their raw probabilities.
    pub labels: Vec<(&'a str, f32)>,
    /// How often a first role like this one was right.
    pub confidence: f32,
    /// Share of words that had to be guessed from their spelling.
    pub unknown: f32,
}

impl<'a> Scores<'a> {
    /// The likeliest role.
    pub fn role(&self) -> &'a str {
        self.roles.first().map_or(OTHER, |(role, _)| role)
    }

    /// The probability of a role; none for one that does not exist.
    pub fn of(&self, role: &str) -> f32 {
        self.roles.iter().find(|(name, _)| *name == role).map_or(0.0, |(_, probability)| *probability)
    }
}

/// A head on the encoder: labels, their roles, and how they are calibrated.
#[derive(Debug, Clone)]
pub struct Classifier {
    encoder: &'static Encoder,
    head: Layer,
    labels: Vec<String>,
    /// Names of roles, and for each label the place of its role among them.
    roles: Vec<String>,
    role_of: Vec<usize>,
    tuning: Tuning,
}

/// What calibration found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tuning {
    /// What logits are multiplied with; 0 means 1.
    pub sharpness: f32,
    /// Added to each label's logit before a role is chosen; empty means nothing.
    pub lean: Vec<f32>,
    /// Added instead before it is said how sure that is: what is out of scope is more frequent in use than in training,
    /// and doubt costs less than a wrong answer.
    pub doubt: Vec<f32>,
    /// From the doubtful probability of the chosen role to how often it is right, for roles of ours.
    pub ours: Curve,
    /// The same where the first role is [`OTHER`].
    pub other: Curve,
}

impl Classifier {
    /// The one that is compiled in, read at the first call.
    ///
    /// # Panics
    /// If the artefact was damaged before compiling; a test excludes that.
    pub fn shipped() -> &'static Classifier {
        static SHIPPED: OnceLock<Classifier> = OnceLock::new();
        let read = || Classifier::read(Encoder::shipped(), &Artefact::shipped());
        SHIPPED.get_or_init(|| read().expect("the classifier that is compiled in is whole"))
    }

    /// Reads a head that was trained on this encoder.
    pub fn read(encoder: &'static Encoder, artefact: &Artefact<'_>) -> Result<Self, ArtefactError> {
        let (labels, names) = labels(artefact.need("labels")?).ok_or(ArtefactError::Unfit("labels"))?;
        let head = Layer::read(&mut artefact.need("head")?).ok_or(ArtefactError::Unfit("head"))?;
        if head.outputs() != labels.len() || head.inputs() != encoder.width() {
            return Err(ArtefactError::Unfit("head"));
        }
        let tuning = match artefact.section("tuning") {
            Some(bytes) => Tuning::parse(bytes).ok_or(ArtefactError::Unfit("tuning"))?,
            None => Tuning::default(),
        };
        Ok(Classifier::new(encoder, head, labels, &names, tuning))
    }

    fn new(encoder: &'static Encoder, head: Layer, labels: Vec<String>, names: &[String], tuning: Tuning) -> Self {
        let mut roles: Vec<String> = names.iter().chain([&OTHER.to_owned()]).cloned().collect();
        roles.sort_unstable();
        roles.dedup();
        let role_of = names.iter().map(|name| roles.iter().position(|role| role == name).unwrap_or_default()).collect();
        Classifier { encoder, head, labels, roles, role_of, tuning }
    }

    /// The same with another calibration.
    pub fn with(self, tuning: Tuning) -> Self {
        Classifier { tuning, ..self }
    }

    /// What texts are turned into before they are judged.
    pub fn encoder(&self) -> &'static Encoder {
        self.encoder
    }

    /// Names of the roles it knows.
    pub fn roles(&self) -> impl Iterator<Item = &str> {
        self.roles.iter().map(String::as_str)
    }

    /// Judges a text.
    pub fn judge(&self, text: &str) -> Scores<'_> {
        self.judge_encoded(&self.encoder.features(text))
    }

    /// Judges a text that was encoded before.
    pub fn judge_encoded(&self, encoded: &Encoded) -> Scores<'_> {
        let logits = self.head.apply(&encoded.features);
        let (mut values, mut sums) = (Vec::new(), Vec::new());
        self.spread(&logits, &self.tuning.lean, &mut values, &mut sums);
        let mut roles: Vec<(&str, f32)> = self.roles.iter().map(String::as_str).zip(sums.iter().copied()).collect();
        let first = (0..sums.len()).max_by(|a, b| sums[*a].total_cmp(&sums[*b])).unwrap_or_default();
        roles.sort_by(|a, b| b.1.total_cmp(&a.1));
        let labels = likeliest(&values).into_iter().map(|at| (self.labels[at].as_str(), values[at])).collect();
        self.spread(&logits, &self.tuning.doubt, &mut values, &mut sums);
        let curve = if self.roles[first] == OTHER { &self.tuning.other } else { &self.tuning.ours };
        let confidence = if encoded.words == 0 { 0.0 } else { curve.apply(sums[first]) };
        let unknown = encoded.unknown as f32 / encoded.words.max(1) as f32;
        Scores { roles, labels, confidence, unknown }
    }

    /// What the head says before anything is added, for whoever calibrates.
    pub fn logits(&self, encoded: &Encoded) -> Vec<f32> {
        self.head.apply(&encoded.features)
    }

    /// Labels, and the role of each.
    pub fn labels(&self) -> impl Iterator<Item = (&str, &str)> {
        self.labels.iter().zip(&self.role_of).map(|(label, role)| (label.as_str(), self.roles[*role].as_str()))
    }

    /// Probabilities of labels and of roles.
    fn spread(&self, logits: &[f32], add: &[f32], values: &mut Vec<f32>, sums: &mut Vec<f32>) {
        let sharpness = if self.tuning.sharpness > 0.0 { self.tuning.sharpness } else { 1.0 };
        values.clear();
        values.extend(logits.iter().map(|logit| logit * sharpness));
        values.iter_mut().zip(add).for_each(|(value, add)| *value += add);
        softmax(values);
        sums.clear();
        sums.resize(self.roles.len(), 0.0);
        values.iter().zip(&self.role_of).for_each(|(value, role)| sums[*role] += value);
    }
}

impl Tuning {
    /// The sharpness, then four lists: what is added twice, both curves as points.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let mut bytes = Bytes(bytes);
        let sharpness = bytes.floats(1)?[0];
        let mut list = || bytes.number().and_then(|count| bytes.floats(count));
        let (lean, doubt, ours, other) = (list()?, list()?, list()?, list()?);
        let curve = |flat: &[f32]| Curve::through(flat.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect());
        Some(Tuning { sharpness, lean, doubt, ours: curve(&ours), other: curve(&other) })
    }

    /// The bytes that [`Tuning::parse`] reads.
    pub fn write(&self) -> Vec<u8> {
        let points = |curve: &Curve| curve.knots().iter().flat_map(|(x, y)| [*x, *y]).collect::<Vec<f32>>();
        let mut bytes = self.sharpness.to_le_bytes().to_vec();
        for list in [self.lean.clone(), self.doubt.clone(), points(&self.ours), points(&self.other)] {
            bytes.extend((list.len() as u32).to_le_bytes());
            bytes.extend(list.into_iter().flat_map(f32::to_le_bytes));
        }
        bytes
    }
}

/// The places of the largest values, the largest first.
fn likeliest(values: &[f32]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    let named = NAMED.min(order.len());
    if named > 0 {
        order.select_nth_unstable_by(named - 1, |a, b| values[*b].total_cmp(&values[*a]));
        order.truncate(named);
        order.sort_by(|a, b| values[*b].total_cmp(&values[*a]));
    }
    order
}

/// Turns logits into probabilities that sum to one.
pub(crate) fn softmax(values: &mut [f32]) {
    let most = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    values.iter_mut().for_each(|value| *value = (*value - most).exp());
    let sum: f32 = values.iter().sum();
    values.iter_mut().for_each(|value| *value /= sum);
}

fn labels(mut bytes: Bytes<'_>) -> Option<(Vec<String>, Vec<String>)> {
    let count = bytes.number()?;
    let mut texts = || (0..count).map(|_| bytes.text().map(str::to_owned)).collect::<Option<Vec<String>>>();
    Some((texts()?, texts()?))
}
