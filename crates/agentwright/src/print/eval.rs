//! How rehearsed requests went, with one version of what agents are told or with two side by side.

use domain::event::Route;
use domain::id::ToolName;
use domain::money::Usd;
use learn::Estimate;
use serde::Serialize;

use super::Ink;
use super::result::RunResult;
use super::table::{Cell, table};
use super::text::{duration, line};

/// How requests went.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// How often each request was rehearsed.
    pub repeat: u16,
    /// One entry for each version of what agents are told.
    pub arms: Vec<ArmReport>,
    /// How much more passes with the second than with the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<Estimate>,
    /// The requests, in the order of the file.
    pub requests: Vec<Judged>,
}

/// What agents are told.
#[derive(Debug, Clone, Serialize)]
pub struct Arm {
    /// `now`, or the version that is tried.
    pub name: String,
    /// The versions that are told, each as `agent@version`.
    pub guidelines: Vec<String>,
}

/// How requests went with one version.
#[derive(Debug, Clone, Serialize)]
pub struct ArmReport {
    /// What agents were told.
    #[serde(flatten)]
    pub arm: Arm,
    /// How many rehearsals there were.
    pub rehearsals: usize,
    /// How many passed.
    pub passed: usize,
    /// The share of requests that passes.
    pub pass_rate: Estimate,
    /// What they cost, in dollars, together.
    pub usd: f64,
    /// How long they took, in seconds, together.
    pub seconds: f64,
}

/// How one request went.
#[derive(Debug, Clone, Serialize)]
pub struct Judged {
    /// What it is called.
    pub id: String,
    /// What was asked.
    pub request: String,
    /// Each rehearsal.
    pub rehearsals: Vec<Rehearsal>,
}

/// How one rehearsal went.
#[derive(Debug, Clone, Serialize)]
pub struct Rehearsal {
    /// What agents were told.
    pub arm: String,
    /// Counted from 1.
    pub repetition: u16,
    /// Whether it went as it should.
    pub passed: bool,
    /// What was wrong, a sentence each.
    pub wrong: Vec<String>,
    /// Which way it went.
    pub route: Option<Route>,
    /// What was called, or would have been.
    pub tools: Vec<ToolName>,
    /// What came of it.
    pub result: RunResult,
}

impl Report {
    /// Sums up what was judged.
    pub fn of(arms: Vec<Arm>, repeat: u16, requests: Vec<Judged>) -> Self {
        let shares = |arm: &str| -> Vec<f64> { requests.iter().map(|request| request.share(arm)).collect() };
        let difference = match arms.as_slice() {
            [now, other] => {
                let pairs = shares(&now.name).into_iter().zip(shares(&other.name));
                Some(learn::gained(&pairs.map(|(now, other)| other - now).collect::<Vec<_>>()))
            }
            _ => None,
        };
        let summed = arms.into_iter().map(|arm| {
            let all = || requests.iter().flat_map(|request| &request.rehearsals).filter(|it| it.arm == arm.name);
            ArmReport {
                rehearsals: all().count(),
                passed: all().filter(|it| it.passed).count(),
                pass_rate: learn::pass_rate(&shares(&arm.name)),
                usd: all().map(|it| it.result.spent.usage.cost.as_dollars()).sum(),
                seconds: all().map(|it| it.result.seconds).sum(),
                arm,
            }
        });
        Self { repeat, arms: summed.collect(), difference, requests }
    }

    /// Whether everything went as it should with what is told now.
    pub fn all_pass(&self) -> bool {
        self.arms.first().is_none_or(|arm| arm.passed == arm.rehearsals)
    }
}

impl Judged {
    /// The share of its rehearsals that passed.
    fn share(&self, arm: &str) -> f64 {
        let all = || self.rehearsals.iter().filter(|it| it.arm == arm);
        all().filter(|it| it.passed).count() as f64 / all().count().max(1) as f64
    }
}

/// What failed, then how much passes.
pub fn words(report: &Report, ink: Ink) -> String {
    let several = report.arms.len() > 1;
    let failed = report.requests.iter().flat_map(|request| {
        let failed = request.rehearsals.iter().filter(|it| !it.passed);
        failed.map(move |it| (request, it))
    });
    let rows = failed.map(|(request, it)| {
        let mut row = vec![Cell::from(line(&request.id, 40))];
        if several {
            row.push(it.arm.as_str().into());
        }
        let wrong = Cell::marked(line(&it.wrong.join("; "), 160), Ink::bad);
        row.extend([line(&request.request, 60).into(), wrong]);
        row
    });
    let headings: &[&str] = if several { &["REQUEST", "TOLD", "TEXT", "WRONG"] } else { &["REQUEST", "TEXT", "WRONG"] };
    let mut text = table(ink, headings, rows.collect());
    if !text.is_empty() {
        text.push('\n');
    }
    let arms = report.arms.iter().map(|arm| {
        let took = duration(std::time::Duration::from_secs_f64(arm.seconds.max(0.0)));
        vec![
            Cell::from(arm.arm.name.as_str()),
            format!("{} of {}", arm.passed, arm.rehearsals).into(),
            shares(&arm.pass_rate).into(),
            Usd::dollars(arm.usd).to_string().into(),
            took.into(),
        ]
    });
    text.push_str(&table(ink, &["TOLD", "PASSED", "PASS RATE (95 %)", "COST", "TIME"], arms.collect()));
    if let (Some(difference), [now, other]) = (&report.difference, report.arms.as_slice()) {
        text.push_str(&difference_words(difference, &now.arm.name, &other.arm.name));
    }
    text
}

fn difference_words(difference: &Estimate, now: &str, other: &str) -> String {
    let (low, high) = difference.interval;
    let says = match (low > 0.0, high < 0.0) {
        (true, _) => format!("`{other}` is better"),
        (_, true) => format!("`{other}` is worse"),
        (false, false) => "that may be chance".to_owned(),
    };
    let points = |share: f64| format!("{:+.1}", share * 100.0);
    let (value, low, high) = (points(difference.value), points(low), points(high));
    format!("\n`{other}` against `{now}`: {value} points ({low} to {high}); {says}\n")
}

fn shares(estimate: &Estimate) -> String {
    let (low, high) = estimate.interval;
    format!("{:.1} % ({:.1} to {:.1})", estimate.value * 100.0, low * 100.0, high * 100.0)
}
