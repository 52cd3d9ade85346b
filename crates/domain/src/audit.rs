//! The seam to the audit trail: who changed what, in a chain that shows where somebody has changed it afterwards.
//!
//! Every entry has a hash of its own text, its place and the hash before it. Whoever changes, removes or inserts an entry
//! must change all that come after; whoever has kept one hash elsewhere sees that.

use std::collections::BTreeMap;

use async_trait::async_trait;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::hash::Hash;
use crate::store::StoreError;

/// How many entries are read at once to verify them.
const AT_ONCE: usize = 1_000;

/// A database that keeps an audit trail.
#[async_trait]
pub trait Audit: Send + Sync {
    /// Adds an entry after the last one, however many processes do so at once. On return it is durable.
    async fn note(&self, entry: &Entry) -> Result<Noted, StoreError>;

    /// Entries before one, or the last ones, newest first.
    async fn noted(&self, before: Option<u64>, limit: usize) -> Result<Vec<Noted>, StoreError>;

    /// Entries after one as they are written, oldest first.
    async fn links(&self, after: u64, limit: usize) -> Result<Vec<Link>, StoreError>;

    /// Goes through all of it.
    async fn verify(&self) -> Result<Verified, StoreError> {
        let mut chain = Chain::default();
        loop {
            let links = self.links(chain.entries, AT_ONCE).await?;
            for link in &links {
                if !chain.follow(link) {
                    return Ok(Verified { entries: chain.entries, last: chain.last, broken: Some(chain.entries + 1) });
                }
            }
            if links.len() < AT_ONCE {
                return Ok(Verified { entries: chain.entries, last: chain.last, broken: None });
            }
        }
    }
}

/// Something that somebody did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// When.
    pub at: Timestamp,
    /// Who, by the name they are known by.
    pub who: String,
    /// How they came in.
    pub via: Via,
    /// What: a method and a path as it is declared, or a command.
    pub what: String,
    /// To what, by its ids.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub on: BTreeMap<String, String>,
    /// How it went.
    pub outcome: Outcome,
}

/// How somebody came in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Via {
    /// With a key.
    Key,
    /// By signing in.
    Session,
    /// At a terminal of the machine.
    Cli,
}

impl Via {
    /// As it is written.
    pub fn word(self) -> &'static str {
        match self {
            Via::Key => "key",
            Via::Session => "session",
            Via::Cli => "cli",
        }
    }
}

/// How something went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// It was done.
    Done,
    /// It was not allowed, or not possible.
    Refused,
    /// It could not be done.
    Failed,
}

impl Outcome {
    /// As it is written.
    pub fn word(self) -> &'static str {
        match self {
            Outcome::Done => "done",
            Outcome::Refused => "refused",
            Outcome::Failed => "failed",
        }
    }
}

/// An entry on record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Noted {
    /// Its place, counted from 1.
    pub seq: u64,
    /// What it says.
    #[serde(flatten)]
    pub entry: Entry,
    /// What the chain is up to here.
    pub hash: Hash,
}

/// An entry as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// Its place, counted from 1.
    pub seq: u64,
    /// Its JSON.
    pub text: String,
    /// What the chain is up to here.
    pub hash: Hash,
}

/// What became of going through a trail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verified {
    /// How many entries follow from each other, from the first on.
    pub entries: u64,
    /// The hash of the last of them.
    pub last: Hash,
    /// The first entry that does not.
    pub broken: Option<u64>,
}

/// A chain as far as it was followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chain {
    /// How many entries it has.
    pub entries: u64,
    /// The hash of the last.
    pub last: Hash,
}

impl Default for Chain {
    fn default() -> Self {
        Self { entries: 0, last: Hash::of(b"") }
    }
}

impl Chain {
    /// The link that an entry makes at the end of the chain.
    pub fn next(&self, entry: &Entry) -> Link {
        // Our own types always serialise.
        let text = serde_json::to_string(entry).unwrap_or_default();
        let seq = self.entries + 1;
        Link { seq, hash: self.hash(seq, &text), text }
    }

    /// Goes one link further, if it is the next one.
    pub fn follow(&mut self, link: &Link) -> bool {
        let fits = link.seq == self.entries + 1 && link.hash == self.hash(link.seq, &link.text);
        if fits {
            *self = Self { entries: link.seq, last: link.hash };
        }
        fits
    }

    fn hash(&self, seq: u64, text: &str) -> Hash {
        Hash::of(format!("{}\n{seq}\n{text}", self.last).as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(who: &str) -> Entry {
        let at = Timestamp::UNIX_EPOCH;
        let on = BTreeMap::from([("id".to_owned(), "3f9c0a71b2d4".to_owned())]);
        Entry { at, who: who.into(), via: Via::Key, what: "DELETE /v1/keys/{id}".into(), on, outcome: Outcome::Done }
    }

    fn chain(names: &[&str]) -> Vec<Link> {
        let mut chain = Chain::default();
        let link = |name: &&str| {
            let link = chain.next(&entry(name));
            assert!(chain.follow(&link));
            link
        };
        names.iter().map(link).collect()
    }

    fn broken(links: &[Link]) -> Option<u64> {
        let mut chain = Chain::default();
        links.iter().position(|link| !chain.follow(link)).map(|at| at as u64 + 1)
    }

    #[test]
    fn a_chain_holds_until_something_in_it_is_changed() {
        let links = chain(&["ada", "bo", "cy"]);
        assert_eq!(broken(&links), None);
        let mut changed = links.clone();
        changed[1].text = changed[1].text.replace("bo", "eve");
        assert_eq!(broken(&changed), Some(2));
        let mut removed = links.clone();
        removed.remove(1);
        assert_eq!(broken(&removed), Some(2));
        let mut swapped = links.clone();
        swapped.swap(0, 1);
        assert_eq!(broken(&swapped), Some(1));
        let other = chain(&["ada", "eve", "cy"]);
        assert_eq!(broken(&[links[0].clone(), other[1].clone(), links[2].clone()]), Some(3), "what follows tells");
    }
}
