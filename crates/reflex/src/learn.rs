//! What a user teaches at the start: roles and actions from a handful of examples, on top of what is shipped.
//!
//! The shipped network stays as it is. Examples are placed by it and by their words, and a small head is fitted on those
//! places, which takes milliseconds.

use std::collections::BTreeMap;

use crate::classify::{Classifier, OTHER, Scores, softmax};
use crate::embed::{Encoded, Encoder};
use crate::features;
use crate::tokens;

/// How much of the direction of a text is its words as they stand, beside what they mean.
const LITERAL: f32 = 0.35;
/// How alike an example must be to count as much as a network that is sure of nothing, how much more where it is sure of
/// something, and how sudden the change is.
const ALIKE: f32 = 0.36;
const SURER: f32 = 0.38;
const STEEP: f32 = 18.0;
/// Slots that words are hashed into.
const SLOTS: u32 = 4096;
/// Rounds of fitting, and how fast the first ones go.
const ROUNDS: usize = 60;
const SPEED: f32 = 4.0;
/// How strongly weights are held small.
const HOLD: f32 = 2e-4;

/// A role and what people say when they want it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lesson {
    /// Its name; that of a shipped role adds to it or, with no examples, changes nothing.
    pub role: String,
    /// Sentences that are for it.
    pub examples: Vec<String>,
    /// Whether the shipped network's own knowledge of a role of this name counts. Where it does not, the user's examples
    /// alone say what the role is.
    pub shipped: bool,
}

/// The shipped roles and the user's.
#[derive(Debug, Clone)]
pub struct Learned<'a> {
    base: &'a Classifier,
    chooser: Chooser,
    /// Shipped roles that the user does not have; what they would get is [`OTHER`]'s.
    retired: Vec<String>,
}

/// Learns roles. Shipped roles that no lesson names are retired.
pub fn learn<'a>(base: &'a Classifier, roles: &[Lesson]) -> Learned<'a> {
    let kept = |role: &str| role == OTHER || roles.iter().any(|lesson| lesson.role == role && lesson.shipped);
    let retired = base.roles().filter(|role| !kept(role)).map(str::to_owned).collect();
    let lessons: Vec<(String, Vec<String>)> = roles.iter().map(|l| (l.role.clone(), l.examples.clone())).collect();
    Learned { base, chooser: Chooser::learn(base.encoder(), &lessons), retired }
}

impl Learned<'_> {
    /// Judges a text for all roles. The nearer it is to one of the user's examples, the more those decide.
    pub fn judge(&self, text: &str) -> Scores<'_> {
        self.judge_encoded(&self.base.encoder().features(text), text)
    }

    /// Judges a text that was encoded before.
    pub fn judge_encoded(&self, encoded: &Encoded, text: &str) -> Scores<'_> {
        let shipped = self.base.judge_encoded(encoded);
        if self.chooser.is_empty() && self.retired.is_empty() {
            return shipped;
        }
        let point = Point::new(encoded, text);
        let first = shipped.roles.first().copied().unwrap_or((OTHER, 0.0));
        let sure = if self.is_retired(first.0) { 0.3 } else { first.1 };
        let say = self.chooser.say(&point, sure);
        if say == 0.0 && self.retired.is_empty() {
            return shipped;
        }
        let weighed = self.chooser.weigh(&point);
        let mut sums: BTreeMap<&str, f32> = BTreeMap::new();
        for (role, probability) in &shipped.roles {
            let role = if self.is_retired(role) { OTHER } else { role };
            *sums.entry(role).or_default() += probability * (1.0 - say);
        }
        for (role, probability) in &weighed {
            *sums.entry(role).or_default() += *probability * say;
        }
        let mut roles: Vec<(&str, f32)> = sums.into_iter().collect();
        roles.sort_by(|a, b| b.1.total_cmp(&a.1));
        let first = roles.first().copied().unwrap_or((OTHER, 0.0));
        // The curve that was measured speaks for the network's share only.
        let trusted = if shipped.role() == first.0 { shipped.confidence } else { shipped.of(first.0) };
        let confidence = if encoded.words == 0 { 0.0 } else { trusted * (1.0 - say) + say * share(&weighed, first.0) };
        Scores { roles, confidence, ..shipped }
    }

    fn is_retired(&self, role: &str) -> bool {
        self.retired.iter().any(|retired| retired == role)
    }

    /// The user's examples that are nearest to a text.
    pub fn nearest(&self, text: &str, count: usize) -> Vec<(&str, &str, f32)> {
        self.chooser.nearest(text, count)
    }
}

