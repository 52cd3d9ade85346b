//! Server-sent events out of bytes that may be split anywhere, even within a character.

/// Collects bytes until they are events.
#[derive(Debug, Default)]
pub(crate) struct Events {
    bytes: Vec<u8>,
    /// How far `bytes` has been read.
    read: usize,
    /// How far `bytes` is known to hold no line end.
    searched: usize,
    data: String,
    has_data: bool,
}

/// The stream is not text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NotText;

impl Events {
    /// More of the stream.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        if self.read > 0 {
            self.bytes.drain(..self.read);
            self.searched -= self.read;
            self.read = 0;
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// The data of the next whole event, if it has arrived.
    pub(crate) fn next(&mut self) -> Result<Option<String>, NotText> {
        while let Some((from, to)) = self.line() {
            let line = std::str::from_utf8(&self.bytes[from..to]).map_err(|_| NotText)?;
            if line.is_empty() {
                if std::mem::take(&mut self.has_data) {
                    return Ok(Some(std::mem::take(&mut self.data)));
                }
            } else if let Some(value) = line.strip_prefix("data") {
                // Other fields and comments, which begin with a colon, say nothing to us.
                let value = match value.strip_prefix(':') {
                    Some(value) => value.strip_prefix(' ').unwrap_or(value),
                    None if value.is_empty() => value,
                    None => continue,
                };
                if self.has_data {
                    self.data.push('\n');
                }
                self.data.push_str(value);
                self.has_data = true;
            }
        }
        Ok(None)
    }

    /// Where the next whole line is, without its end.
    fn line(&mut self) -> Option<(usize, usize)> {
        let end = self.bytes[self.searched..].iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let Some(end) = end.map(|at| self.searched + at) else {
            self.searched = self.bytes.len();
            return None;
        };
        let after = match (self.bytes[end], self.bytes.get(end + 1)) {
            // Whether a line feed belongs to this carriage return is only known once there is a next byte.
            (b'\r', None) => {
                self.searched = end;
                return None;
            }
            (b'\r', Some(b'\n')) => end + 2,
            _ => end + 1,
        };
        let from = std::mem::replace(&mut self.read, after);
        self.searched = after;
        Some((from, end))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn events(pieces: &[&[u8]]) -> Vec<String> {
        let mut events = Events::default();
        let mut found = Vec::new();
        for piece in pieces {
            events.push(piece);
            while let Some(event) = events.next().expect("text") {
                found.push(event);
            }
        }
        found
    }

    #[test]
    fn comments_names_and_empty_events_say_nothing() {
        let text = b": hello\n\nevent: x\nid: 1\n\ndata: a\n\ndata:b\r\n\r\ndata\n\ndatum: c\n\n";
        assert_eq!(events(&[text]), ["a", "b", ""]);
    }

    #[test]
    fn lines_of_one_event_are_joined() {
        assert_eq!(events(&[b"data: {\ndata: }\n\n"]), ["{\n}"]);
    }

    #[test]
    fn an_event_without_its_empty_line_never_comes() {
        assert_eq!(events(&[b"data: a\n\ndata: b\n"]), ["a"]);
    }

    #[test]
    fn bytes_that_are_no_text_are_refused() {
        let mut events = Events::default();
        events.push(b"data: \xff\n\n");
        assert_eq!(events.next(), Err(NotText));
    }

    proptest! {
        #[test]
        fn where_the_bytes_are_split_does_not_matter(cuts in prop::collection::vec(0usize..60, 0..8)) {
            let text = "data: größer 🦀\r\n\r\n: ping\r\n\r\ndata: {\"a\":\r\ndata: 1}\r\n\r\ndata: z\n\n".as_bytes();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(text.len())).collect();
            cuts.sort_unstable();
            let mut pieces = Vec::new();
            let mut from = 0;
            for cut in cuts {
                pieces.push(&text[from..cut]);
                from = cut;
            }
            pieces.push(&text[from..]);
            prop_assert_eq!(events(&pieces), ["größer 🦀", "{\"a\":\n1}", "z"]);
        }
    }
}
