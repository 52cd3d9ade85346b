//! Regression of outcomes on many columns at once, of which some are in it and some are not yet.
//!
//! The matrix holds how columns overlap and, last, how they go with success. Sweeping a column brings it in or takes it
//! out; after that every entry is conditional on the columns that are in (Goodnight's sweep operator).

/// A regression that columns can join and leave.
#[derive(Debug, Clone)]
pub(super) struct Sweep {
    size: usize,
    cells: Vec<f64>,
    within: Vec<bool>,
    /// What each column has of its own to begin with.
    own: Vec<f64>,
}

/// A column of which less than this is its own, beside the others, says nothing new.
const LEAST_OWN: f64 = 0.02;

impl Sweep {
    /// From how columns overlap (row by row) and how they go with success.
    pub(super) fn new(overlaps: &[Vec<f64>], surplus: &[f64]) -> Self {
        let count = surplus.len();
        let size = count + 1;
        let mut cells = vec![0.0; size * size];
        for (i, row) in overlaps.iter().enumerate() {
            cells[i * size..i * size + count].copy_from_slice(row);
            cells[i * size + count] = surplus[i];
            cells[count * size + i] = surplus[i];
        }
        let own = (0..count).map(|i| cells[i * size + i]).collect();
        Self { size, cells, within: vec![false; count], own }
    }

    pub(super) fn count(&self) -> usize {
        self.size - 1
    }

    pub(super) fn holds(&self, column: usize) -> bool {
        self.within[column]
    }

    /// How many deviations a column's part in success is from nothing, given the columns that are in besides it.
    pub(super) fn deviations(&self, column: usize) -> f64 {
        let (part, own) = (self.at(column, self.count()), self.at(column, column));
        if own <= 0.0 || (!self.within[column] && own < LEAST_OWN * self.own[column]) {
            return 0.0;
        }
        part / own.sqrt()
    }

    /// How alike two columns are that are not in, beside those that are: 1 where one is as good as the other.
    pub(super) fn likeness(&self, one: usize, other: usize) -> f64 {
        let own = self.at(one, one) * self.at(other, other);
        if own > 0.0 { self.at(one, other) / own.sqrt() } else { 0.0 }
    }

    /// Brings a column in, or takes it out.
    pub(super) fn turn(&mut self, column: usize) {
        let size = self.size;
        let pivot = self.at(column, column);
        if pivot <= 0.0 {
            return;
        }
        self.within[column] = !self.within[column];
        let row: Vec<f64> = self.cells[column * size..(column + 1) * size].iter().map(|cell| cell / pivot).collect();
        for i in (0..size).filter(|i| *i != column) {
            let factor = self.at(i, column);
            if factor != 0.0 {
                let cells = &mut self.cells[i * size..(i + 1) * size];
                cells.iter_mut().zip(&row).for_each(|(cell, by)| *cell -= factor * by);
            }
            self.cells[i * size + column] = -factor / pivot;
        }
        self.cells[column * size..(column + 1) * size].copy_from_slice(&row);
        self.cells[column * size + column] = 1.0 / pivot;
    }

    fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_only_goes_along_has_no_part_of_its_own() {
        // The second column overlaps with the first by half of it, and goes with success by just that much.
        let mut sweep = Sweep::new(&[vec![4.0, 2.0], vec![2.0, 4.0]], &[8.0, 4.0]);
        assert_eq!((sweep.deviations(0), sweep.deviations(1)), (4.0, 2.0));
        sweep.turn(0);
        assert_eq!((sweep.deviations(0), sweep.deviations(1)), (4.0, 0.0));
        sweep.turn(1);
        assert!(sweep.deviations(1).abs() < 1e-12 && (sweep.deviations(0) - 12.0_f64.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn turning_twice_changes_nothing() {
        let before = Sweep::new(&[vec![4.0, 1.0], vec![1.0, 3.0]], &[2.0, 5.0]);
        let mut after = before.clone();
        after.turn(1);
        after.turn(0);
        after.turn(1);
        after.turn(0);
        assert!(before.cells.iter().zip(&after.cells).all(|(a, b)| (a - b).abs() < 1e-12));
    }
}
