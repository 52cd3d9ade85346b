//! The seam to whatever turns text into a point in space, near to what means the same.

/// Places texts by their meaning.
pub trait Embedder: Send + Sync {
    /// How many numbers a place has.
    fn dimensions(&self) -> usize;

    /// Where a text is: of length one, or all zeros where nothing of it is known.
    fn embed(&self, text: &str) -> Vec<f32>;
}

/// How near two places are: 1 for the same direction, 0 for nothing in common.
pub fn likeness(one: &[f32], other: &[f32]) -> f32 {
    one.iter().zip(other).map(|(a, b)| a * b).sum()
}
