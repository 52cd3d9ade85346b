//! The full-text index on disk: brought up to date before it is asked, and built anew when it is damaged.
//!
//! One process writes at a time, under a lock; whoever does not get it reads what is there.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tantivy::directory::MmapDirectory;
use tantivy::schema::{Field, IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing, TextOptions, Value as _};
use tantivy::tokenizer::{
    AsciiFoldingFilter, Language, LowerCaser, RemoveLongFilter, SimpleTokenizer, Stemmer, TextAnalyzer,
};
use tantivy::{Index, IndexWriter, ReloadPolicy, Searcher, TantivyDocument, TantivyError, Term};

use super::folders::{Folders, LARGEST, Stamp};
use super::text;

/// The most files that one question waits for.
const FILES: usize = 400;
/// The most bytes of files that one question waits for.
const BYTES: u64 = 24 << 20;
/// What the writer may hold before it writes.
const MEMORY: usize = 32 << 20;
/// The folder within the index's own that this shape of index lives in.
const SHAPE: &str = "v1";
const TOKENIZER: &str = "words";

/// The index and what it is an index of.
pub(super) struct Library {
    index: PathBuf,
    pub(super) folders: Folders,
    turn: Mutex<()>,
}

/// The fields of a file in the index.
#[derive(Clone, Copy)]
pub(super) struct Fields {
    pub(super) path: Field,
    pub(super) name: Field,
    pub(super) title: Field,
    pub(super) body: Field,
    modified: Field,
    size: Field,
}

/// How far the index is behind the files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Behind {
    /// Files that are still to be read.
    pub(super) files: usize,
    /// Whether another process is writing just now.
    pub(super) busy: bool,
    /// Whether there are more files than are ever looked at.
    pub(super) too_many: bool,
}

/// Why the index cannot be asked.
#[derive(Debug, thiserror::Error)]
pub(super) enum Trouble {
    /// Build it anew.
    #[error("the index is damaged: {0}")]
    Damaged(String),
    /// A person must look.
    #[error("the index cannot be used: {0}")]
    Unusable(String),
}

impl From<TantivyError> for Trouble {
    fn from(error: TantivyError) -> Self {
        match &error {
            TantivyError::LockFailure(..) => Trouble::Unusable(error.to_string()),
            TantivyError::IoError(io) if io.kind() != io::ErrorKind::UnexpectedEof => {
                Trouble::Unusable(error.to_string())
            }
            _ => Trouble::Damaged(error.to_string()),
        }
    }
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Trouble::Unusable(error.to_string())
    }
}

impl Library {
    pub(super) fn new(index: PathBuf, folders: Folders) -> Self {
        Self { index, folders, turn: Mutex::new(()) }
    }

    /// Brings the index up to date as far as one question waits for, and asks it.
    pub(super) fn ask<T: Default>(
        &self,
        question: impl FnOnce(&Searcher, Fields) -> Result<T, Trouble>,
    ) -> Result<(T, Behind), Trouble> {
        let turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let behind = self.refresh()?;
        drop(turn);
        // Only who holds the lock may make an index.
        if behind.busy && !self.place().join("meta.json").exists() {
            return Ok((T::default(), behind));
        }
        let (searcher, fields) = self.searcher(&self.open()?)?;
        Ok((question(&searcher, fields)?, behind))
    }

