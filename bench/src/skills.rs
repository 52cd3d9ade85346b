//! Whether plans are used again for the requests that mean them and for no others: a stream of made-up requests over what
//! was lifted from those before, with a planner that is always right.

pub mod shapes;
pub mod stream;
pub mod values;
pub mod whole;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use clap::Parser;
use domain::hash::Hash;
use domain::plan::PlanDraft;
use domain::skill::{Piece, Template};
use reflex::slots::Surroundings;
use reflex::template::{fill, lift, unify};
use serde_json::{Value, json};

use self::stream::{Asked, Mixture, Sort, stream};

/// Lifts, joins and fills plans over a stream of requests.
#[derive(Debug, Clone, Parser)]
pub struct Args {
    /// How many requests
    #[arg(long, default_value_t = 10_000)]
    pub requests: usize,
    /// How many of them come before anything is counted
    #[arg(long, default_value_t = 2_000)]
    pub warm_up: usize,
    /// The seed
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Of a thousand requests, those that are nearly a task
    #[arg(long, default_value_t = 40)]
    pub twisted: u64,
    /// Of a thousand requests, those that are no task
    #[arg(long, default_value_t = 30)]
    pub noise: u64,
    /// Carry out whole runs, with the library of the product
    #[arg(long)]
    pub whole: bool,
    /// Print every wrong plan and every tenth refusal
    #[arg(long)]
    pub misses: bool,
}

/// How many plans with the same steps are looked at for one that is the same in other words.
const RELATIVES: usize = 50;

/// What is kept of the plans that worked.
#[derive(Default)]
struct Kept {
    templates: Vec<Template>,
    /// The words that a request must have for a template to be tried.
    words: Vec<BTreeSet<String>>,
    families: BTreeMap<Hash, Vec<usize>>,
}

/// What became of requests.
#[derive(Default)]
struct Count {
    asked: u64,
    right: u64,
    wrong: u64,
}

/// Every figure.
pub fn measure(args: &Args) -> Value {
    let names = values::names();
    let mut kept = Kept::default();
    let mut counts: BTreeMap<&'static str, Count> = BTreeMap::new();
    let mut weakest: BTreeMap<(usize, usize), [u64; 2]> = BTreeMap::new();
    let mut took = Vec::new();
    let mixture = Mixture { twisted: args.twisted, noise: args.noise };
    for (nth, asked) in stream(args.seed, args.requests, mixture).enumerate() {
        let surroundings = Surroundings { now: asked.now.clone(), names: &names };
        let began = Instant::now();
        let filled = kept.answer(&asked, &surroundings);
        took.push(began.elapsed().as_nanos() as u64);
        let counted = nth >= args.warm_up;
        let count = counts.entry(if counted { sort(asked.sort) } else { "warm_up" }).or_default();
        count.asked += 1;
        match filled {
            Ok(plan) if deeds(plan.clone()) == deeds(asked.plan.clone()) => count.right += 1,
            Ok(plan) => {
                count.wrong += 1;
                if args.misses {
                    println!("wrong: {}\n  {}\n  {}", asked.text, line(&plan), line(&asked.plan));
                }
            }
            Err(why) => {
                if args.misses && counted && matches!(asked.sort, Sort::Task(..)) && nth % 10 == 0 {
                    println!("refused: {}: {why}", asked.text);
                }
                kept.keep(&asked, &surroundings);
            }
        }
        if let (true, Sort::Task(shape, wording)) = (counted, asked.sort) {
            let of = weakest.entry((shape, wording)).or_default();
            of[0] += 1;
            of[1] += u64::from(kept.answer(&asked, &surroundings).is_ok());
        }
    }
    took.sort_unstable();
    let percentile = |share: f64| took.get((took.len() as f64 * share) as usize).map_or(0.0, |ns| *ns as f64 / 1000.0);
    let all = counts.iter().filter(|(sort, _)| **sort != "warm_up").map(|(_, count)| count);
    let (asked, used, wrong) =
        all.fold((0, 0, 0), |sum, it| (sum.0 + it.asked, sum.1 + it.right + it.wrong, sum.2 + it.wrong));
    let share = |part: u64, of: u64| (part as f64 / of.max(1) as f64 * 10_000.0).round() / 10_000.0;
    let sorts: BTreeMap<&str, Value> = counts
        .iter()
        .map(|(sort, it)| {
            let refused = it.asked - it.right - it.wrong;
            (*sort, json!({"asked": it.asked, "right": it.right, "wrong": it.wrong, "refused": refused}))
        })
        .collect();
    let mut never: Vec<String> = weakest
        .iter()
        .filter(|(_, of)| of[1] * 2 < of[0])
        .map(|((shape, wording), of)| format!("{} ({}/{})", shapes::SHAPES[*shape].said[*wording], of[1], of[0]))
        .collect();
    never.sort();
    json!({
        "bench": "skills",
        "after_warm_up": {
            "planner_calls_per_request": share(asked - used, asked),
            "filled_rightly_of_tasks": counts.get("task").map(|it| share(it.right, it.asked)),
            "wrong_of_used": share(wrong, used),
            "wrong_of_all": share(wrong, asked),
        },
        "sorts": sorts,
        "templates": kept.templates.len(),
        "seldom_filled": never,
        "microseconds": {"p50": percentile(0.5), "p99": percentile(0.99)},
    })
}

