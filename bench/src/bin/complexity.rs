//! `complexity`: whether requests need a planner, on TaskBench, told without a model; and how long telling takes.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Parser;
use domain::thought::{Orchestration, Teller};
use reflex::complexity::form;
use reflex::complexity::{Judge, Weighed, weigh};
use reflex::embed::Encoder;
use reflex::split::split;
use serde_json::{Value, json};
use train::complexity::{self, Corpus, Example, Senses};
use train::data;

/// Measures what is shipped, its halves alone, and the same learned from other sets.
#[derive(Debug, Clone, Parser)]
struct Args {
    /// The folder of the data sets
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data"))]
    data: PathBuf,
}

fn main() -> anyhow::Result<()> {
    let Args { data } = Args::parse();
    if !data.join("taskbench").is_dir() {
        eprintln!("SKIPPED: there is no data in {}; `complexity` measured nothing", data.display());
        return Ok(());
    }
    let shipped = Judge::shipped();
    let mut figures = json!({"bench": "complexity"});
    for part in ["dev", "test"] {
        let rows = complexity::taskbench(&data, part)?;
        let told: Vec<Weighed> = rows.iter().map(|row| weigh(&row.text, parts(&row.text))).collect();
        let here = &mut figures[part];
        here["shipped"] = quality(rows.iter().zip(&told).map(|(row, told)| (planned(told), row.several)));
        here["sure"] = sure(&rows, &told);
        here["semantic_alone"] = by(&rows, |text, pool| shipped.semantic.odds(pool(text)) > 0.0);
    }

    let corpus = complexity::shipped(&data)?;
    let taught = complexity::learned(&corpus, Senses::All);
    let taskbench = Corpus {
        learn: complexity::taskbench(&data, "train")?,
        check: [complexity::taskbench(&data, "dev")?, Vec::new()],
    };
    let elsewhere = complexity::elsewhere(&data)?;
    let fits = [
        ("lexical_alone", &corpus, Senses::Lexical),
        ("taskbench_only", &taskbench, Senses::All),
        ("taskbench_only_lexical", &taskbench, Senses::Lexical),
        ("elsewhere", &elsewhere, Senses::All),
        ("elsewhere_lexical", &elsewhere, Senses::Lexical),
    ];
    for (name, corpus, senses) in fits {
        let judge = complexity::learned(corpus, senses);
        for part in ["dev", "test"] {
            let rows = complexity::taskbench(&data, part)?;
            figures[part][name] = by(&rows, |text, pool| judge.odds(&form::read(text, parts(text)), pool(text)) > 0.0);
        }
    }
    figures["same_bytes_when_taught_again"] = json!(taught.write() == shipped.write());
    figures["shares"] = shares(&data)?;
    let huge = vec!["then book a table and call Ann, ".repeat(1000); 200];
    let texts = |part: &str| -> anyhow::Result<Vec<String>> {
        Ok(data::read(&data, part)?.into_iter().map(|row| row.text).collect())
    };
    figures["time"] = json!({
        "taskbench": time(&texts("taskbench/test")?),
        "router6": time(&texts("router6/test")?),
        "32000_characters": time(&huge),
    });

    for part in ["dev", "test"] {
        println!("needs a planner, taskbench {part}:");
        for (name, value) in figures[part].as_object().into_iter().flatten() {
            println!("  {name}: {value}");
        }
    }
    for (set, value) in figures["shares"].as_object().into_iter().flatten() {
        println!("{set}: {value}");
    }
    println!("time: {}", figures["time"]);
    println!("{figures}");
    anyhow::ensure!(
        figures["same_bytes_when_taught_again"] == true,
        "what is shipped is not what is taught: `make train`"
    );
    Ok(())
}

fn parts(text: &str) -> usize {
    split(text).parts.len()
}

fn planned(told: &Weighed) -> bool {
    told.complexity.orchestration != Orchestration::Simple
}

/// A line's answers, given the text and how to pool it.
fn by(rows: &[Example], several: impl Fn(&str, &dyn Fn(&str) -> &'static [f32]) -> bool) -> Value {
    // Kept for the life of the process, which ends soon.
    let pool = |text: &str| -> &'static [f32] { Encoder::shipped().pooled(text).pool.leak() };
    quality(rows.iter().map(|row| (several(&row.text, &pool), row.several)))
}

/// Precision, recall and their harmonic mean, of what was said and what is so.
fn quality(answers: impl Iterator<Item = (bool, bool)>) -> Value {
    let (mut right, mut said, mut so) = (0, 0, 0);
    for (says, is) in answers {
        right += u32::from(says && is);
        said += u32::from(says);
        so += u32::from(is);
    }
    let share = |of: u32| rounded(f64::from(right) / f64::from(of.max(1)));
    json!({"f1": rounded(2.0 * f64::from(right) / f64::from((said + so).max(1))), "precision": share(said), "recall": share(so)})
}

/// How much is told surely, and how much of that is wrong.
fn sure(rows: &[Example], told: &[Weighed]) -> Value {
    let sure: Vec<_> = rows.iter().zip(told).filter(|(_, told)| told.sure).collect();
    let wrong = sure.iter().filter(|(row, told)| planned(told) != row.several).count();
    let semantic = told.iter().filter(|told| told.complexity.strategy == Teller::Semantic).count();
    let share = |count: usize, of: usize| rounded(count as f64 / of.max(1) as f64);
    json!({
        "share": share(sure.len(), told.len()),
        "wrong": share(wrong, sure.len()),
        "told_by_meaning": share(semantic, told.len()),
    })
}

/// How many of each class are simple, standard and adaptive.
fn shares(data: &Path) -> anyhow::Result<Value> {
    let mut shares = json!({});
    let sets = [("taskbench", "type"), ("ultratool", "n_tools"), ("slurp", ""), ("home_assistant", "")];
    for (set, field) in sets {
        let text = std::fs::read_to_string(data.join(set).join("test.jsonl"))?;
        for line in text.lines() {
            let row: Value = serde_json::from_str(line)?;
            let text = row["text"].as_str().unwrap_or_default();
            let class = if field.is_empty() { "all".to_owned() } else { row[field].to_string().replace('"', "") };
            let orchestration = weigh(text, parts(text)).complexity.orchestration.word();
            let count = &mut shares[set][class][orchestration];
            *count = json!(count.as_u64().unwrap_or_default() + 1);
        }
    }
    Ok(shares)
}

/// Microseconds per request, the splitter not included: the router has asked it already.
fn time(texts: &[String]) -> Value {
    let requests: Vec<(&str, usize)> = texts.iter().map(|text| (text.as_str(), parts(text))).collect();
    let mut all = Vec::with_capacity(requests.len());
    for _ in 0..3 {
        all.clear();
        for (text, parts) in &requests {
            let began = Instant::now();
            std::hint::black_box(weigh(std::hint::black_box(text), *parts));
            all.push(began.elapsed().as_secs_f64() * 1e6);
        }
    }
    all.sort_by(f64::total_cmp);
    let at = |share: f64| rounded(all[((all.len() - 1) as f64 * share) as usize]);
    json!({"p50_us": at(0.5), "p99_us": at(0.99)})
}

fn rounded(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}
