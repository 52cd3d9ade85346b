//! How a column of PostgreSQL is got.

use domain::store::StoreError;
use sqlx::postgres::{PgRow, Postgres};
use sqlx::{Decode, Row as _, Type};

use super::fault::fault;
use crate::decode::Columns;

/// A row, read from left to right.
pub(super) struct Row<'r> {
    row: &'r PgRow,
    next: usize,
}

impl<'r> Row<'r> {
    /// A row that nothing has been read of.
    pub(super) fn new(row: &'r PgRow) -> Self {
        Self { row, next: 0 }
    }

    fn get<T: Decode<'r, Postgres> + Type<Postgres>>(&mut self) -> Result<T, StoreError> {
        self.next += 1;
        self.row.try_get(self.next - 1).map_err(fault)
    }
}

impl Columns for Row<'_> {
    fn text(&mut self) -> Result<String, StoreError> {
        self.get()
    }
    fn maybe_text(&mut self) -> Result<Option<String>, StoreError> {
        self.get()
    }
    fn bytes(&mut self) -> Result<Vec<u8>, StoreError> {
        self.get()
    }
    fn maybe_bytes(&mut self) -> Result<Option<Vec<u8>>, StoreError> {
        self.get()
    }
    fn integer(&mut self) -> Result<i64, StoreError> {
        self.get()
    }
    fn maybe_integer(&mut self) -> Result<Option<i64>, StoreError> {
        self.get()
    }
    fn real(&mut self) -> Result<f64, StoreError> {
        self.get()
    }
    fn maybe_real(&mut self) -> Result<Option<f64>, StoreError> {
        self.get()
    }
    fn truth(&mut self) -> Result<bool, StoreError> {
        self.get()
    }
    fn maybe_truth(&mut self) -> Result<Option<bool>, StoreError> {
        self.get()
    }
}

/// All rows, each as the value it means.
pub(super) fn collect<T>(
    rows: Result<Vec<PgRow>, sqlx::Error>,
    decode: impl Fn(Row<'_>) -> Result<T, StoreError>,
) -> Result<Vec<T>, StoreError> {
    rows.map_err(fault)?.iter().map(|row| decode(Row::new(row))).collect()
}
