//! What was learned about requests that take several steps, as it is compiled in: a line through what requests mean, and
//! another through their words, their form and their meaning together.

use std::sync::OnceLock;

use super::form::{Form, LEVELS, SIGNALS, SLOTS, Signal};
use crate::embed::Encoder;
use crate::model::{Artefact, ArtefactError, Bytes};

/// Where it is in the artefact.
pub const SECTION: &str = "complexity";

/// A weight per number of a pooled text.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// One a number.
    pub weights: Vec<f32>,
    /// What is added whatever the text.
    pub bias: f32,
}

impl Line {
    /// One that says nothing of so many numbers.
    pub fn nothing(width: usize) -> Self {
        Line { weights: vec![0.0; width], bias: 0.0 }
    }

    /// The log odds that a text with this pool takes several steps.
    pub fn odds(&self, pool: &[f32]) -> f32 {
        self.weights.iter().zip(pool).map(|(weight, value)| weight * value).sum::<f32>() + self.bias
    }
}

/// Tells requests that take several steps from those that take one.
#[derive(Debug, Clone, PartialEq)]
pub struct Judge {
    /// By meaning alone.
    pub semantic: Line,
    /// Log odds below and above which meaning alone is enough.
    pub certain: [f32; 2],
    /// Meaning's share where all is taken together.
    pub meaning: Line,
    /// What each step of each signal speaks for; nothing on average.
    pub form: [[f32; LEVELS + 1]; SIGNALS],
    /// A weight per word and pair of words, in steps.
    words: Vec<i8>,
    step: f32,
    /// What words speak for on average.
    pub habit: f32,
    /// Log odds from which on, either way, no model need be asked.
    pub sure: f32,
}

/// Log odds by what they come from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Evidence {
    pub(super) form: [f32; SIGNALS],
    pub(super) words: f32,
    pub(super) meaning: f32,
}

impl Evidence {
    pub(super) fn odds(&self) -> f32 {
        self.form.iter().sum::<f32>() + self.words + self.meaning
    }
}

impl Judge {
    /// Knows nothing yet.
    pub fn nothing(width: usize) -> Self {
        Judge {
            semantic: Line::nothing(width),
            certain: [f32::NEG_INFINITY, f32::INFINITY],
            meaning: Line::nothing(width),
            form: [[0.0; LEVELS + 1]; SIGNALS],
            words: vec![0; SLOTS],
            step: 0.0,
            habit: 0.0,
            sure: 0.0,
        }
    }

    /// Takes weights of words, each rounded to one of 255 steps.
    pub fn set_words(&mut self, weights: &[f32]) {
        self.step = weights.iter().fold(f32::MIN_POSITIVE, |most, weight| most.max(weight.abs())) / 127.0;
        self.words = weights.iter().map(|weight| (weight / self.step).round() as i8).collect();
        self.words.resize(SLOTS, 0);
    }

    /// The one that is compiled in, read at the first call.
    ///
    /// # Panics
    /// If the artefact was damaged before compiling; a test excludes that.
    pub fn shipped() -> &'static Judge {
        static SHIPPED: OnceLock<Judge> = OnceLock::new();
        SHIPPED.get_or_init(|| Judge::read(&Artefact::shipped()).expect("the judge that is compiled in is whole"))
    }

    /// Reads what [`Judge::write`] wrote.
    pub fn read(artefact: &Artefact<'_>) -> Result<Self, ArtefactError> {
        parse(artefact.need(SECTION)?).ok_or(ArtefactError::Unfit(SECTION))
    }

    /// The bytes of the section.
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = (self.semantic.weights.len() as u32).to_le_bytes().to_vec();
        let lines = [&self.semantic, &self.meaning];
        let numbers = lines.into_iter().flat_map(|line| line.weights.iter().copied().chain([line.bias]));
        let numbers = numbers.chain(self.certain).chain([self.sure, self.step, self.habit]);
        bytes.extend(numbers.chain(self.form.as_flattened().iter().copied()).flat_map(f32::to_le_bytes));
        bytes.extend(self.words.iter().map(|word| word.cast_unsigned()));
        bytes
    }

    /// The log odds by words, form and meaning together.
    pub fn odds(&self, form: &Form, pool: &[f32]) -> f32 {
        self.evidence(form, pool).odds()
    }

    /// The same, by what they come from.
    pub(super) fn evidence(&self, form: &Form, pool: &[f32]) -> Evidence {
        let of_signal = |signal: Signal| self.form[signal as usize][form.level(signal)];
        let words: i32 = form.slots.iter().map(|(slot, _)| self.steps(*slot)).sum();
        Evidence {
            form: Signal::ALL.map(of_signal),
            words: words as f32 * self.step * form.share() - self.habit,
            meaning: self.meaning.odds(pool),
        }
    }

    /// What a word or pair of words speaks for, in steps.
    pub(super) fn steps(&self, slot: u32) -> i32 {
        self.words.get(slot as usize).map_or(0, |steps| i32::from(*steps))
    }
}

fn parse(mut bytes: Bytes<'_>) -> Option<Judge> {
    let width = bytes.number()?;
    if width != Encoder::shipped().pool_width() {
        return None;
    }
    let mut line = || Some(Line { weights: bytes.floats(width)?, bias: *bytes.floats(1)?.first()? });
    let (semantic, meaning) = (line()?, line()?);
    let rest = bytes.floats(5)?;
    let steps = bytes.floats(SIGNALS * (LEVELS + 1))?;
    let mut form = [[0.0; LEVELS + 1]; SIGNALS];
    form.as_flattened_mut().copy_from_slice(&steps);
    let words: Vec<i8> = bytes.take(SLOTS)?.iter().map(|byte| byte.cast_signed()).collect();
    let [certain @ .., sure, step, habit] = <[f32; 5]>::try_from(rest).ok()?;
    let judge = Judge { semantic, certain, meaning, form, words, step, habit, sure };
    bytes.0.is_empty().then_some(judge)
}
