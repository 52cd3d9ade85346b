//! Texts as points in space: rows of a table that a sentence model was distilled into, summed.
//!
//! A row has two uses. Its end is the word's share of the place of a text, and its beginning is what the word adds to
//! windows of three words, by which word order counts ([`Encoder::features`]).

use std::sync::OnceLock;

use domain::embed::Embedder;

use crate::features;
use crate::model::{Artefact, ArtefactError, Bytes};
use crate::tokens;

/// Words of a text that are looked at; what follows changes nothing.
pub const LONGEST: usize = 64;

/// Rows of whole numbers of eight bits, each with its scale.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    width: usize,
    scales: Vec<f32>,
    cells: Vec<i8>,
}

impl Table {
    pub(crate) fn read(bytes: &mut Bytes<'_>) -> Option<Self> {
        let (count, width) = (bytes.number()?, bytes.number()?);
        let scales = bytes.floats(count)?;
        let cells = bytes.take(count.checked_mul(width)?)?.iter().map(|byte| byte.cast_signed()).collect();
        (width > 0).then_some(Table { width, scales, cells })
    }

    pub(crate) fn width(&self) -> usize {
        self.width
    }

    pub(crate) fn len(&self) -> usize {
        self.scales.len()
    }

    fn add(&self, row: usize, share: f32, to: &mut [f32]) {
        let scale = self.scales[row] * share;
        let cells = &self.cells[row * self.width..(row + 1) * self.width];
        for (sum, cell) in to.iter_mut().zip(cells) {
            *sum += f32::from(*cell) * scale;
        }
    }

    /// All rows as plain numbers.
    pub(crate) fn plain(&self) -> Vec<f32> {
        let mut all = vec![0.0; self.cells.len()];
        for (row, to) in all.chunks_exact_mut(self.width).enumerate() {
            self.add(row, 1.0, to);
        }
        all
    }
}

/// A layer of sums: outputs from inputs, weights and a bias.
#[derive(Debug, Clone)]
pub(crate) struct Layer {
    /// For each sixteen outputs, for each input, their sixteen weights: so many sums stay where they are added to.
    blocks: Vec<[f32; BLOCK]>,
    inputs: usize,
    bias: Vec<f32>,
}

/// Outputs that are summed up side by side.
const BLOCK: usize = 16;

impl Layer {
    pub(crate) fn read(bytes: &mut Bytes<'_>) -> Option<Self> {
        let table = Table::read(bytes)?;
        let bias = bytes.floats(table.len())?;
        Some(Layer::new(&table.plain(), bias))
    }

    /// From rows of weights, one per output.
    pub(crate) fn new(rows: &[f32], bias: Vec<f32>) -> Self {
        let (outputs, inputs) = (bias.len(), rows.len() / bias.len().max(1));
        let mut blocks = vec![[0.0; BLOCK]; outputs.div_ceil(BLOCK) * inputs];
        for (output, row) in rows.chunks_exact(inputs.max(1)).enumerate() {
            for (input, weight) in row.iter().enumerate() {
                blocks[output / BLOCK * inputs + input][output % BLOCK] = *weight;
            }
        }
        Layer { blocks, inputs, bias }
    }

    pub(crate) fn outputs(&self) -> usize {
        self.bias.len()
    }

    pub(crate) fn inputs(&self) -> usize {
        self.inputs
    }

    pub(crate) fn apply(&self, inputs: &[f32]) -> Vec<f32> {
        let mut sums = self.bias.clone();
        for (sums, block) in sums.chunks_mut(BLOCK).zip(self.blocks.chunks_exact(self.inputs.max(1))) {
            let mut own = [0.0_f32; BLOCK];
            for (input, weights) in inputs.iter().zip(block) {
                for at in 0..BLOCK {
                    own[at] += input * weights[at];
                }
            }
            sums.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
        }
        sums
    }
}

/// What was distilled: from a text to the numbers that heads are learned on.
#[derive(Debug, Clone)]
pub struct Encoder {
    window: usize,
    bag: usize,
    index: Index,
    rows: Table,
    pieces: Table,
    edges: [Vec<f32>; 2],
    bias: Vec<f32>,
    hidden: Layer,
}

