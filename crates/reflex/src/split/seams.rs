//! Where two requests could meet: every conjunction, comma, stop and `then`, with all that says whether they do.

use super::classes::Class;
use super::words::Word;

/// A place where one request could end and another begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seam {
    /// The first word of what joins.
    pub start: usize,
    /// The first word of what follows.
    pub end: usize,
    /// What joins, one bit for each kind of joint.
    pub joint: u16,
}

impl Seam {
    /// Whether more joins here than the end of a sentence.
    pub fn has_conjunction(&self) -> bool {
        self.joint & (COMMA | SEMICOLON | AND | THEN | ALSO | PLUS) != 0
    }
}

pub(super) const COMMA: u16 = 1;
pub(super) const SEMICOLON: u16 = 1 << 1;
pub(super) const STOP: u16 = 1 << 2;
pub(super) const QUESTION: u16 = 1 << 3;
pub(super) const LINE: u16 = 1 << 4;
pub(super) const DASH: u16 = 1 << 5;
pub(super) const AND: u16 = 1 << 6;
pub(super) const THEN: u16 = 1 << 7;
pub(super) const ALSO: u16 = 1 << 8;
pub(super) const PLUS: u16 = 1 << 9;
pub(super) const AFTER: u16 = 1 << 10;
pub(super) const BUT: u16 = 1 << 11;
pub(super) const OTHERWISE: u16 = 1 << 12;
pub(super) const AS_WELL: u16 = 1 << 13;
pub(super) const SENTENCE: u16 = STOP | QUESTION | LINE;

/// Seams beyond this many are not looked at: what follows stays with the last.
const MOST: usize = 96;

/// Every place where two requests could meet, in order.
pub fn find(words: &[Word]) -> Vec<Seam> {
    let mut seams = Vec::new();
    let mut at = 1;
    while at < words.len() && seams.len() < MOST {
        let (end, joint) = joint(words, at);
        if joint == 0 {
            at += 1;
            continue;
        }
        if end < words.len() {
            seams.push(Seam { start: at, end, joint });
        }
        at = end.max(at + 1);
    }
    seams
}

/// What joins here, and where it ends: `, and then` is one joint.
fn joint(words: &[Word], start: usize) -> (usize, u16) {
    let (mut end, mut joint) = (start, 0);
    while end < words.len() && !words[end].quoted {
        let (length, kind) = kind(&words[end..]);
        if joint != 0 && words[end].is("else") {
            joint |= OTHERWISE;
            end += 1;
            continue;
        }
        // `next` and `finally` join only after something else did: `the next song` is no seam.
        if kind == 0 {
            let order =
                joint != 0 && ["next", "finally", "lastly", "additionally"].iter().any(|word| words[end].is(word));
            let goes_on = words.get(end + 1).is_some_and(|next| !matches!(next.class, Class::Time));
            if !(order && goes_on) {
                break;
            }
            joint |= AFTER;
            end += 1;
            continue;
        }
        joint |= kind;
        end += length;
    }
    (end, joint)
}

fn kind(words: &[Word]) -> (usize, u16) {
    let Some(word) = words.first() else { return (0, 0) };
    match word.mark {
        Some(',') => return (1, COMMA),
        Some(';') => return (1, SEMICOLON),
        Some('.' | '!') => return (1, STOP),
        Some('?') => return (1, QUESTION),
        Some('\n') => return (1, LINE),
        Some('-') => return (1, DASH),
        Some('&') => return (1, AND),
        Some(_) => return (0, 0),
        None => {}
    }
    let follows = |at: usize, text: &str| words.get(at).is_some_and(|word| word.is(text));
    match word.class {
        Class::Joint if word.is("and") => (1, AND),
        Class::Joint if word.is("then") => (1, THEN),
        Class::Joint if word.is("also") => (1, ALSO),
        Class::Joint if word.is("plus") => (1, PLUS),
        Class::Joint if word.is("but") => (1, BUT),
        Class::Joint if word.is("or") && (follows(1, "else") || follows(1, "otherwise")) => (2, OTHERWISE),
        Class::Preposition if word.is("after") && follows(1, "that") => (2, AFTER),
        Class::Preposition if word.is("as") && follows(1, "well") && follows(2, "as") => (3, AS_WELL),
        Class::Other | Class::Plural | Class::Filler if word.is("otherwise") => (1, OTHERWISE),
        Class::Plural | Class::Other if word.is("afterwards") || word.is("afterward") => (1, AFTER),
        Class::Adverb if word.is("additionally") => (1, AFTER),
        _ => (0, 0),
    }
}