impl Kept {
    /// The plan of the first template that fits, those with the most fixed words first.
    fn answer(&self, asked: &Asked, surroundings: &Surroundings<'_>) -> Result<PlanDraft, String> {
        let said = words(&asked.text);
        let mut fitting: Vec<usize> = (0..self.templates.len()).filter(|at| self.words[*at].is_subset(&said)).collect();
        fitting.sort_by_key(|at| std::cmp::Reverse(self.words[*at].len()));
        let mut refused = "no template has its words".to_owned();
        for at in fitting {
            match fill(&self.templates[at], &asked.text, surroundings) {
                Ok(filled) => return Ok(filled.plan),
                Err(why) => refused = why.to_string(),
            }
        }
        Err(refused)
    }

    /// Keeps a plan that worked: with what is there of its shape, or by itself.
    fn keep(&mut self, asked: &Asked, surroundings: &Surroundings<'_>) {
        let Ok(template) = lift(&asked.text, surroundings, &asked.plan) else { return };
        let family = self.families.entry(template.family()).or_default();
        for at in family.iter().rev().take(RELATIVES) {
            if let Some(both) = unify(&self.templates[*at], &template) {
                self.words[*at] = fixed(&both);
                self.templates[*at] = both;
                return;
            }
        }
        family.push(self.templates.len());
        self.words.push(fixed(&template));
        self.templates.push(template);
    }
}

fn sort(sort: Sort) -> &'static str {
    match sort {
        Sort::Task(..) => "task",
        Sort::Twisted => "twisted",
        Sort::Noise => "noise",
    }
}

fn words(text: &str) -> BTreeSet<String> {
    reflex::tokens::words(text).into_iter().map(|word| word.text.trim_start_matches('\'').to_owned()).collect()
}

fn fixed(template: &Template) -> BTreeSet<String> {
    let of = |piece: &Piece| match piece {
        Piece::Words(said) => words(said),
        Piece::Hole(_) => BTreeSet::new(),
    };
    template.pieces().iter().flat_map(of).collect()
}

/// A plan without what is only told: the goals of the whole and of calls.
fn deeds(mut plan: PlanDraft) -> PlanDraft {
    plan.goal.clear();
    plan.steps.iter_mut().filter(|step| step.how.tool.is_some()).for_each(|step| step.goal.clear());
    plan
}

fn line(plan: &PlanDraft) -> String {
    serde_json::to_string(plan).unwrap_or_default()
}