/// Chooses among named things by examples of what is said for each.
#[derive(Debug, Clone)]
pub struct Chooser {
    encoder: &'static Encoder,
    names: Vec<String>,
    examples: Vec<Example>,
    weights: Vec<Vec<f32>>,
}

#[derive(Debug, Clone)]
struct Example {
    text: String,
    name: usize,
    point: Point,
}

impl Chooser {
    /// Learns from a handful of examples each.
    pub fn learn(encoder: &'static Encoder, lessons: &[(String, Vec<String>)]) -> Self {
        let mut names: Vec<String> = Vec::new();
        let mut examples = Vec::new();
        for (name, texts) in lessons {
            let at = names.iter().position(|own| own == name).unwrap_or_else(|| {
                names.push(name.clone());
                names.len() - 1
            });
            examples.extend(texts.iter().map(|text| Example {
                text: text.clone(),
                name: at,
                point: Point::new(&encoder.features(text), text),
            }));
        }
        let weights = fit(&examples, names.len());
        Chooser { encoder, names, examples, weights }
    }

    /// All names with their probabilities, the likeliest first.
    pub fn choose(&self, text: &str) -> Vec<(&str, f32)> {
        self.choose_encoded(&self.encoder.features(text), text)
    }

    /// The same for a text that was encoded before.
    pub fn choose_encoded(&self, encoded: &Encoded, text: &str) -> Vec<(&str, f32)> {
        let mut all = self.weigh(&Point::new(encoded, text));
        all.sort_by(|a, b| b.1.total_cmp(&a.1));
        all
    }

    /// The nearest examples: their text, their name, and how alike they are, at most 1.
    pub fn nearest(&self, text: &str, count: usize) -> Vec<(&str, &str, f32)> {
        let point = Point::new(&self.encoder.features(text), text);
        let alike = |example: &Example| example.point.alike(&point);
        let mut all: Vec<(&Example, f32)> = self.examples.iter().map(|example| (example, alike(example))).collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1));
        all.truncate(count);
        all.into_iter()
            .map(|(example, like)| (example.text.as_str(), self.names[example.name].as_str(), like))
            .collect()
    }

    fn is_empty(&self) -> bool {
        self.examples.is_empty()
    }

    fn weigh(&self, point: &Point) -> Vec<(&str, f32)> {
        let mut values: Vec<f32> = self.weights.iter().map(|weights| point.times(weights)).collect();
        softmax(&mut values);
        self.names.iter().map(String::as_str).zip(values).collect()
    }

    /// How much the examples have to say about a text: everything if it is one of them, nothing if it is like none. The
    /// surer the network is of another role, the more alike they must be.
    fn say(&self, point: &Point, sure: f32) -> f32 {
        let most = self.examples.iter().map(|example| example.point.alike(point)).fold(0.0, f32::max);
        let say = (1.0 + (-STEEP * (most - ALIKE - SURER * sure)).exp()).recip();
        if say < 0.02 { 0.0 } else { say }
    }
}

fn share(weighed: &[(&str, f32)], name: &str) -> f32 {
    weighed.iter().find(|(own, _)| *own == name).map_or(0.0, |(_, probability)| *probability)
}

/// A text as the examples see it: a direction of length one, partly meaning, partly the words themselves.
#[derive(Debug, Clone)]
struct Point {
    dense: Vec<f32>,
    literal: Vec<(u32, f32)>,
}

