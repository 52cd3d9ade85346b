//! What is seen at a seam: how the right side opens, how the left side opens and ends, and how they go together.

use super::classes::Class;
use super::seams::{self, Seam};
use super::words::Word;

/// How a clause opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Mood {
    Imperative = 1,
    Question,
    Inverted,
    Wish,
    Statement,
    Conditional,
    Reason,
    Greeting,
    Number,
    Time,
    Prepositional,
    Noun,
    Participle,
    Nothing,
}

/// Whether words open like a request: an order, a question, a wish.
pub fn asks(words: &[Word]) -> bool {
    matches!(mood(words), Mood::Imperative | Mood::Question | Mood::Inverted | Mood::Wish)
}

/// Whether words open like something told rather than asked for: a statement, a reason, a condition, a greeting.
pub fn tells(words: &[Word]) -> bool {
    matches!(mood(words), Mood::Statement | Mood::Reason | Mood::Conditional | Mood::Greeting | Mood::Nothing)
}

/// Past the words that say nothing of their own: `okay`, `please`, `then`.
pub(super) fn core(words: &[Word]) -> &[Word] {
    let idle = words
        .iter()
        .take_while(|word| {
            matches!(word.class, Class::Please | Class::Filler | Class::Joint)
                || matches!(word.class, Class::Greeting | Class::Mark)
        })
        .count();
    if idle < words.len() { &words[idle..] } else { words }
}

/// How a clause opens, from its first few words.
pub(super) fn mood(words: &[Word]) -> Mood {
    let words = core(words);
    let Some(first) = words.first() else { return Mood::Nothing };
    let next = words.get(1).map_or(Class::Mark, |word| word.class);
    let subject = matches!(
        next,
        Class::I
            | Class::You
            | Class::Pronoun
            | Class::Pointer
            | Class::Article
            | Class::Owner
            | Class::Other
            | Class::Plural
    );
    match first.class {
        Class::Verb if first.is("let") || first.is("go") => Mood::Imperative,
        Class::Verb if matches!(next, Class::Be | Class::Have | Class::Modal | Class::Clitic) => Mood::Noun,
        Class::Verb if words.get(1).is_some_and(|word| word.is("of")) => Mood::Noun,
        Class::Verb => Mood::Imperative,
        Class::Wh if matches!(next, Class::I | Class::Pronoun) => Mood::Reason,
        Class::Wh => Mood::Question,
        Class::Do if first.is("do") && matches!(next, Class::Negation | Class::Article | Class::Pronoun) => {
            Mood::Imperative
        }
        Class::Be | Class::Do | Class::Modal if subject || next == Class::Verb && first.class == Class::Be => {
            Mood::Inverted
        }
        Class::Have if subject && next != Class::Other => Mood::Inverted,
        Class::Be | Class::Do | Class::Modal | Class::Have => Mood::Participle,
        Class::I => wish(&words[1..]),
        Class::You | Class::Pronoun | Class::Pointer => Mood::Statement,
        Class::Wish => Mood::Wish,
        Class::Condition => Mood::Conditional,
        Class::Reason => Mood::Reason,
        Class::Greeting => Mood::Greeting,
        Class::Number => Mood::Number,
        Class::Time => Mood::Time,
        Class::Preposition => Mood::Prepositional,
        Class::Ing | Class::Past | Class::Negation => Mood::Participle,
        _ => Mood::Noun,
    }
}

fn wish(rest: &[Word]) -> Mood {
    let wishes = rest.iter().take(4).any(|word| word.class == Class::Wish || word.is("like") || word.is("love"));
    let denied = rest.iter().take(3).any(|word| word.class == Class::Negation);
    if wishes && !denied { Mood::Wish } else { Mood::Statement }
}

/// What is seen at a seam, as numbers that each stand for one thing.
#[derive(Debug, Clone, Default)]
pub struct Sight {
    /// Things that are seen together, each below [`CROSSED`]; from [`SHAPES`] on they name words outside the closed classes.
    pub crossed: Vec<u32>,
    /// Things by themselves, each below [`PLAIN`]; from [`PLAIN_SHAPES`] on they name words outside the closed classes.
    pub plain: Vec<u32>,
}