    /// Throws the index away; the next question builds it.
    pub(super) fn discard(&self) -> Result<(), Trouble> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        // Whoever holds the lock is writing an index that works.
        let Some(_lock) = self.lock()? else { return Ok(()) };
        match fs::remove_dir_all(self.place()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
            _ => Ok(()),
        }
    }

    fn place(&self) -> PathBuf {
        self.index.join(SHAPE)
    }

    fn lock(&self) -> Result<Option<File>, Trouble> {
        fs::create_dir_all(self.place())?;
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(self.index.join("lock"))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(file)),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error.into()),
        }
    }

    fn open(&self) -> Result<Index, Trouble> {
        let directory = MmapDirectory::open(self.place()).map_err(|error| Trouble::Unusable(error.to_string()))?;
        let index = Index::open_or_create(directory, schema().0)?;
        index.tokenizers().register(TOKENIZER, analyzer());
        Ok(index)
    }

    fn searcher(&self, index: &Index) -> Result<(Searcher, Fields), Trouble> {
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
        Ok((reader.searcher(), schema().1))
    }

    fn refresh(&self) -> Result<Behind, Trouble> {
        let Some(_lock) = self.lock()? else { return Ok(Behind { busy: true, ..Behind::default() }) };
        let index = self.open()?;
        let (searcher, fields) = self.searcher(&index)?;
        let known = known(&searcher, fields)?;
        let mut walked = self.folders.walk();
        if let Ok(own) = self.index.canonicalize() {
            walked.files.retain(|path, _| !path.starts_with(&own));
        }
        let too_many = !walked.whole;
        let gone: Vec<&String> =
            known.keys().filter(|path| walked.whole && !walked.files.contains_key(Path::new(path))).collect();
        let mut changed: Vec<(&str, Stamp)> = walked
            .files
            .iter()
            .filter_map(|(path, stamp)| Some((path.to_str()?, *stamp)))
            .filter(|(path, stamp)| known.get(*path) != Some(stamp))
            .collect();
        if gone.is_empty() && changed.is_empty() {
            return Ok(Behind { too_many, ..Behind::default() });
        }
        // What was written last is most likely what is looked for.
        changed.sort_by_key(|(_, stamp)| std::cmp::Reverse(stamp.modified));
        let mut writer: IndexWriter = index.writer_with_num_threads(1, MEMORY)?;
        for path in gone {
            writer.delete_term(Term::from_field_text(fields.path, path));
        }
        let (mut read, mut bytes) = (0, 0);
        for (path, stamp) in &changed {
            if read >= FILES || bytes >= BYTES {
                break;
            }
            writer.delete_term(Term::from_field_text(fields.path, path));
            writer.add_document(self.document(fields, path, *stamp))?;
            read += 1;
            bytes += stamp.size.min(LARGEST);
        }
        writer.commit()?;
        writer.wait_merging_threads()?;
        Ok(Behind { files: changed.len() - read, busy: false, too_many })
    }

    /// A file as the index knows it. One that is no text, or cannot be read, is known without words, so that it is not
    /// tried again until it changes.
    fn document(&self, fields: Fields, path: &str, stamp: Stamp) -> TantivyDocument {
        let mut document = TantivyDocument::default();
        document.add_text(fields.path, path);
        document.add_i64(fields.modified, stamp.modified);
        document.add_u64(fields.size, stamp.size);
        let path = Path::new(path);
        let text = self.folders.read(path).ok().and_then(|bytes| text::read(path, &bytes));
        if let Some(text) = text {
            document.add_text(fields.name, path.file_stem().unwrap_or_default().to_string_lossy());
            document.add_text(fields.title, &text.title);
            document.add_text(fields.body, &text.body);
        }
        document
    }
}

/// Words as they are looked for: without case, accents and endings.
pub(super) fn analyzer() -> TextAnalyzer {
    TextAnalyzer::builder(SimpleTokenizer::default())
        .filter(RemoveLongFilter::limit(60))
        .filter(LowerCaser)
        .filter(AsciiFoldingFilter)
        .filter(Stemmer::new(Language::English))
        .build()
}

fn schema() -> (Schema, Fields) {
    let words = TextFieldIndexing::default()
        .set_tokenizer(TOKENIZER)
        .set_index_option(IndexRecordOption::WithFreqsAndPositions);
    let words = TextOptions::default().set_indexing_options(words);
    let mut schema = Schema::builder();
    let fields = Fields {
        path: schema.add_text_field("path", STRING | STORED),
        name: schema.add_text_field("name", words.clone()),
        title: schema.add_text_field("title", words.clone()),
        body: schema.add_text_field("body", words),
        modified: schema.add_i64_field("modified", STORED),
        size: schema.add_u64_field("size", STORED),
    };
    (schema.build(), fields)
}

fn known(searcher: &Searcher, fields: Fields) -> Result<HashMap<String, Stamp>, Trouble> {
    let mut known = HashMap::new();
    for segment in searcher.segment_readers() {
        let store = segment.get_store_reader(1)?;
        for document in store.iter::<TantivyDocument>(segment.alive_bitset()) {
            let document = document?;
            let path = document.get_first(fields.path).and_then(|value| value.as_str());
            let modified = document.get_first(fields.modified).and_then(|value| value.as_i64());
            let size = document.get_first(fields.size).and_then(|value| value.as_u64());
            if let (Some(path), Some(modified), Some(size)) = (path, modified, size) {
                known.insert(path.to_owned(), Stamp { modified, size });
            }
        }
    }
    Ok(known)
}

/// The path and the time of change that a document holds.
pub(super) fn origin(document: &TantivyDocument, fields: Fields) -> Option<(PathBuf, i64)> {
    let path = document.get_first(fields.path)?.as_str()?;
    Some((PathBuf::from(path), document.get_first(fields.modified)?.as_i64()?))
}
