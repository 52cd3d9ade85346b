//! What goes into the index, what is asked of it, and what it answers.

use domain::library::Kind;

/// Something that can be found. Kind and name together are its identity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// What kind of thing it is.
    pub kind: Kind,
    /// What it is called; words within it (`file_write`, `ResearchHelper`) are found too.
    pub name: String,
    /// What it does, in plain words. May be empty.
    pub description: String,
    /// Words it should be found by besides.
    pub keywords: Vec<String>,
    /// The names of its parameters.
    pub parameters: Vec<String>,
    /// What it belongs to with others: a server, a toolkit, a domain. Those of one family are often wanted together.
    pub family: Option<String>,
    /// How its uses ended before this index knew it.
    pub tally: Tally,
}

impl Entry {
    /// One with a name and a description and nothing else.
    pub fn new(kind: Kind, name: impl Into<String>, description: impl Into<String>) -> Self {
        Entry {
            kind,
            name: name.into(),
            description: description.into(),
            keywords: Vec::new(),
            parameters: Vec::new(),
            family: None,
            tally: Tally::default(),
        }
    }
}

/// How uses ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// So many went well.
    pub good: u32,
    /// So many did not.
    pub bad: u32,
}

impl Tally {
    /// The share that goes well, pulled to one half while little is known.
    pub fn share(self) -> f32 {
        (self.good as f32 + 1.0) / (self.good as f32 + self.bad as f32 + 2.0)
    }
}

/// Something was chosen for a request, and it went well or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Use {
    /// The request, or the part of it that it was chosen for.
    pub text: String,
    /// The kind of what was chosen.
    pub kind: Kind,
    /// Its name.
    pub name: String,
    /// Whether it went well.
    pub good: bool,
}

/// What is looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// The kinds that count; empty for all.
    pub kinds: Vec<Kind>,
    /// How many at most.
    pub most: usize,
}

impl Wanted {
    /// So many of these kinds.
    pub fn new(kinds: impl Into<Vec<Kind>>, most: usize) -> Self {
        Wanted { kinds: kinds.into(), most }
    }

    pub(crate) fn takes(&self, kind: Kind) -> bool {
        self.kinds.is_empty() || self.kinds.contains(&kind)
    }
}

/// Something that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// What kind of thing it is.
    pub kind: Kind,
    /// Its name.
    pub name: String,
    /// How sure it is that this is what is meant, from 0 to 1, comparable between queries: above 0.5 it is more likely
    /// what is meant than not.
    pub score: f32,
    /// How much of what the text says the entry says in the same words, from 0 to 1.
    pub words: f32,
    /// How near the meanings are, from 0 (nothing in common) to 1 (the same).
    pub meaning: f32,
    /// What earlier uses for such texts say, from -1 (never again) to 1 (always); 0 where there were none.
    pub usage: f32,
    /// The same in plain words.
    pub why: String,
}