impl Point {
    fn new(encoded: &Encoded, text: &str) -> Self {
        let length = encoded.features.iter().map(|x| x * x).sum::<f32>().sqrt().max(1e-6);
        let meaning = ((1.0 - LITERAL) / 2.0).sqrt();
        let mut dense: Vec<f32> = encoded.features.iter().map(|x| x / length * meaning).collect();
        dense.extend(encoded.place.iter().map(|x| x * meaning));
        let words: Vec<u32> =
            tokens::walk(text).take(crate::embed::LONGEST).map(|word| features::hash(word.text.bytes())).collect();
        let pairs = words.windows(2).map(|pair| pair[0].rotate_left(7) ^ pair[1]);
        let mut slots: Vec<u32> = words.iter().copied().chain(pairs).map(|hash| hash % SLOTS).collect();
        slots.sort_unstable();
        let mut literal: Vec<(u32, f32)> =
            slots.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as f32)).collect();
        let length = literal.iter().map(|(_, x)| x * x).sum::<f32>().sqrt().max(1e-6);
        literal.iter_mut().for_each(|(_, x)| *x = *x / length * LITERAL.sqrt());
        Point { dense, literal }
    }

    fn alike(&self, other: &Point) -> f32 {
        let dense = product(&self.dense, &other.dense);
        let (mut one, mut two, mut literal) = (self.literal.iter().peekable(), other.literal.iter().peekable(), 0.0);
        while let (Some(a), Some(b)) = (one.peek(), two.peek()) {
            match a.0.cmp(&b.0) {
                std::cmp::Ordering::Less => drop(one.next()),
                std::cmp::Ordering::Greater => drop(two.next()),
                std::cmp::Ordering::Equal => {
                    literal += a.1 * b.1;
                    one.next();
                    two.next();
                }
            }
        }
        dense + literal
    }

    /// The product with weights of a name: the dense ones, the literal ones, the bias.
    fn times(&self, weights: &[f32]) -> f32 {
        let (dense, rest) = weights.split_at(self.dense.len());
        let sum = product(&self.dense, dense);
        sum + self.literal.iter().map(|(slot, x)| x * rest[*slot as usize]).sum::<f32>() + rest[SLOTS as usize]
    }

    fn push(&self, weights: &mut [f32], by: f32) {
        let (dense, rest) = weights.split_at_mut(self.dense.len());
        dense.iter_mut().zip(&self.dense).for_each(|(weight, x)| *weight += by * x);
        self.literal.iter().for_each(|(slot, x)| rest[*slot as usize] += by * x);
        rest[SLOTS as usize] += by * 0.1;
    }
}

/// The sum of products, eight at a time: a single sum would have to wait for itself.
fn product(one: &[f32], other: &[f32]) -> f32 {
    let ((eights, rest), (others, other_rest)) = (one.as_chunks::<8>(), other.as_chunks::<8>());
    let mut sums = [0.0_f32; 8];
    for (one, other) in eights.iter().zip(others) {
        for at in 0..8 {
            sums[at] += one[at] * other[at];
        }
    }
    sums.iter().sum::<f32>() + rest.iter().zip(other_rest).map(|(a, b)| a * b).sum::<f32>()
}

/// Weights of each name by plain descent, name by name as heavy as another however many examples it has.
fn fit(examples: &[Example], names: usize) -> Vec<Vec<f32>> {
    let Some(first) = examples.first() else { return Vec::new() };
    let mut counts = vec![0.0_f32; names];
    examples.iter().for_each(|example| counts[example.name] += 1.0);
    let mean = examples.len() as f32 / counts.iter().filter(|count| **count > 0.0).count().max(1) as f32;
    let mut weights = vec![vec![0.0; first.point.dense.len() + SLOTS as usize + 1]; names];
    for round in 0..ROUNDS {
        let speed = SPEED / (1.0 + round as f32 / 15.0);
        for example in examples {
            let mut values: Vec<f32> = weights.iter().map(|own| example.point.times(own)).collect();
            softmax(&mut values);
            let heft = (mean / counts[example.name]).sqrt().min(3.0);
            for (name, own) in weights.iter_mut().enumerate() {
                let wanted = f32::from(u8::from(name == example.name));
                let by = speed * heft * (wanted - values[name]);
                if by.abs() > 1e-4 {
                    example.point.push(own, by);
                }
            }
        }
        weights.iter_mut().flatten().for_each(|weight| *weight *= 1.0 - HOLD * speed * mean);
    }
    weights
}
