//! A request taken apart into what could be looked for by itself: sentences, parts of sentences, members of lists.
//!
//! Taking too much apart costs little here, because the whole is always looked for too; leaving two wishes together hides
//! the smaller one. So this cuts more freely than [`reflex::split`], which must not tear what is one request.

use reflex::split;

use crate::words;

/// Steps that are looked for at most.
pub(crate) const MOST: usize = 12;
/// Bytes of a request that are taken apart; what follows counts as part of the whole only.
const LONGEST: usize = 4 << 10;

/// A part of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) text: String,
    /// Whether it asks for something, rather than tell why.
    pub(crate) asks: bool,
}

/// The steps of a request, in order; none where it is one step as it stands.
pub(crate) fn steps(request: &str) -> Vec<Step> {
    let request = words::cut(request.trim(), LONGEST);
    let mut steps: Vec<Step> = Vec::new();
    for sentence in sentences(request) {
        let asks = asks(sentence);
        for part in parts(sentence) {
            let said = words::terms(part).iter().filter(|term| !words::empty(&term.said)).count();
            if said > 0 && !steps.iter().any(|step| step.text == part) {
                steps.push(Step { text: part.to_owned(), asks });
            }
        }
    }
    if steps.len() == 1 && steps[0].text.len() + 8 > request.len() {
        steps.clear();
    }
    steps.truncate(MOST);
    steps
}

/// Cut after stops that end a sentence, not within `example.com`, `3.5` or a path.
fn sentences(text: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut begin = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, char)) = chars.next() {
        let ends = match char {
            '\n' | '。' | '！' | '？' | '；' => true,
            '.' | '!' | '?' | ';' => chars.peek().is_none_or(|(_, next)| next.is_whitespace()),
            _ => false,
        };
        if ends {
            let end = at + char.len_utf8();
            sentences.push(&text[begin..end]);
            begin = end;
        }
    }
    sentences.push(&text[begin..]);
    sentences.retain(|sentence| sentence.chars().any(char::is_alphanumeric));
    sentences.iter().map(|sentence| sentence.trim()).collect()
}

/// A sentence, cut where two requests meet; and what is left long after that, cut at commas and conjunctions.
fn parts(sentence: &str) -> Vec<&str> {
    let split = split::split(sentence);
    let mut parts: Vec<&str> = Vec::new();
    for part in &split.parts {
        let text = sentence.get(part.span.clone()).unwrap_or(sentence).trim();
        parts.push(text);
        let members = members(text);
        if members.len() > 1 {
            parts.extend(members);
        }
    }
    parts
}

const CUTS: [&str; 7] = [", and ", ", then ", " and then ", ", ", " and ", " then ", " as well as "];

fn members(text: &str) -> Vec<&str> {
    let mut members = vec![text];
    for cut in CUTS {
        members = members.into_iter().flat_map(|member| member.split(cut)).collect();
    }
    members.into_iter().map(str::trim).filter(|member| !member.is_empty()).collect()
}

const ASKING: [&str; 14] = [
    "can you",
    "could you",
    "would you",
    "will you",
    "please",
    "i want",
    "i need",
    "i would like",
    "i'd like",
    "help me",
    "we need",
    "we want",
    "let me know",
    "how ",
];

fn asks(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    let tells = ["i'm ", "i am ", "my ", "i have ", "i've ", "we're ", "we are ", "we have ", "our ", "the "];
    sentence.ends_with(['?', '？'])
        || ASKING.iter().any(|words| lower.contains(words))
        || !tells.iter().any(|begin| lower.starts_with(begin))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(request: &str) -> Vec<String> {
        steps(request).into_iter().map(|step| step.text).collect()
    }

    #[test]
    fn sentences_wishes_and_members_of_lists_are_steps() {
        let request = "I'm off to Oslo. Can you find flights, book a hotel and tell me the weather?";
        let expected = [
            "I'm off to Oslo.",
            "Can you find flights, book a hotel and tell me the weather?",
            "Can you find flights",
            "book a hotel",
            "tell me the weather?",
        ];
        assert_eq!(cut(request), expected);
        assert_eq!(steps(request).iter().map(|step| step.asks).collect::<Vec<_>>(), [false, true, true, true, true]);
    }

    #[test]
    fn stops_within_names_and_numbers_end_nothing() {
        assert_eq!(
            sentences("Read data.v2.csv at example.com. Pay 3.50!"),
            ["Read data.v2.csv at example.com.", "Pay 3.50!"]
        );
    }

    #[test]
    fn one_step_is_no_steps() {
        assert_eq!(cut("what is the weather in Oslo"), Vec::<String>::new());
        assert_eq!(cut(""), Vec::<String>::new());
        assert!(cut(&"do this, and then that. ".repeat(1_000)).len() <= MOST);
    }
}
