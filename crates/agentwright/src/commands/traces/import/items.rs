//! What a file holds: one JSON value, a list of them, or one a line.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use serde_json::Value;

use super::unreadable;

/// The longest line, and the longest file that is not lines.
const MOST: u64 = 256 * 1024 * 1024;

/// Something that should be a trace.
pub(super) struct Item {
    /// Which file, and where in it.
    pub(super) place: String,
    /// What is there, or why it cannot be read.
    pub(super) value: Result<Value, String>,
}

/// The first thing in a file that can be read.
pub(super) fn first(file: &Path) -> anyhow::Result<Option<Value>> {
    Ok(items(file)?.find_map(|item| item.value.ok()))
}

/// Everything in a file, one after the other.
pub(super) fn items(file: &Path) -> anyhow::Result<Box<dyn Iterator<Item = Item> + Send>> {
    let open = || File::open(file).map(BufReader::new).map_err(|error| unreadable(file, &error));
    let place = file.display().to_string();
    let by_line = || open().map(|file| Lines { reader: Some(file), place: place.clone(), line: 0 });
    // A line that is an object by itself is the beginning of lines.
    if by_line()?.next().is_none_or(|item| item.value.is_ok_and(|value| value.is_object())) {
        return Ok(Box::new(by_line()?));
    }
    let mut text = Vec::new();
    open()?.take(MOST).read_to_end(&mut text).map_err(|error| unreadable(file, &error))?;
    Ok(match serde_json::from_slice(&text) {
        Ok(Value::Array(values)) => Box::new(
            values
                .into_iter()
                .enumerate()
                .map(move |(at, value)| Item { place: format!("{place}, item {}", at + 1), value: Ok(value) }),
        ),
        Ok(value) => Box::new(std::iter::once(Item { place, value: Ok(value) })),
        Err(_) => Box::new(by_line()?),
    })
}

struct Lines {
    /// None once something could not be read: it will not be readable the next time either.
    reader: Option<BufReader<File>>,
    place: String,
    line: usize,
}

impl Iterator for Lines {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        loop {
            let mut bytes = Vec::new();
            let read = self.reader.as_mut()?.take(MOST).read_until(b'\n', &mut bytes);
            self.line += 1;
            let value = match read {
                Ok(0) => return None,
                Ok(_) if bytes.iter().all(u8::is_ascii_whitespace) => continue,
                Ok(_) => serde_json::from_slice(&bytes).map_err(|error| format!("it is not JSON: {error}")),
                Err(error) => {
                    self.reader = None;
                    Err(error.to_string())
                }
            };
            return Some(Item { place: format!("{}, line {}", self.place, self.line), value });
        }
    }
}
