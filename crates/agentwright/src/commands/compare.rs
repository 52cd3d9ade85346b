//! `agentwright compare`

use std::path::Path;

use domain::plan::Strategy;
use domain::request::{Request, Text, Wishes};
use domain::run::RunStatus;
use serde_json::Value;

use super::Here;
use super::run::plain;
use crate::args::Compare;
use crate::drive::{self, Watched};
use crate::exit::{Exit, Refusal};
use crate::print;
use crate::print::compare::{Attempt, Compared, Comparison};
use crate::print::result::RunResult;
use crate::print::text::line;

pub(super) async fn compare(here: &Here, args: Compare) -> anyhow::Result<Exit> {
    let texts = requests(&args.file)?;
    let strategies = if args.strategies.is_empty() { Strategy::ALL.to_vec() } else { args.strategies };
    let parts = here.parts().await?;
    let mut comparison = Comparison { requests: Vec::new() };
    for text in texts {
        let mut results = Vec::new();
        for strategy in &strategies {
            eprintln!("{}: {}", strategy.word(), line(text.as_str(), 80));
            let wishes = Wishes { strategy: Some(*strategy), dry: !args.live, ..Wishes::default() };
            let run = parts.accept(Request { wishes, ..plain(here, text.clone()) }).await?;
            let mut watched = Watched::new(run);
            drive::drive(parts.store.as_ref(), parts.attend(run), &mut watched, &mut |_| Ok(())).await?;
            let result = RunResult::of(run, &watched.view, watched.seconds());
            results.push(Attempt { wanted: *strategy, result });
        }
        comparison.requests.push(Compared { text: text.into(), results });
    }
    here.screen.show(&comparison, |ink| print::compare::words(&comparison, ink))?;
    let ended = |wanted: RunStatus| {
        let mut attempts = comparison.requests.iter().flat_map(|request| &request.results);
        attempts.any(|attempt| attempt.result.status == wanted)
    };
    Ok(match (ended(RunStatus::Failed) || ended(RunStatus::Cancelled), ended(RunStatus::Waiting)) {
        (true, _) => Exit::Failed,
        (false, true) => Exit::Waiting,
        (false, false) => Exit::Done,
    })
}

/// One request a line, or a JSON list of texts or of objects with a `text`.
fn requests(file: &Path) -> anyhow::Result<Vec<Text>> {
    let name = file.display();
    let text =
        std::fs::read_to_string(file).map_err(|error| Refusal::usage(format!("`{name}` cannot be read: {error}")))?;
    let words: Vec<(String, String)> = if text.trim_start().starts_with('[') {
        let items: Vec<Value> =
            serde_json::from_str(&text).map_err(|error| Refusal::usage(format!("`{name}` is not JSON: {error}")))?;
        let word = |(at, item): (usize, &Value)| {
            let text = item.as_str().or_else(|| item["text"].as_str());
            text.map(|text| (format!("item {}", at + 1), text.to_owned())).ok_or_else(|| {
                Refusal::usage(format!("item {} of `{name}` is neither a text nor has a `text`", at + 1))
            })
        };
        items.iter().enumerate().map(word).collect::<Result<_, _>>()?
    } else {
        let lines = text.lines().enumerate().map(|(at, line)| (format!("line {}", at + 1), line.trim().to_owned()));
        lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).collect()
    };
    if words.is_empty() {
        return Err(Refusal::usage(format!("`{name}` has no requests")).hint("write one request a line").into());
    }
    let parse = |(place, words): (String, String)| {
        words.parse::<Text>().map_err(|error| Refusal::usage(format!("{place} of `{name}`: {error}")).into())
    };
    words.into_iter().map(parse).collect()
}