/// A text as heads see it.
#[derive(Debug, Clone, PartialEq)]
pub struct Encoded {
    /// The hidden layer, then the pooled windows and words it was made of.
    pub features: Vec<f32>,
    /// Where the text is, of length one; zeros where there are no words.
    pub place: Vec<f32>,
    /// Words looked at.
    pub words: usize,
    /// Those of them that are neither in the table nor numbers.
    pub unknown: usize,
}

/// A text as windows and words summed up, before the hidden layer: cheaper, for heads that need no more.
#[derive(Debug, Clone, PartialEq)]
pub struct Pooled {
    /// Sums and peaks of the windows, then the sum of the words.
    pub pool: Vec<f32>,
    /// Words looked at.
    pub words: usize,
    /// Those of them that are neither in the table nor numbers.
    pub unknown: usize,
}

impl Encoder {
    /// Reads the sections that the distillation wrote.
    pub fn read(artefact: &Artefact<'_>) -> Result<Self, ArtefactError> {
        let mut shape = artefact.need("shape")?;
        let unfit = || ArtefactError::Unfit("shape");
        let (window, bag) = (shape.number().ok_or_else(unfit)?, shape.number().ok_or_else(unfit)?);
        let row = window.checked_mul(3).and_then(|three| three.checked_add(bag)).ok_or_else(unfit)?;
        let table = |name| {
            Table::read(&mut artefact.need(name)?).filter(|t| t.width() == row).ok_or(ArtefactError::Unfit(name))
        };
        let (rows, pieces) = (table("rows")?, table("pieces")?);
        let floats = |name, count| artefact.need(name)?.floats(count).ok_or(ArtefactError::Unfit(name));
        let mut edges = floats("edges", 2 * row)?;
        let last = edges.split_off(row);
        let hashes = artefact.need("words")?.numbers(rows.len()).ok_or(ArtefactError::Unfit("words"))?;
        let hidden = Layer::read(&mut artefact.need("hidden")?).ok_or(ArtefactError::Unfit("hidden"))?;
        if hidden.inputs() != 2 * window + bag || pieces.len() == 0 {
            return Err(ArtefactError::Unfit("hidden"));
        }
        let edges = [edges[..window].to_vec(), last[2 * window..3 * window].to_vec()];
        Ok(Encoder {
            window,
            bag,
            index: Index::new(&hashes),
            rows,
            pieces,
            edges,
            bias: floats("bias", window)?,
            hidden,
        })
    }