/// How many things seen together are told apart.
pub const CROSSED: u32 = 1 << 17;
/// How many things by themselves are told apart.
pub const PLAIN: u32 = 1 << 12;

/// What is seen at a seam. `left` is where the request before the seam begins, `around`
/// are the seams before and after.
pub fn features(words: &[Word], seam: &Seam, left: usize, around: [Option<&Seam>; 2], out: &mut Sight) {
    let [previous, next] = around;
    let clause = &words[previous.map_or(left, |previous| previous.end).min(seam.start)..seam.start];
    let left = &words[left.min(seam.start)..seam.start];
    let right = &words[seam.end..];
    out.crossed.clear();
    out.plain.clear();
    let mut sink = Sink { out: &mut out.crossed, buckets: CROSSED, template: 0 };
    let until = next.map_or(words.len(), |next| next.start);
    let joint = u32::from(seam.joint);
    let kind = kind_of(seam.joint);

    let r = |at: usize| right.get(at).map_or(0, Word::symbol);
    let rw = |at: usize| right.get(at).map_or(0, |word| word.hash);
    let l = |back: usize| left.len().checked_sub(back).map_or(0, |at| left[at].symbol());
    let lw = |back: usize| left.len().checked_sub(back).map_or(0, |at| left[at].hash);
    let opening = core(left);
    let s = |at: usize| opening.get(at).map_or(0, Word::symbol);
    let sw = |at: usize| opening.get(at).map_or(0, |word| word.hash);

    let piece = &words[seam.end..until.clamp(seam.end, words.len())];
    let (from, to) = (mood(left) as u32, mood(right) as u32);
    let (long, short) = (length(left.len()), length(piece.len()));
    let whole = length(right.len());
    let back = refers_back(piece).map_or(0, |word| word.symbol());
    let overlap = overlap(left, piece);
    let open = open_range(left);
    let verbs = left.iter().filter(|word| word.class == Class::Verb).count().min(3) as u32;
    let last = next.map_or(0, |next| 1 + kind_of(next.joint) * 16 + mood(&words[next.end..]) as u32);
    let pronoun = stands_for(piece);
    let before = previous.map_or(0, |previous| kind_of(previous.joint));

    // What joins, and the shape of both sides.
    sink.see(&[joint]);
    sink.see(&[kind, from, to]);
    sink.see(&[joint, to]);
    sink.see(&[kind, from, to, back]);
    sink.see(&[kind, from, to, u32::from(back != 0), overlap]);
    sink.see(&[kind, to, short]);
    sink.see(&[kind, from, long]);
    sink.see(&[kind, from, to, long, short]);
    sink.see(&[kind, long, short]);
    sink.see(&[kind, to, back]);
    sink.see(&[kind, overlap]);
    sink.see(&[kind, open, to]);
    sink.see(&[kind, verbs, to]);
    sink.see(&[kind, last, to]);
    sink.see(&[kind, last, from, to]);
    sink.see(&[kind, pronoun, to, short]);
    sink.see(&[kind, from, to, long, whole]);
    sink.see(&[kind, to, whole]);
    sink.see(&[kind, mood(clause) as u32, to]);
    sink.see(&[kind, before, from, to]);
    sink.see(&[kind, pronoun, from, to]);
    sink.see(&[kind, from, r(0)]);
    sink.see(&[kind, from, to, late(piece)]);
    sink.see(&[kind, to, late(piece)]);
    // How the right side opens, without its subject.
    sink.see(&[r(0)]);
    sink.see(&[r(0), r(1)]);
    sink.see(&[r(0), r(1), r(2)]);
    sink.see(&[r(0), r(1), r(2), r(3)]);
    sink.see(&[kind, r(0)]);
    sink.see(&[kind, r(0), r(1)]);
    sink.see(&[kind, r(0), r(1), r(2)]);
    sink.see(&[kind, r(0), short]);
    // How the left side opens and ends, without its subject.
    sink.see(&[kind, l(1)]);
    sink.see(&[kind, l(2), l(1)]);
    sink.see(&[l(1), r(0)]);
    sink.see(&[kind, l(1), r(0)]);
    sink.see(&[l(2), l(1), r(0)]);
    sink.see(&[kind, l(1), r(0), r(1)]);
    sink.see(&[kind, s(0), s(1)]);
    sink.see(&[kind, s(0), r(0)]);
    sink.see(&[kind, s(0), s(1), r(0), r(1)]);
    sink.see(&[kind, s(0), s(1), s(2)]);
    sink.see(&[kind, s(0), to]);
    sink.see(&[kind, from, r(0), r(1)]);
    // The words themselves.
    sink.template = LEXICAL;
    sink.see(&[rw(0)]);
    sink.see(&[rw(0), rw(1)]);
    sink.see(&[rw(0), rw(1), rw(2)]);
    sink.see(&[kind, rw(0)]);
    sink.see(&[kind, rw(0), rw(1)]);
    sink.see(&[lw(1), rw(0)]);
    sink.see(&[kind, sw(0), rw(0)]);
    sink.see(&[kind, sw(0), sw(1), rw(0)]);
    sink.see(&[kind, sw(0)]);

    let mut sink = Sink { out: &mut out.plain, buckets: PLAIN, template: 128 };
    let near = [joint, kind, from, to, long, short, whole, back, overlap, open, verbs, last, pronoun, late(piece)];
    let after = next.map_or(0, |next| kind_of(next.joint));
    let more = [
        after,
        next.map_or(0, |next| mood(&words[next.end..]) as u32),
        mood(clause) as u32,
        length(clause.len()),
        before,
        left.len().min(24) as u32,
        piece.len().min(16) as u32,
        late(left),
        tally(piece, Class::Verb),
        tally(piece, Class::Object) + 4 * tally(piece, Class::Pronoun) + 16 * tally(piece, Class::Pointer),
        tally(piece, Class::Preposition),
        tally(left, Class::Preposition),
        tally(left, Class::I) + 4 * tally(piece, Class::I),
        u32::from(piece.iter().any(|word| word.class == Class::Please)),
        u32::from(words.last().is_some_and(|word| word.mark == Some('?'))),
    ];
    let symbols = [r(0), r(1), r(2), r(3), r(4), s(0), s(1), s(2), s(3), l(1), l(2), l(3)];
    for seen in near.into_iter().chain(more).chain(symbols).chain([rw(0), sw(0)]) {
        sink.see(&[seen]);
    }
}

