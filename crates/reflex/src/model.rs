//! The one file of everything learned: named sections of bytes, each read by whoever wrote it.

/// How the file begins, version included.
const MAGIC: &[u8; 8] = b"reflex\x00\x01";

/// What is compiled in.
static SHIPPED: &[u8] = include_bytes!("../model/reflex.bin");

/// Why bytes are no artefact.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ArtefactError {
    /// Train again: it is another version, or another file.
    #[error("this is no artefact of this version")]
    Foreign,
    /// Copy or train again: bytes are missing.
    #[error("the artefact ends in the middle of a section")]
    Short,
    /// Train again: a part was not written.
    #[error("the artefact has no section `{0}`")]
    Missing(&'static str),
    /// Train again: a part is not what its reader expects.
    #[error("section `{0}` does not fit the others")]
    Unfit(&'static str),
}

/// Named sections, borrowed from the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Artefact<'a> {
    sections: Vec<(&'a str, &'a [u8])>,
}

impl Artefact<'static> {
    /// The one that is compiled in.
    ///
    /// # Panics
    /// If it was damaged before compiling; a test excludes that.
    pub fn shipped() -> Self {
        Artefact::parse(SHIPPED).expect("the artefact that is compiled in is whole")
    }

    /// Bytes compiled in.
    pub fn shipped_size() -> usize {
        SHIPPED.len()
    }
}

impl<'a> Artefact<'a> {
    /// Reads names and lengths; sections stay where they are.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, ArtefactError> {
        let mut rest = Bytes(bytes.strip_prefix(MAGIC.as_slice()).ok_or(ArtefactError::Foreign)?);
        let mut sections = Vec::new();
        while !rest.0.is_empty() {
            let length = rest.number().ok_or(ArtefactError::Short)?;
            let name = rest.take(length).ok_or(ArtefactError::Short)?;
            let name = std::str::from_utf8(name).map_err(|_| ArtefactError::Foreign)?;
            let length = rest.number().ok_or(ArtefactError::Short)?;
            sections.push((name, rest.take(length).ok_or(ArtefactError::Short)?));
        }
        Ok(Artefact { sections })
    }

    /// The bytes of a section, if it was written.
    pub fn section(&self, name: &str) -> Option<&'a [u8]> {
        self.sections.iter().find(|(own, _)| *own == name).map(|(_, bytes)| *bytes)
    }

    /// All sections in the order of the file.
    pub fn sections(&self) -> &[(&'a str, &'a [u8])] {
        &self.sections
    }

    /// The file that holds these sections.
    pub fn write(sections: &[(&str, &[u8])]) -> Vec<u8> {
        let mut file = MAGIC.to_vec();
        for (name, bytes) in sections {
            for part in [name.as_bytes(), bytes] {
                file.extend((part.len() as u32).to_le_bytes());
                file.extend(part);
            }
        }
        file
    }

    /// The bytes of a section that must be there.
    pub(crate) fn need(&self, name: &'static str) -> Result<Bytes<'a>, ArtefactError> {
        self.section(name).map(Bytes).ok_or(ArtefactError::Missing(name))
    }
}

/// A reader that runs out instead of panicking.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bytes<'a>(pub(crate) &'a [u8]);

impl<'a> Bytes<'a> {
    pub(crate) fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    pub(crate) fn number(&mut self) -> Option<usize> {
        self.take(4).and_then(|four| four.try_into().ok()).map(|four| u32::from_le_bytes(four) as usize)
    }

    pub(crate) fn numbers(&mut self, count: usize) -> Option<Vec<u32>> {
        let bytes = self.take(count.checked_mul(4)?)?;
        Some(bytes.chunks_exact(4).map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect())
    }

    pub(crate) fn floats(&mut self, count: usize) -> Option<Vec<f32>> {
        Some(self.numbers(count)?.into_iter().map(f32::from_bits).collect())
    }

    pub(crate) fn text(&mut self) -> Option<&'a str> {
        let length = self.number()?;
        std::str::from_utf8(self.take(length)?).ok()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_shipped_artefact_is_whole() {
        assert!(Artefact::parse(SHIPPED).is_ok_and(|artefact| artefact.section("rows").is_some()));
        assert!(SHIPPED.len() <= 8_000_000, "{} bytes", SHIPPED.len());
    }

    #[test]
    fn half_a_file_is_said_to_be_short() {
        let file = Artefact::write(&[("rows", b"12345")]);
        assert_eq!(Artefact::parse(&file[..file.len() - 1]), Err(ArtefactError::Short));
        assert_eq!(Artefact::parse(b"GIF89a"), Err(ArtefactError::Foreign));
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(sections in proptest::collection::vec(("[a-z]{0,8}", proptest::collection::vec(any::<u8>(), 0..50)), 0..6)) {
            let parts: Vec<(&str, &[u8])> = sections.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
            let file = Artefact::write(&parts);
            let read = Artefact::parse(&file).expect("just written");
            prop_assert_eq!(read.sections(), parts.as_slice());
        }

        #[test]
        fn no_bytes_make_it_panic(tail in proptest::collection::vec(any::<u8>(), 0..200)) {
            let file = [MAGIC.as_slice(), &tail].concat();
            let _ = Artefact::parse(&file);
        }
    }
}
