//! What was learned about seams, as it is compiled in: a linear model with one byte a feature.

use std::sync::LazyLock;

use thiserror::Error;

/// Says of each seam how likely two requests meet there.
#[derive(Debug, Clone)]
pub struct Weights {
    pub(super) buckets: u32,
    scale: f32,
    bias: f32,
    slope: f32,
    weights: Vec<i8>,
}

/// Bytes that are no weights.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("these bytes are not the weights of a splitter")]
pub struct NotWeights;

const MAGIC: &[u8; 8] = b"AWSPLIT1";
const HEADER: usize = 24;

static SHIPPED: LazyLock<Weights> = LazyLock::new(|| {
    Weights::read(include_bytes!("../../model/split.bin")).unwrap_or(Weights {
        buckets: 1,
        scale: 0.0,
        bias: -10.0,
        slope: 1.0,
        weights: vec![0],
    })
});

impl Weights {
    /// The weights that are compiled in.
    pub fn shipped() -> &'static Weights {
        &SHIPPED
    }

    /// Reads what [`Weights::write`] wrote.
    pub fn read(bytes: &[u8]) -> Result<Weights, NotWeights> {
        let number = |at: usize| bytes.get(at..at + 4).and_then(|four| four.try_into().ok()).ok_or(NotWeights);
        let float = |at: usize| number(at).map(f32::from_le_bytes);
        let buckets = u32::from_le_bytes(number(8)?);
        let weights: Vec<i8> = bytes.get(HEADER..).ok_or(NotWeights)?.iter().map(|byte| byte.cast_signed()).collect();
        if !bytes.starts_with(MAGIC) || buckets == 0 || weights.len() != buckets as usize {
            return Err(NotWeights);
        }
        Ok(Weights { buckets, scale: float(12)?, bias: float(16)?, slope: float(20)?, weights })
    }

    /// The bytes that stand for these weights: each rounded to one of 255 steps. A score of `bias` and nothing seen is even
    /// odds once it is scaled by `slope`.
    pub fn write(weights: &[f32], bias: f32, slope: f32) -> Vec<u8> {
        let most = weights.iter().fold(f32::MIN_POSITIVE, |most, weight| most.max(weight.abs()));
        let scale = most / 127.0;
        let mut bytes = MAGIC.to_vec();
        bytes.extend((weights.len() as u32).to_le_bytes());
        bytes.extend(scale.to_le_bytes());
        bytes.extend(bias.to_le_bytes());
        bytes.extend(slope.to_le_bytes());
        bytes.extend(weights.iter().map(|weight| ((weight / scale).round() as i8).cast_unsigned()));
        bytes
    }

    /// How many features there are room for.
    pub fn buckets(&self) -> u32 {
        self.buckets
    }

    /// The log odds that a seam with these features parts two requests.
    pub(super) fn score(&self, features: &[u32]) -> f32 {
        let sum: i32 =
            features.iter().map(|at| self.weights.get(*at as usize).map_or(0, |weight| i32::from(*weight))).sum();
        (sum as f32 * self.scale + self.bias) * self.slope
    }
}
