//! Columns that line up.

use super::Ink;

/// A cell: its words, and how they are marked.
#[derive(Debug, Clone)]
pub struct Cell {
    words: String,
    mark: fn(Ink, &str) -> String,
}

impl Cell {
    /// Words that mean good news, bad news or neither.
    pub fn marked(words: impl Into<String>, mark: fn(Ink, &str) -> String) -> Self {
        Self { words: words.into(), mark }
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(words: T) -> Self {
        Self { words: words.into(), mark: |_, words| words.to_owned() }
    }
}

/// A table: faint headings, then rows. Without rows there is nothing.
pub fn table(ink: Ink, headings: &[&str], rows: Vec<Vec<Cell>>) -> String {
    let headings = headings.iter().map(|heading| Cell::marked(*heading, Ink::faint)).collect();
    let all: Vec<Vec<Cell>> = if rows.is_empty() { rows } else { [vec![headings], rows].concat() };
    lines(ink, &all)
}

/// Rows whose columns line up; the last column is as wide as it likes.
pub fn lines(ink: Ink, rows: &[Vec<Cell>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |at: usize| rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.words.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|at| width(at).unwrap_or(0)).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (at, cell) in row.iter().enumerate() {
            line.push_str(&(cell.mark)(ink, &cell.words));
            if at + 1 < row.len() {
                line.push_str(&" ".repeat(widths[at] - cell.words.chars().count() + 2));
            }
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let rows = vec![vec!["a".into(), "beta".into()], vec!["gamma".into(), Cell::marked("d", Ink::good)]];
        assert_eq!(table(Ink::Plain, &["X", "Y"], rows), "X      Y\na      beta\ngamma  d\n");
        assert_eq!(table(Ink::Plain, &["X"], Vec::new()), "");
    }
}
