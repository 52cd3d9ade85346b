//! What is looked for: words in any form, phrases in quotes, and words that are nearly right.

use std::collections::HashSet;
use std::path::Path;
use std::sync::LazyLock;

use jiff::Timestamp;
use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, BoostQuery, FuzzyTermQuery, Occur, PhraseQuery, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{Searcher, TantivyDocument, Term};

use super::folders::Folders;
use super::index::{Fields, Trouble, analyzer, origin};
use super::snippet::{Snippet, snippet};
use super::text;

/// The most words that are looked for; the rest of a long question is left out.
const WORDS: usize = 32;

/// Words that say nothing about what a text is about.
const EMPTY: &str = "s t d m ll re ve a an and any about all also are as at be been but by can could did do does for \
    from had has have he her his how i if in is it its just like me more my no not of on one or our she so some something \
    than that the their them then there these they this to too us very was we were what when where which who why will \
    with would you your";
/// Words that ask for something without saying what.
const ASKING: &str = "doc docs document documents file files find look me note notes please search show tell";

/// A question, taken apart.
pub(super) struct Asked {
    words: Vec<String>,
    phrases: Vec<Vec<String>>,
}

/// A word as it is looked for.
pub(super) struct Wanted {
    pub(super) stem: String,
    /// How many letters may be wrong.
    pub(super) wrong: u8,
}

/// A file that was found.
pub(super) struct Hit {
    pub(super) path: std::path::PathBuf,
    pub(super) title: String,
    pub(super) snippet: Snippet,
    pub(super) score: f32,
    pub(super) modified: Timestamp,
}

impl Asked {
    /// Reads a question; nothing where there is not a word in it. No sign but a pair of quotes means anything.
    pub(super) fn read(text: &str) -> Option<Self> {
        let mut asked = Self { words: Vec::new(), phrases: Vec::new() };
        let parts: Vec<&str> = text.split(['"', '“', '”']).collect();
        for (at, part) in parts.iter().enumerate() {
            let stems = stems(part);
            let quoted = at % 2 == 1 && at + 1 < parts.len();
            if quoted && stems.len() > 1 {
                asked.phrases.push(stems.into_iter().take(WORDS).collect());
            } else {
                for stem in stems {
                    if !asked.words.contains(&stem) && asked.words.len() < WORDS {
                        asked.words.push(stem);
                    }
                }
            }
        }
        asked.phrases.truncate(4);
        let telling: Vec<String> =
            asked.words.iter().filter(|word| !is_empty(word) && !is_asking(word)).cloned().collect();
        if !telling.is_empty() || !asked.phrases.is_empty() {
            asked.words = telling;
        }
        (!asked.words.is_empty() || !asked.phrases.is_empty()).then_some(asked)
    }

    /// The best files, all words first, some words where no file has all.
    pub(super) fn hits(
        &self,
        searcher: &Searcher,
        fields: Fields,
        folders: &Folders,
        limit: usize,
    ) -> Result<Vec<Hit>, Trouble> {
        let wanted = self.wanted(searcher, fields)?;
        let mut hits = Vec::new();
        for occur in [Occur::Must, Occur::Should] {
            let query = self.query(&wanted, fields, occur);
            // Some of what is found may be gone by now.
            let top = TopDocs::with_limit(limit * 2 + 10).order_by_score();
            for (score, address) in searcher.search(&query, &top)? {
                let document: TantivyDocument = searcher.doc(address)?;
                if let Some(hit) = self.hit(&document, fields, folders, &wanted, score) {
                    hits.push(hit);
                }
                if hits.len() >= limit {
                    break;
                }
            }
            if !hits.is_empty() {
                break;
            }
        }
        Ok(hits)
    }

    /// A word that no file has is looked for with letters wrong.
    fn wanted(&self, searcher: &Searcher, fields: Fields) -> Result<Vec<Wanted>, Trouble> {
        let mut wanted = Vec::new();
        let all = self.words.iter().chain(self.phrases.iter().flatten());
        for stem in all {
            let mut there = 0;
            for field in fields.text() {
                there += searcher.doc_freq(&Term::from_field_text(field, stem))?;
            }
            let wrong = match stem.chars().count() {
                _ if there > 0 => 0,
                0..=3 => 0,
                4..=7 => 1,
                _ => 2,
            };
            wanted.push(Wanted { stem: stem.clone(), wrong });
        }
        Ok(wanted)
    }