/// Templates from here on name words outside the closed classes.
const LEXICAL: u32 = 64;

/// How many of the features of one seam come before those that name words outside the closed classes.
pub const SHAPES: usize = 44;

/// The same for things by themselves.
pub const PLAIN_SHAPES: usize = 41;

struct Sink<'a> {
    out: &'a mut Vec<u32>,
    buckets: u32,
    template: u32,
}

impl Sink<'_> {
    fn see(&mut self, parts: &[u32]) {
        self.template += 1;
        let mut hash = u64::from(self.template).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for part in parts {
            hash = (hash ^ u64::from(*part)).wrapping_mul(0xff51_afd7_ed55_8ccd);
            hash ^= hash >> 32;
        }
        self.out.push((hash >> 20) as u32 % self.buckets);
    }
}

/// How many words of a class there are, up to three.
fn tally(words: &[Word], class: Class) -> u32 {
    words.iter().take(32).filter(|word| word.class == class).take(3).count() as u32
}

/// Joints that work alike.
fn kind_of(joint: u16) -> u32 {
    if joint & (seams::THEN | seams::AFTER) != 0 {
        if joint & !(seams::THEN | seams::AFTER) != 0 { 1 } else { 2 }
    } else if joint & (seams::ALSO | seams::PLUS | seams::AS_WELL) != 0 {
        if joint & !(seams::ALSO | seams::PLUS | seams::AS_WELL) != 0 { 3 } else { 4 }
    } else if joint & seams::OTHERWISE != 0 {
        5
    } else if joint & seams::SENTENCE != 0 {
        if joint & seams::QUESTION != 0 { 6 } else { 7 }
    } else if joint & seams::BUT != 0 {
        8
    } else if joint & (seams::SEMICOLON | seams::DASH) != 0 {
        9
    } else if joint & seams::AND != 0 {
        if joint & seams::COMMA != 0 { 10 } else { 11 }
    } else {
        12
    }
}

