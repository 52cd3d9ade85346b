//! Reads what was written, and believes none of it: whatever the bytes are, nothing is taken that is not there.

use serde::de::DeserializeOwned;

use super::NoMiner;

pub(super) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub(super) fn of(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn number(&mut self) -> Result<u64, NoMiner> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.take(1)?[0];
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(NoMiner::Damaged)
    }

    pub(super) fn small(&mut self) -> Result<u32, NoMiner> {
        u32::try_from(self.number()?).map_err(|_| NoMiner::Damaged)
    }

    pub(super) fn fraction(&mut self) -> Result<Option<f64>, NoMiner> {
        if self.take(1)? == [0] {
            return Ok(None);
        }
        let bytes = self.take(8)?.try_into().map_err(|_| NoMiner::Damaged)?;
        Ok(Some(f64::from_le_bytes(bytes)).filter(|fraction| fraction.is_finite()))
    }

    pub(super) fn text(&mut self) -> Result<&'a str, NoMiner> {
        std::str::from_utf8(self.bytes()?).map_err(|_| NoMiner::Damaged)
    }

    pub(super) fn json<T: DeserializeOwned>(&mut self) -> Result<T, NoMiner> {
        serde_json::from_slice(self.bytes()?).map_err(|_| NoMiner::Damaged)
    }

    pub(super) fn ascending(&mut self) -> Result<Vec<u64>, NoMiner> {
        let mut numbers = Vec::new();
        let mut before = 0u64;
        for _ in 0..self.number()? {
            before = before.checked_add(self.number()?).ok_or(NoMiner::Damaged)?;
            numbers.push(before);
        }
        Ok(numbers)
    }

    fn bytes(&mut self) -> Result<&'a [u8], NoMiner> {
        let length = usize::try_from(self.number()?).map_err(|_| NoMiner::Damaged)?;
        self.take(length)
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], NoMiner> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(NoMiner::Damaged)?;
        self.0 = rest;
        Ok(taken)
    }
}
