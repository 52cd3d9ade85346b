//! Where texts are in the space of meanings: rows of eight-bit numbers, compared with a query one after the other.
//!
//! 100,000 rows are a few megabytes that are read from front to back, which takes about a millisecond. A tree or a graph would
//! be faster for a million and would have to be kept in order.

/// Rows of equal width; a row of zeros is like nothing.
#[derive(Debug)]
pub(crate) struct Places {
    width: usize,
    cells: Vec<i8>,
}

/// A text's place in whole numbers.
#[derive(Debug, Clone)]
pub(crate) struct Place(Vec<i8>);

impl Place {
    pub(crate) fn new(place: &[f32]) -> Self {
        Place(place.iter().map(|x| (x * SCALE).round().clamp(-127.0, 127.0) as i8).collect())
    }
}

/// Places have length one, and few of their numbers are above a quarter.
const SCALE: f32 = 254.0;

impl Places {
    pub(crate) fn new(width: usize) -> Self {
        Places { width: width.max(1), cells: Vec::new() }
    }

    /// Sets a row, which is at most one beyond the last.
    pub(crate) fn put(&mut self, row: u32, place: &Place) {
        let begin = row as usize * self.width;
        if self.cells.len() < begin + self.width {
            self.cells.resize(begin + self.width, 0);
        }
        self.cells[begin..begin + self.width].copy_from_slice(&place.0);
    }

    /// How near each row is to a place.
    pub(crate) fn near(&self, place: &Place) -> Vec<f32> {
        self.cells.chunks_exact(self.width).map(|row| product(row, &place.0) as f32 / (SCALE * SCALE)).collect()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.cells.capacity()
    }
}

fn product(one: &[i8], other: &[i8]) -> i32 {
    one.iter().zip(other).map(|(a, b)| i32::from(i16::from(*a) * i16::from(*b))).sum()
}