    /// The one that is compiled in, read at the first call.
    ///
    /// # Panics
    /// If the artefact was damaged before compiling; a test excludes that.
    pub fn shipped() -> &'static Encoder {
        static SHIPPED: OnceLock<Encoder> = OnceLock::new();
        SHIPPED.get_or_init(|| Encoder::read(&Artefact::shipped()).expect("the encoder that is compiled in is whole"))
    }

    /// How many numbers [`Encoded::features`] has.
    pub fn width(&self) -> usize {
        self.hidden.outputs() + self.hidden.inputs()
    }

    /// How many numbers [`Encoded::place`] has.
    pub fn dimensions(&self) -> usize {
        self.bag
    }

    /// How many numbers [`Pooled::pool`] has.
    pub fn pool_width(&self) -> usize {
        self.hidden.inputs()
    }

    /// What heads are learned on.
    pub fn features(&self, text: &str) -> Encoded {
        let Pooled { mut pool, words, unknown } = self.summed(text);
        let place = unit(&pool[2 * self.window..]);
        self.scale(&mut pool, words);
        let mut features = self.hidden.apply(&pool);
        features.iter_mut().for_each(|value| *value = value.max(0.0));
        features.append(&mut pool);
        Encoded { features, place, words, unknown }
    }

    /// What the hidden layer is made of, without it.
    pub fn pooled(&self, text: &str) -> Pooled {
        let mut pooled = self.summed(text);
        self.scale(&mut pooled.pool, pooled.words);
        pooled
    }

    /// Where a text is, without the rest.
    pub fn place(&self, text: &str) -> Vec<f32> {
        let (rows, ..) = self.look_up(text);
        let mut bag = vec![0.0; self.bag];
        for row in rows.chunks_exact(self.rows.width()) {
            bag.iter_mut().zip(&row[3 * self.window..]).for_each(|(sum, cell)| *sum += cell);
        }
        unit(&bag)
    }

    /// Sums and peaks as they come; longer texts have larger ones.
    fn summed(&self, text: &str) -> Pooled {
        let (rows, words, unknown) = self.look_up(text);
        let (window, width) = (self.window, self.rows.width());
        let mut pool = vec![0.0; 2 * window + self.bag];
        let (seen, bag) = pool.split_at_mut(2 * window);
        let (sums, peaks) = seen.split_at_mut(window);
        for (at, row) in rows.chunks_exact(width).enumerate() {
            let before = if at == 0 { &self.edges[0] } else { &rows[(at - 1) * width..(at - 1) * width + window] };
            let next = (at + 1) * width + 2 * window;
            let after = if at + 1 == words { &self.edges[1] } else { &rows[next..next + window] };
            let middle = &row[window..2 * window];
            let sides = before.iter().zip(after).zip(middle).zip(&self.bias);
            for ((((before, after), middle), bias), (sum, peak)) in sides.zip(sums.iter_mut().zip(peaks.iter_mut())) {
                let value = (before + after + middle + bias).max(0.0);
                *sum += value;
                *peak = value.max(*peak);
            }
            bag.iter_mut().zip(&row[3 * window..]).for_each(|(sum, cell)| *sum += cell);
        }
        Pooled { pool, words, unknown }
    }

    /// Sums, though not peaks, are divided by what they grow with.
    fn scale(&self, pool: &mut [f32], words: usize) {
        let scale = (words.max(1) as f32).sqrt().recip();
        let (sums, rest) = pool.split_at_mut(self.window);
        sums.iter_mut().chain(&mut rest[self.window..]).for_each(|sum| *sum *= scale);
    }

    /// A row per word, how many, and how many of them had to be guessed from their spelling.
    fn look_up(&self, text: &str) -> (Vec<f32>, usize, usize) {
        let width = self.rows.width();
        let (mut rows, mut unknown) = (Vec::with_capacity(16 * width), 0);
        let mut words = 0;
        for word in tokens::walk(text).take(LONGEST) {
            words += 1;
            rows.resize(words * width, 0.0);
            let row = &mut rows[(words - 1) * width..];
            let known = self.index.find(features::hash(word.text.bytes()));
            if let Some(known) = known.or_else(|| features::shape(&word.text).and_then(|shape| self.index.find(shape)))
            {
                self.rows.add(known, 1.0, row);
            } else {
                unknown += 1;
                let pieces = features::pieces(&word.text, self.pieces.len() as u32);
                let share = (pieces.len().max(1) as f32).recip();
                pieces.iter().for_each(|piece| self.pieces.add(*piece as usize, share, row));
            }
        }
        (rows, words, unknown)
    }
}

/// The shipped table as the seam that retrieval and agents use.
#[derive(Debug, Clone, Copy)]
pub struct StaticEmbedder(&'static Encoder);

impl StaticEmbedder {
    /// The one that is compiled in.
    pub fn shipped() -> Self {
        StaticEmbedder(Encoder::shipped())
    }
}

impl Embedder for StaticEmbedder {
    fn dimensions(&self) -> usize {
        self.0.dimensions()
    }

    fn embed(&self, text: &str) -> Vec<f32> {
        self.0.place(text)
    }
}

/// The same direction with length one; zeros stay zeros.
fn unit(sum: &[f32]) -> Vec<f32> {
    let length = sum.iter().map(|x| x * x).sum::<f32>().sqrt();
    let scale = if length > 1e-6 { length.recip() } else { 0.0 };
    sum.iter().map(|x| x * scale).collect()
}

/// From hashes to rows: an open table twice as large as what is in it.
#[derive(Debug, Clone)]
struct Index {
    slots: Vec<(u32, u32)>,
}

impl Index {
    const EMPTY: u32 = u32::MAX;

    fn new(hashes: &[u32]) -> Self {
        let mut slots = vec![(0, Self::EMPTY); (hashes.len() * 2).next_power_of_two()];
        let mask = slots.len() - 1;
        for (row, hash) in hashes.iter().enumerate() {
            let mut at = *hash as usize & mask;
            while slots[at].1 != Self::EMPTY {
                at = (at + 1) & mask;
            }
            slots[at] = (*hash, row as u32);
        }
        Index { slots }
    }

    fn find(&self, hash: u32) -> Option<usize> {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while self.slots[at].1 != Self::EMPTY {
            if self.slots[at].0 == hash {
                return Some(self.slots[at].1 as usize);
            }
            at = (at + 1) & mask;
        }
        None
    }
}