    fn query(&self, wanted: &[Wanted], fields: Fields, occur: Occur) -> BooleanQuery {
        let mut clauses: Vec<(Occur, Box<dyn Query>)> = Vec::new();
        for word in wanted.iter().take(self.words.len()) {
            clauses.push((occur, anywhere(fields, |field| word.query(field))));
        }
        for phrase in &self.phrases {
            clauses.push((occur, anywhere(fields, |field| Box::new(PhraseQuery::new(terms(field, phrase))))));
            if occur == Occur::Should {
                for word in phrase {
                    clauses.push((occur, anywhere(fields, |field| term(field, word))));
                }
            }
        }
        // Words that stand together are worth more than the same words apart.
        if self.words.len() > 1 {
            let offsets = terms(fields.body, &self.words).into_iter().enumerate().collect();
            let close = PhraseQuery::new_with_offset_and_slop(offsets, 3);
            clauses.push((Occur::Should, Box::new(BoostQuery::new(Box::new(close), 2.0))));
        }
        BooleanQuery::new(clauses)
    }

    fn hit(
        &self,
        document: &TantivyDocument,
        fields: Fields,
        folders: &Folders,
        wanted: &[Wanted],
        score: f32,
    ) -> Option<Hit> {
        let (path, modified) = origin(document, fields)?;
        // The file itself is read: it may have gone, or no longer be anybody's business.
        if folders.find(&path).as_deref() != Some(Path::new(&path)) {
            return None;
        }
        let text = text::read(&path, &folders.read(&path).ok()?)?;
        let snippet = snippet(&text.body, wanted);
        let modified = Timestamp::from_nanosecond(i128::from(modified)).ok()?;
        Some(Hit { path, title: text.title, snippet, score, modified })
    }
}

impl Wanted {
    /// Whether a word of a text is this one.
    pub(super) fn is(&self, stem: &str) -> bool {
        match self.wrong {
            0 => stem == self.stem,
            wrong => strsim::damerau_levenshtein(stem, &self.stem) <= usize::from(wrong),
        }
    }

    fn query(&self, field: Field) -> Box<dyn Query> {
        match self.wrong {
            0 => term(field, &self.stem),
            wrong => Box::new(FuzzyTermQuery::new(Term::from_field_text(field, &self.stem), wrong, true)),
        }
    }
}

impl Fields {
    fn text(self) -> [Field; 3] {
        [self.body, self.title, self.name]
    }
}

/// A word in the name or the title of a file says more than one in its middle.
fn anywhere(fields: Fields, query: impl Fn(Field) -> Box<dyn Query>) -> Box<dyn Query> {
    let boosted = |field, boost| -> Box<dyn Query> { Box::new(BoostQuery::new(query(field), boost)) };
    Box::new(BooleanQuery::union(vec![query(fields.body), boosted(fields.title, 2.0), boosted(fields.name, 1.5)]))
}

fn term(field: Field, stem: &str) -> Box<dyn Query> {
    Box::new(TermQuery::new(Term::from_field_text(field, stem), IndexRecordOption::WithFreqs))
}

fn terms(field: Field, stems: &[String]) -> Vec<Term> {
    stems.iter().map(|stem| Term::from_field_text(field, stem)).collect()
}

/// The stems of the words in a text that say something about it.
pub(crate) fn telling_stems(text: &str) -> Vec<String> {
    stems(text).into_iter().filter(|stem| !is_empty(stem)).collect()
}

fn is_empty(stem: &str) -> bool {
    static STEMS: LazyLock<HashSet<String>> = LazyLock::new(|| stems(EMPTY).into_iter().collect());
    STEMS.contains(stem)
}

fn is_asking(stem: &str) -> bool {
    static STEMS: LazyLock<HashSet<String>> = LazyLock::new(|| stems(ASKING).into_iter().collect());
    STEMS.contains(stem)
}

fn stems(text: &str) -> Vec<String> {
    let mut analyzer = analyzer();
    let mut stream = analyzer.token_stream(text);
    let mut stems = Vec::new();
    while let Some(token) = stream.next() {
        stems.push(token.text.clone());
    }
    stems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_ask_are_left_out_where_others_tell() {
        let words = |text: &str| Asked::read(text).map(|asked| asked.words);
        assert_eq!(words("find my notes about the Boiler's pressure"), Some(vec!["boiler".into(), "pressur".into()]));
        assert_eq!(words("my notes"), Some(vec!["my".into(), "note".into()]));
        assert_eq!(words("?! \"\""), None);
    }

    proptest::proptest! {
        #[test]
        fn any_question_has_a_bounded_number_of_words(text in "(\\PC|[a-z]{1,4}|\"| ){0,60}") {
            if let Some(asked) = Asked::read(&text) {
                proptest::prop_assert!(asked.words.len() <= WORDS && asked.phrases.len() <= 4);
                proptest::prop_assert!(asked.words.len() + asked.phrases.len() > 0);
            }
        }
    }
}
