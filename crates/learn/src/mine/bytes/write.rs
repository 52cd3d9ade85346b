//! Numbers as few bytes: seven bits in each, and a bit that says whether more follow.

use serde::Serialize;

#[derive(Default)]
pub(super) struct Writer(Vec<u8>);

impl Writer {
    pub(super) fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    /// A number that may be absent, bit by bit.
    pub(super) fn fraction(&mut self, fraction: Option<f64>) {
        self.0.push(u8::from(fraction.is_some()));
        if let Some(fraction) = fraction {
            self.0.extend(fraction.to_le_bytes());
        }
    }

    pub(super) fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    pub(super) fn json<T: Serialize>(&mut self, things: &[T]) {
        // Names and marks always serialise.
        self.bytes(&serde_json::to_vec(things).unwrap_or_default());
    }

    /// Numbers of which each is larger than the one before: what they grow by.
    pub(super) fn ascending(&mut self, numbers: &[u64]) {
        self.number(numbers.len() as u64);
        let mut before = 0;
        for number in numbers {
            self.number(number - before);
            before = *number;
        }
    }

    pub(super) fn done(self) -> Vec<u8> {
        self.0
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }
}
