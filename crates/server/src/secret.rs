//! Secrets that are told once: random, and kept only as hashes.

use std::fmt::Write;

use domain::hash::Hash;
use subtle::ConstantTimeEq;

/// Try again: the machine has no random numbers.
#[derive(Debug, thiserror::Error)]
#[error("there are no random numbers to make a secret of")]
pub struct NoChance(#[source] getrandom::Error);

/// So many random bytes, in hexadecimal digits.
pub(crate) fn random<const BYTES: usize>() -> Result<String, NoChance> {
    let mut bytes = [0_u8; BYTES];
    getrandom::fill(&mut bytes).map_err(NoChance)?;
    let mut text = String::with_capacity(2 * BYTES);
    for byte in bytes {
        // Writing to a string always works.
        let _ = write!(text, "{byte:02x}");
    }
    Ok(text)
}

/// Under what a secret is found: the hash of it, which nobody can turn back.
pub(crate) fn place(secret: &str) -> String {
    Hash::of(secret.as_bytes()).digits(32)
}

/// Whether two texts are the same, in a time that does not tell how much of them is.
pub(crate) fn same(one: &str, other: &str) -> bool {
    one.as_bytes().ct_eq(other.as_bytes()).into()
}
