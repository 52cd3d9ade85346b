//! A text that is looked for, as the index hears it: its words with what they say, and which words of entries answer them.

use domain::embed::Embedder;

use crate::kin::Kin;
use crate::lexicon::Lexicon;
use crate::places::Place;
use crate::words;

/// Words of a question that are looked for; of more, those that say most.
const MOST: usize = 96;
/// Words that no entry has, of which near ones are looked up.
const STRANGE: usize = 4;
/// How much a word that no entry has counts against what does not answer it, beside one that some have.
const UNHEARD: f32 = 0.4;
/// What is added to how much there is to say, so that a single word that is answered is not everything.
const DAMP: f32 = 0.7;

/// A text with its place, made before the index is asked.
#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) text: String,
    pub(crate) place: Place,
    /// How much it counts beside what is asked outright.
    pub(crate) share: f32,
}

/// What is looked for: a whole text, and its steps where it has several.
#[derive(Debug)]
pub(crate) struct Question {
    pub(crate) words: Vec<Asked>,
    pub(crate) whole: Part,
    pub(crate) steps: Vec<Part>,
    /// For each word of the lexicon where its answers begin and end.
    heard: Vec<(u32, u32)>,
    answers: Vec<Answer>,
}

/// A word that is asked for.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) stem: String,
    pub(crate) said: String,
    pub(crate) id: Option<u32>,
    pub(crate) weight: f32,
}

/// A text by its words.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) place: Place,
    /// Numbers of words of the question.
    pub(crate) words: Vec<u16>,
    /// What all of them would say together.
    pub(crate) mass: f32,
    pub(crate) share: f32,
}

/// That a word of an entry answers a word that is asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Answer {
    /// The number of the word in the question.
    pub(crate) asked: u16,
    /// Whether it is the word itself.
    pub(crate) same: bool,
    pub(crate) weight: f32,
}

impl Question {
    pub(crate) fn new(lexicon: &Lexicon, kin: &Kin, embedder: &dyn Embedder, whole: Text, steps: Vec<Text>) -> Self {
        let words = asked(lexicon, &whole.text);
        let part = |text: Text, own: Vec<u16>| {
            let mass = own.iter().map(|at| &words[*at as usize]);
            let mass: f32 = mass.map(|word| word.weight * if word.id.is_some() { 1.0 } else { UNHEARD }).sum();
            Part { place: text.place, words: own, mass: mass + DAMP, share: text.share }
        };
        let find = |text: &Text| {
            let stems: Vec<String> = words::terms(&text.text).into_iter().map(|term| term.stem).collect();
            (0..words.len() as u16).filter(|at| stems.contains(&words[*at as usize].stem)).collect()
        };
        let steps = steps.into_iter().map(|step| {
            let own = find(&step);
            part(step, own)
        });
        let steps = steps.collect();
        let whole = part(whole, (0..words.len() as u16).collect());
        let (heard, answers) = listen(lexicon, kin, embedder, &words);
        Question { words, whole, steps, heard, answers }
    }

    /// Which words that are asked for a word of the lexicon answers.
    pub(crate) fn answers(&self, id: u32) -> &[Answer] {
        self.heard.get(id as usize).map_or(&[], |(begin, end)| &self.answers[*begin as usize..*end as usize])
    }
}

/// The words of a text, each once, with what they say.
fn asked(lexicon: &Lexicon, text: &str) -> Vec<Asked> {
    let mut asked: Vec<Asked> = Vec::new();
    for term in words::terms(text) {
        let says = words::says(&term.said);
        if says > 0.0 && !asked.iter().any(|other| other.stem == term.stem) {
            // A word that only entries had which have gone is as unknown as any.
            let id = lexicon.id(&term.stem).filter(|id| !lexicon.entries(*id).is_empty());
            asked.push(Asked { stem: term.stem, said: term.said, id, weight: says * lexicon.rarity(id) });
        }
    }
    if asked.len() > MOST {
        asked.sort_by(|one, two| two.weight.total_cmp(&one.weight));
        asked.truncate(MOST);
    }
    asked
}

/// All answers, by the word of the lexicon that gives them.
fn listen(lexicon: &Lexicon, kin: &Kin, embedder: &dyn Embedder, words: &[Asked]) -> (Vec<(u32, u32)>, Vec<Answer>) {
    let mut all: Vec<(u32, Answer)> = Vec::new();
    let mut strange = 0;
    for (word, asked) in words.iter().zip(0..) {
        let near = match word.id {
            Some(id) => {
                all.push((id, Answer { asked, same: true, weight: word.weight }));
                kin.near(id).to_vec()
            }
            None if strange < STRANGE && words::has_kin(&word.said) => {
                strange += 1;
                kin.of(&Place::new(&embedder.embed(&word.said)))
            }
            None => Vec::new(),
        };
        for (id, likeness) in near {
            let weight = word.weight.min(lexicon.rarity(Some(id))) * likeness;
            all.push((id, Answer { asked, same: false, weight }));
        }
    }
    all.sort_by_key(|(id, _)| *id);
    let mut heard = vec![(0, 0); lexicon.words()];
    for (at, (id, _)) in (0..).zip(&all) {
        let range: &mut (u32, u32) = &mut heard[*id as usize];
        *range = if range.1 == 0 { (at, at + 1) } else { (range.0, at + 1) };
    }
    (heard, all.into_iter().map(|(_, answer)| answer).collect())
}
