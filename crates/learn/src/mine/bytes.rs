//! What a miner knows as bytes: the same for the same traces, in whatever order they came.

mod read;
mod write;

use domain::id::TraceId;

use super::Miner;
use super::names::Names;
use super::row::{Row, Used};
use read::Reader;
use write::Writer;

/// Changes whenever the bytes mean something else. Bytes of another version are mined anew from the traces.
const VERSION: u64 = 1;

/// Bytes that are not a miner: it has to be filled from the traces again.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoMiner {
    /// They were written by another version.
    #[error("what was mined is of version `{0}`")]
    Version(u64),
    /// They break off, or never were what they should be.
    #[error("what was mined is damaged")]
    Damaged,
}

impl Miner {
    /// Everything it knows.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::default();
        out.number(VERSION);
        let (symbols, symbol_at) = self.symbols.ordered();
        let (sources, source_at) = self.sources.ordered();
        let (marks, mark_at) = self.marks.ordered();
        out.json(&symbols);
        out.json(&sources);
        out.json(&marks);
        let mut rows: Vec<(&TraceId, &Box<Row>)> = self.rows.iter().collect();
        rows.sort_unstable_by_key(|(id, _)| *id);
        out.number(rows.len() as u64);
        for (id, row) in rows {
            let symbol = |number: u32| u64::from(symbol_at[number as usize]);
            let maybe = |number: Option<u32>| number.map_or(0, |number| symbol(number) + 1);
            out.text(id.as_str());
            out.number(u64::from(source_at[row.source as usize]));
            out.number(symbol(row.agent));
            out.number(symbol(row.problem));
            [row.task, row.system, row.user].into_iter().for_each(|name| out.number(maybe(name)));
            out.number(row.success.map_or(0, |success| 1 + u64::from(success)));
            out.number(u64::from(row.calls));
            out.fraction(row.seconds);
            out.fraction(row.usd);
            let mut marks: Vec<u64> = row.marks.iter().map(|mark| u64::from(mark_at[*mark as usize])).collect();
            marks.sort_unstable();
            out.ascending(&marks);
            let mut tools: Vec<&Used> = row.tools.iter().collect();
            tools.sort_unstable_by_key(|used| symbol(used.tool));
            out.number(tools.len() as u64);
            for used in tools {
                out.number(symbol(used.tool));
                out.number(u64::from(used.calls));
                out.number(u64::from(used.failures));
            }
        }
        out.done()
    }

    /// The miner that some bytes were made of.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NoMiner> {
        let mut bytes = Reader::of(bytes);
        let version = bytes.number()?;
        if version != VERSION {
            return Err(NoMiner::Version(version));
        }
        let mut miner = Miner {
            symbols: Names::listed(bytes.json()?),
            sources: Names::listed(bytes.json()?),
            marks: Names::listed(bytes.json()?),
            ..Miner::default()
        };
        for _ in 0..bytes.number()? {
            let id: TraceId = bytes.text()?.parse().map_err(|_| NoMiner::Damaged)?;
            let row = miner.read(&mut bytes)?;
            if miner.rows.insert(id, Box::new(row)).is_some() {
                return Err(NoMiner::Damaged);
            }
        }
        let all_held = miner.symbols.all_held() && miner.sources.all_held() && miner.marks.all_held();
        if all_held && bytes.is_empty() { Ok(miner) } else { Err(NoMiner::Damaged) }
    }

    /// A row that holds on to its numbers.
    fn read(&mut self, bytes: &mut Reader<'_>) -> Result<Row, NoMiner> {
        let Self { symbols, sources, marks, .. } = self;
        let mut symbol = |number: u64| symbols.hold_again(number).ok_or(NoMiner::Damaged);
        let source = sources.hold_again(bytes.number()?).ok_or(NoMiner::Damaged)?;
        let (agent, problem) = (symbol(bytes.number()?)?, symbol(bytes.number()?)?);
        let mut maybe = |number: u64| number.checked_sub(1).map(&mut symbol).transpose();
        let (task, system, user) = (maybe(bytes.number()?)?, maybe(bytes.number()?)?, maybe(bytes.number()?)?);
        let success = match bytes.number()? {
            0 => None,
            1 => Some(false),
            2 => Some(true),
            _ => return Err(NoMiner::Damaged),
        };
        let calls = bytes.small()?;
        let (seconds, usd) = (bytes.fraction()?, bytes.fraction()?);
        let mut borne = Vec::new();
        for mark in bytes.ascending()? {
            borne.push(marks.hold_again(mark).ok_or(NoMiner::Damaged)?);
        }
        let mut tools = Vec::new();
        for _ in 0..bytes.number()? {
            let tool = symbol(bytes.number()?)?;
            tools.push(Used { tool, calls: bytes.small()?, failures: bytes.small()? });
        }
        let (marks, tools) = (borne.into(), tools.into());
        Ok(Row { source, agent, problem, task, system, user, success, calls, seconds, usd, marks, tools })
    }
}