fn length(words: usize) -> u32 {
    match words {
        0..=4 => words as u32,
        5..=6 => 5,
        7..=9 => 6,
        10..=14 => 7,
        _ => 8,
    }
}

/// The first word that stands for something said before.
pub(super) fn refers_back(words: &[Word]) -> Option<&Word> {
    let near = &words[..words.len().min(24)];
    near.iter().enumerate().find_map(|(at, word)| {
        let next = near.get(at + 1).map_or(Class::Mark, |word| word.class);
        let before = at.checked_sub(1).map(|at| &near[at]);
        let points = match word.class {
            // `it` of the weather and `there is` stand for nothing.
            Class::Pronoun if word.is("it") => {
                let weather = before.is_some_and(|word| matches!(word.class, Class::Modal | Class::Be | Class::Do));
                let falls = near.get(at + 1).is_some_and(|next| WEATHER.iter().any(|verb| next.is(verb)));
                !weather && !falls && !matches!(next, Class::Be | Class::Clitic)
            }
            Class::Pronoun => word.is("they") || word.is("he") || word.is("she"),
            Class::Object => word.is("them") || word.is("him"),
            Class::Pointer if word.is("there") => {
                let exists = next == Class::Be || before.is_some_and(|word| word.class == Class::Be);
                !exists
            }
            Class::Pointer if word.is("here") => false,
            Class::Pointer => {
                !matches!(next, Class::Other | Class::Plural | Class::Time | Class::Verb | Class::I | Class::You)
            }
            _ => false,
        };
        points.then_some(word)
    })
}

const WEATHER: &[&str] = &["rains", "rain", "snows", "snow", "gets", "will", "storms", "freezes"];

/// Any pronoun that could stand for something said before, with what it follows.
fn stands_for(piece: &[Word]) -> u32 {
    let found = piece.iter().take(12).enumerate().find(|(_, word)| {
        matches!(word.class, Class::Pronoun | Class::Object | Class::Pointer) && !word.is("me") && !word.is("us")
    });
    found.map_or(0, |(at, word)| {
        let before = at.checked_sub(1).map_or(0, |at| piece[at].class as u32);
        let after = piece.get(at + 1).map_or(0, |word| word.class as u32);
        word.hash ^ (before << 8) ^ (after << 16)
    })
}

/// What kind of opening comes after a few first words: `in oslo i want`.
fn late(piece: &[Word]) -> u32 {
    let found = (1..piece.len().min(8)).find(|at| {
        let before = piece[at - 1].class;
        let loose = !matches!(before, Class::Article | Class::Owner | Class::Preposition | Class::Joint | Class::Modal);
        match piece[*at].class {
            Class::I => true,
            Class::Verb | Class::Wh => loose,
            _ => false,
        }
    });
    found.map_or(0, |at| mood(&piece[at..]) as u32)
}

/// How many words outside the closed classes both sides share, up to two.
fn overlap(left: &[Word], right: &[Word]) -> u32 {
    let content = |word: &&Word| matches!(word.class, Class::Other | Class::Plural | Class::Ing);
    let near = &left[left.len().saturating_sub(24)..];
    let shared = right.iter().take(16).filter(content);
    let shared = shared.filter(|word| near.iter().filter(content).any(|other| other.stem == word.stem));
    shared.take(2).count() as u32
}

/// Whether a `between` waits for its `and`, and how near it is.
fn open_range(left: &[Word]) -> u32 {
    for (back, word) in left.iter().rev().take(8).enumerate() {
        if word.is("and") || word.is("to") {
            return 0;
        }
        if word.is("between") {
            return 1 + u32::from(back > 3);
        }
        if word.is("both") || word.is("from") {
            return 3;
        }
    }
    0
}
