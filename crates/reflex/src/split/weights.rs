//! What was learned about seams, as it is compiled in: a linear model and a small hidden layer beside it, one byte a weight.

use std::sync::LazyLock;

use thiserror::Error;

use super::features::{CROSSED, PLAIN, Sight};
use crate::model::Artefact;

/// How many hidden units there are.
pub const UNITS: usize = 48;

/// Says of each seam how likely two requests meet there.
#[derive(Debug, Clone)]
pub struct Weights {
    header: Header,
    linear: Vec<i8>,
    hidden: Vec<[i8; UNITS]>,
}

/// The weights as they are learned, before they are rounded.
#[derive(Debug, Clone)]
pub struct Learned {
    /// One for each feature.
    pub linear: Vec<f32>,
    /// What each feature adds to each hidden unit.
    pub hidden: Vec<[f32; UNITS]>,
    /// What each hidden unit adds when it is above nothing.
    pub out: [f32; UNITS],
    /// The score that is even odds.
    pub threshold: f32,
    /// How fast the odds rise with the score.
    pub slope: f32,
}

/// Bytes that are no weights.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("these bytes are not the weights of a splitter")]
pub struct NotWeights;

#[derive(Debug, Clone)]
struct Header {
    linear_step: f32,
    hidden_step: f32,
    threshold: f32,
    slope: f32,
    out: [f32; UNITS],
}

const MAGIC: &[u8; 8] = b"AWSPLIT2";
const HEADER: usize = 8 + 4 * (4 + UNITS);

static SHIPPED: LazyLock<Weights> = LazyLock::new(|| {
    let header = Header { linear_step: 0.0, hidden_step: 0.0, threshold: 1.0, slope: 1.0, out: [0.0; UNITS] };
    let nothing = Weights { header, linear: Vec::new(), hidden: Vec::new() };
    Artefact::shipped().section("split").and_then(|bytes| Weights::read(bytes).ok()).unwrap_or(nothing)
});

impl Weights {
    /// The weights that are compiled in.
    pub fn shipped() -> &'static Weights {
        &SHIPPED
    }

    /// Reads what [`Learned::write`] wrote.
    pub fn read(bytes: &[u8]) -> Result<Weights, NotWeights> {
        let number = |at: usize| bytes.get(at..at + 4).and_then(|four| four.try_into().ok()).ok_or(NotWeights);
        let float = |at: usize| number(MAGIC.len() + 4 * at).map(f32::from_le_bytes);
        let body = bytes.get(HEADER..).ok_or(NotWeights)?;
        if !bytes.starts_with(MAGIC) || body.len() != CROSSED as usize + PLAIN as usize * UNITS {
            return Err(NotWeights);
        }
        let (linear, hidden) = body.split_at(CROSSED as usize);
        let mut header = Header {
            linear_step: float(0)?,
            hidden_step: float(1)?,
            threshold: float(2)?,
            slope: float(3)?,
            out: [0.0; UNITS],
        };
        for (unit, out) in header.out.iter_mut().enumerate() {
            *out = float(4 + unit)?;
        }
        let (hidden, _) = hidden.as_chunks::<UNITS>();
        Ok(Weights {
            header,
            linear: linear.iter().map(|byte| byte.cast_signed()).collect(),
            hidden: hidden.iter().map(|units| units.map(u8::cast_signed)).collect(),
        })
    }

    /// The log odds that a seam which looks like this parts two requests.
    pub(super) fn score(&self, sight: &Sight) -> f32 {
        let weight = |at: &u32| self.linear.get(*at as usize).map_or(0, |weight| i32::from(*weight));
        let linear: i32 = sight.crossed.iter().map(weight).sum();
        let mut hidden = [0_i32; UNITS];
        for weights in sight.plain.iter().filter_map(|at| self.hidden.get(*at as usize)) {
            for (sum, weight) in hidden.iter_mut().zip(weights) {
                *sum += i32::from(*weight);
            }
        }
        let header = &self.header;
        let above = |sum: &i32| (*sum as f32 * header.hidden_step).max(0.0);
        let deep: f32 = hidden.iter().zip(&header.out).map(|(sum, out)| above(sum) * out).sum();
        (linear as f32 * header.linear_step + deep - header.threshold) * header.slope
    }
}

impl Learned {
    /// What is known before anything was learned: every seam is even odds.
    pub fn nothing() -> Learned {
        Learned {
            linear: vec![0.0; CROSSED as usize],
            hidden: vec![[0.0; UNITS]; PLAIN as usize],
            out: [0.0; UNITS],
            threshold: 0.0,
            slope: 1.0,
        }
    }

    /// The bytes that stand for these weights, each rounded to one of 255 steps.
    pub fn write(&self) -> Vec<u8> {
        let step =
            |weights: &[f32]| weights.iter().fold(f32::MIN_POSITIVE, |most, weight| most.max(weight.abs())) / 127.0;
        let (linear_step, hidden_step) = (step(&self.linear), step(self.hidden.as_flattened()));
        let round = |weights: &[f32], step: f32| -> Vec<u8> {
            weights.iter().map(|weight| ((weight / step).round() as i8).cast_unsigned()).collect()
        };
        let mut bytes = MAGIC.to_vec();
        for number in [linear_step, hidden_step, self.threshold, self.slope].iter().chain(&self.out) {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(round(&self.linear, linear_step));
        bytes.extend(round(self.hidden.as_flattened(), hidden_step));
        bytes
    }
}
