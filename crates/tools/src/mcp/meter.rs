//! How much of one message has been read: a peer that never ends one must not fill our memory.

use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, ReadBuf};

use super::trouble::Trouble;
use crate::words::size;

/// Where one message ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ends {
    /// At the end of its line.
    Line,
    /// At an empty line.
    EmptyLine,
    /// With the whole.
    Never,
}

/// Counts the bytes of the message under way.
#[derive(Debug)]
pub(super) struct Meter {
    cap: usize,
    ends: Ends,
    message: usize,
    line: usize,
}

/// A message is longer than it may be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("it sent a message of more than {}", size(*.cap))]
pub(super) struct TooLong {
    cap: usize,
}

impl Meter {
    pub(super) fn new(cap: usize, ends: Ends) -> Self {
        Self { cap, ends, message: 0, line: 0 }
    }

    /// Counts some more bytes.
    pub(super) fn count(&mut self, bytes: &[u8]) -> Result<(), TooLong> {
        for byte in bytes {
            self.message += 1;
            if *byte == b'\n' {
                let ended = match self.ends {
                    Ends::Line => true,
                    Ends::EmptyLine => self.line == 0,
                    Ends::Never => false,
                };
                self.line = 0;
                if ended {
                    self.message = 0;
                }
            } else if *byte != b'\r' {
                self.line += 1;
            }
            if self.message > self.cap {
                return Err(TooLong { cap: self.cap });
            }
        }
        Ok(())
    }
}

/// A stream of lines that breaks off at one that is too long.
pub(super) struct Metered<R> {
    inner: R,
    meter: Meter,
    trouble: Trouble,
}

impl<R> Metered<R> {
    pub(super) fn new(inner: R, cap: usize, trouble: Trouble) -> Self {
        Self { inner, meter: Meter::new(cap, Ends::Line), trouble }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Metered<R> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<std::io::Result<()>> {
        let this = self.get_mut();
        let before = buffer.filled().len();
        std::task::ready!(Pin::new(&mut this.inner).poll_read(cx, buffer))?;
        let read = &buffer.filled()[before..];
        this.trouble.overheard(read);
        if let Err(error) = this.meter.count(read) {
            this.trouble.raise(error.to_string());
            return Poll::Ready(Err(std::io::Error::other(error)));
        }
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_longer_than_it_may_be_is_refused() {
        assert!(Meter::new(3, Ends::Line).count(b"ab\nab\nab\n").is_ok());
        assert!(Meter::new(3, Ends::Line).count(b"abcd").is_err());
        assert!(Meter::new(6, Ends::EmptyLine).count(b"a\nb\n\na\nb\r\n\r\n").is_ok());
        assert!(Meter::new(4, Ends::EmptyLine).count(b"a\nb\nc\n").is_err());
        assert!(Meter::new(3, Ends::Never).count(b"a\n\nb").is_err());
    }

    proptest::proptest! {
        #[test]
        fn it_does_not_matter_how_the_bytes_arrive(text in "[a\\n]{0,40}", at in 0usize..40, cap in 1usize..12) {
            let (bytes, at) = (text.as_bytes(), at.min(text.len()));
            for ends in [Ends::Line, Ends::EmptyLine, Ends::Never] {
                let mut parts = Meter::new(cap, ends);
                let split = parts.count(&bytes[..at]).and_then(|()| parts.count(&bytes[at..]));
                proptest::prop_assert_eq!(split, Meter::new(cap, ends).count(bytes));
            }
        }
    }
}
