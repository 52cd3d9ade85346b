//! How words become numbers of rows: known words by their hash, unknown ones by pieces of their spelling.

/// Characters of a word whose pieces count.
const LONGEST: usize = 24;
/// Pieces of a word that count.
const PIECES: usize = 40;
/// Digits of a number whose length counts.
const SHAPE: usize = 6;

/// FNV-1a of 64 bits, folded to 32.
pub fn hash(bytes: impl IntoIterator<Item = u8>) -> u32 {
    let long = bytes
        .into_iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    ((long >> 32) ^ (long & 0xffff_ffff)) as u32
}

/// The hash that stands for a number without a row of its own: only its length counts. Nothing for other words.
pub fn shape(word: &str) -> Option<u32> {
    let digits = word.chars().all(char::is_numeric).then(|| word.chars().count())?;
    Some(hash(std::iter::repeat_n(b'#', digits.min(SHAPE))))
}

/// Buckets of the runs of three, four and five characters of a word between marks.
pub fn pieces(word: &str, buckets: u32) -> Vec<u32> {
    let mut marked = String::with_capacity(word.len() + 2);
    marked.push('<');
    marked.extend(word.chars().take(LONGEST));
    marked.push('>');
    let mut ends: Vec<usize> = marked.char_indices().map(|(at, _)| at).collect();
    ends.push(marked.len());
    (3..=5)
        .flat_map(|size| ends.windows(size + 1).map(move |run| (run[0], run[size])))
        .map(|(begin, end)| hash(marked[begin..end].bytes()) % buckets.max(1))
        .take(PIECES)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_the_ones_the_network_was_trained_with() {
        assert_eq!(hash(*b"weather"), 0x4dca_9377);
        assert_eq!(pieces("snow", 6000), [1914, 5544, 3070, 3670, 4382, 1754, 3665, 2414, 4238]);
        assert_eq!(pieces("çé", 6000).len(), 3);
    }

    #[test]
    fn numbers_are_known_by_their_length() {
        assert_eq!(shape("42"), shape("77"));
        assert_ne!(shape("4"), shape("42"));
        assert_eq!(shape("1234567"), shape("123456"));
        assert_eq!(shape("4u"), None);
    }
}
