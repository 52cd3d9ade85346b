//! Where texts are in the space of meanings: rows of whole numbers, compared with a place one after the other.
//!
//! 100,000 rows are some megabytes that are read from front to back, which takes about a millisecond. A tree or a graph would
//! be faster for a million, and would have to be kept in order.

/// Rows of equal width; a row of zeros is like nothing.
#[derive(Debug)]
pub(crate) struct Places {
    width: usize,
    cells: Vec<i16>,
}

/// A text's place in whole numbers.
#[derive(Debug, Clone)]
pub(crate) struct Place(Vec<i16>);

/// The longest a number of a place can be is the length of the place, which is one.
const SCALE: f32 = 8192.0;

impl Place {
    pub(crate) fn new(place: &[f32]) -> Self {
        // Sums of products must fit whatever an embedder says.
        let length = place.iter().map(|x| x * x).sum::<f32>().sqrt().max(1.0);
        Place(place.iter().map(|x| (x / length * SCALE).round().clamp(-SCALE, SCALE) as i16).collect())
    }
}

impl Places {
    pub(crate) fn new(width: usize) -> Self {
        Places { width: width.max(1), cells: Vec::new() }
    }

    /// Sets a row; rows that were skipped are zeros.
    pub(crate) fn put(&mut self, row: u32, place: &Place) {
        let begin = row as usize * self.width;
        if self.cells.len() < begin + self.width {
            self.cells.resize(begin + self.width, 0);
        }
        let row = &mut self.cells[begin..begin + self.width];
        row.fill(0);
        row.iter_mut().zip(&place.0).for_each(|(cell, x)| *cell = *x);
    }

    /// How near each row is to a place.
    pub(crate) fn near(&self, place: &Place) -> Vec<f32> {
        self.cells.chunks_exact(self.width).map(|row| likeness(row, &place.0)).collect()
    }

    /// How near one row is to a place.
    pub(crate) fn near_row(&self, row: u32, place: &Place) -> f32 {
        let begin = row as usize * self.width;
        self.cells.get(begin..begin + self.width).map_or(0.0, |row| likeness(row, &place.0))
    }

    pub(crate) fn bytes(&self) -> usize {
        self.cells.capacity() * size_of::<i16>()
    }
}

fn likeness(one: &[i16], other: &[i16]) -> f32 {
    let sum: i32 = one.iter().zip(other).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum();
    sum as f32 / (SCALE * SCALE)
}
