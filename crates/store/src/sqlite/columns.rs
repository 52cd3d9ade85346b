//! How a column of SQLite is got.

use domain::store::StoreError;
use rusqlite::types::FromSql;

use super::fault::{Failure, fault};
use crate::decode::Columns;

/// A row, read from left to right.
pub(super) struct Row<'r, 's> {
    row: &'r rusqlite::Row<'s>,
    next: usize,
}

impl<'r, 's> Row<'r, 's> {
    /// A row that nothing has been read of.
    pub(super) fn new(row: &'r rusqlite::Row<'s>) -> Self {
        Self { row, next: 0 }
    }

    fn get<T: FromSql>(&mut self) -> Result<T, StoreError> {
        self.next += 1;
        self.row.get(self.next - 1).map_err(fault)
    }
}

impl Columns for Row<'_, '_> {
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
    mut rows: rusqlite::Rows<'_>,
    decode: impl Fn(Row<'_, '_>) -> Result<T, StoreError>,
) -> Result<Vec<T>, Failure> {
    let mut values = Vec::new();
    while let Some(row) = rows.next()? {
        values.push(decode(Row::new(row))?);
    }
    Ok(values)
}
