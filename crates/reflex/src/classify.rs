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
    /// Added to the logits of every label of [`OTHER`]: out-of-scope requests are more frequent in use than in training.
    pub caution: f32,
    /// From the probability of the first role to how often it is right, for roles of ours.
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
        let sharpness = if self.tuning.sharpness > 0.0 { self.tuning.sharpness } else { 1.0 };
        let mut values = self.head.apply(&encoded.features);
        for (value, role) in values.iter_mut().zip(&self.role_of) {
            let caution = if self.roles[*role] == OTHER { self.tuning.caution } else { 0.0 };
            *value = *value * sharpness + caution;
        }
        softmax(&mut values);
        let mut sums = vec![0.0; self.roles.len()];
        values.iter().zip(&self.role_of).for_each(|(value, role)| sums[*role] += value);
        let mut roles: Vec<(&str, f32)> = self.roles.iter().map(String::as_str).zip(sums).collect();
        roles.sort_by(|a, b| b.1.total_cmp(&a.1));
        let confidence = self.trust(&roles, encoded);
        let mut order: Vec<usize> = (0..values.len()).collect();
        let named = NAMED.min(order.len());
        if named > 0 {
            order.select_nth_unstable_by(named - 1, |a, b| values[*b].total_cmp(&values[*a]));
            order.truncate(named);
            order.sort_by(|a, b| values[*b].total_cmp(&values[*a]));
        }
        let labels = order.into_iter().map(|at| (self.labels[at].as_str(), values[at])).collect();
        let unknown = encoded.unknown as f32 / encoded.words.max(1) as f32;
        Scores { roles, labels, confidence, unknown }
    }

    fn trust(&self, roles: &[(&str, f32)], encoded: &Encoded) -> f32 {
        match roles.first() {
            _ if encoded.words == 0 => 0.0,
            None => 0.0,
            Some((role, probability)) if *role == OTHER => self.tuning.other.apply(*probability),
            Some((_, probability)) => self.tuning.ours.apply(*probability),
        }
    }
}

impl Tuning {
    /// Two numbers, then both curves as counts and points.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let mut bytes = Bytes(bytes);
        let numbers = bytes.floats(2)?;
        let mut curve = || {
            let count = bytes.number()?;
            let flat = bytes.floats(count.checked_mul(2)?)?;
            Some(Curve::through(flat.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()))
        };
        Some(Tuning { sharpness: numbers[0], caution: numbers[1], ours: curve()?, other: curve()? })
    }

    /// The bytes that [`Tuning::parse`] reads.
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = [self.sharpness, self.caution].map(f32::to_le_bytes).concat();
        for curve in [&self.ours, &self.other] {
            bytes.extend((curve.knots().len() as u32).to_le_bytes());
            bytes.extend(curve.knots().iter().flat_map(|(x, y)| [*x, *y]).flat_map(f32::to_le_bytes));
        }
        bytes
    }
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
