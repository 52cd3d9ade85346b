//! Replies from templates: `Hello {name}.` with the words for what is known filled in.

use std::collections::BTreeMap;

/// One of the replies, filled: which one follows from `seed`. A reply with a gap that nothing fills is passed over.
pub fn respond(templates: &[String], known: &BTreeMap<&str, String>, seed: u64) -> Option<String> {
    let count = u64::try_from(templates.len()).ok().filter(|count| *count > 0)?;
    let first = usize::try_from(seed % count).ok()?;
    let mut ways = templates[first..].iter().chain(&templates[..first]);
    ways.find_map(|template| fill(template, known))
}

/// A template with its gaps filled, unless something is not known.
pub fn fill(template: &str, known: &BTreeMap<&str, String>) -> Option<String> {
    let mut filled = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(open) = rest.find('{') {
        let Some(length) = rest[open..].find('}') else { break };
        let name = &rest[open + 1..open + length];
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            filled.push_str(&rest[..=open]);
            rest = &rest[open + 1..];
            continue;
        }
        filled.push_str(&rest[..open]);
        filled.push_str(known.get(name)?);
        rest = &rest[open + length + 1..];
    }
    filled.push_str(rest);
    Some(filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_filled_with_what_is_known() {
        let known = BTreeMap::from([("name", "Ada".to_owned())]);
        assert_eq!(fill("Hello {name}, {not a gap} and {", &known).as_deref(), Some("Hello Ada, {not a gap} and {"));
        assert_eq!(fill("It is {time}.", &known), None);
    }

    #[test]
    fn a_reply_that_cannot_be_given_makes_way_for_the_next() {
        let known = BTreeMap::from([("name", "Ada".to_owned())]);
        let templates = ["It is {time}.".to_owned(), "Hello {name}.".to_owned()];
        for seed in 0..4 {
            assert_eq!(respond(&templates, &known, seed).as_deref(), Some("Hello Ada."));
        }
        assert_eq!(respond(&[], &known, 1), None);
    }
}
