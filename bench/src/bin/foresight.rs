//! `foresight`: whether calibrated confidence and foreseen ranges hold on runs that are made up, by how many came before.

use std::collections::BTreeMap;

use bench::dice::Dice;
use clap::Parser;
use domain::budget::Spent;
use domain::forecast::Hindsight;
use domain::id::RunId;
use domain::money::Usd;
use domain::score::Score;
use jiff::Timestamp;
use learn::{Shape, calibrate, calibration_error, forecast};
use serde_json::json;

/// Makes up finished runs and prints the calibration error before and after, and how often ranges hold.
#[derive(Debug, Parser)]
struct Args {
    /// How many histories each figure is the mean of.
    #[arg(long, default_value_t = 100)]
    histories: u64,
    /// How many runs follow each history.
    #[arg(long, default_value_t = 500)]
    runs: usize,
}

const SIZES: [usize; 4] = [10, 50, 200, 1_000];

/// Somebody who reports: what they say, from a number between 0 and 1, and what that is worth.
struct Reporter {
    who: &'static str,
    says: fn(f64) -> f64,
    worth: fn(f64) -> f64,
}

/// How what runs took relates to what was expected: by how many times on average, before and after the history.
struct World {
    what: &'static str,
    before: f64,
    after: f64,
    spread: f64,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let reporters = [
        Reporter { who: "says 0.9, right 6 in 10", says: |_| 0.9, worth: |_| 0.6 },
        Reporter { who: "says 0.7 to 1, right 0.25 less often", says: |u| 0.7 + 0.3 * u, worth: |said| said - 0.25 },
        Reporter { who: "says 0 to 1, right as often as its square", says: |u| u, worth: |said| said * said },
        Reporter { who: "says 0.5 to 1, and is honest", says: |u| 0.5 + 0.5 * u, worth: |said| said },
    ];
    println!("calibration error of later runs, before and after calibrating on so many runs");
    for reporter in &reporters {
        for known in SIZES {
            let (before, after) = errors(&args, reporter, known)?;
            println!("  {}, {known} runs: {before:.3} then {after:.3}", reporter.who);
            println!("{}", json!({"reporter": reporter.who, "known": known, "before": before, "after": after}));
        }
    }
    let worlds = [
        World { what: "expected well, spread 0.5", before: 1.0, after: 1.0, spread: 0.5 },
        World { what: "expected well, spread 1.0", before: 1.0, after: 1.0, spread: 1.0 },
        World { what: "twice what is expected, spread 0.5", before: 2.0, after: 2.0, spread: 0.5 },
        World { what: "doubles once the history ends, spread 0.5", before: 1.0, after: 2.0, spread: 0.5 },
    ];
    println!("share of the next run's costs within its range (0.80 is meant), and how wide it is, after so many runs");
    for world in &worlds {
        for known in [0].into_iter().chain(SIZES) {
            let (held, worst, width) = coverage(&args, world, known)?;
            println!(
                "  {}, {known} runs: {held:.3} (one history in ten: {worst:.3} or less), {width:.1} times from low to high",
                world.what
            );
            println!(
                "{}",
                json!({"world": world.what, "known": known, "held": held, "one_in_ten": worst, "width": width})
            );
        }
    }
    Ok(())
}

fn errors(args: &Args, reporter: &Reporter, known: usize) -> anyhow::Result<(f64, f64)> {
    let (mut before, mut after) = (0.0, 0.0);
    for seed in 0..args.histories {
        let mut dice = Dice::new(seed);
        let mut made = |n| {
            let said = (reporter.says)(unit(&mut dice));
            let mut run = ended(n, unit(&mut dice) < (reporter.worth)(said))?;
            run.reported.insert("overall".into(), Score::nearest(said));
            anyhow::Ok(run)
        };
        let history = (0..known).map(&mut made).collect::<anyhow::Result<Vec<_>>>()?;
        let later = (known..known + 1_000).map(&mut made).collect::<anyhow::Result<Vec<_>>>()?;
        let curve = calibrate(&history, "overall");
        before += calibration_error(&later, "overall", None).unwrap_or_default();
        after += calibration_error(&later, "overall", Some(&curve)).unwrap_or_default();
    }
    Ok((before / args.histories as f64, after / args.histories as f64))
}

/// The share of costs that were held, over all histories and below which one history in ten lies, and the middle width.
///
/// The history is foreseen run by run, as in use; what follows is foreseen from the whole of it.
fn coverage(args: &Args, world: &World, known: usize) -> anyhow::Result<(f64, f64, f64)> {
    let (mut shares, mut widths) = (Vec::new(), Vec::new());
    for seed in 0..args.histories {
        let mut dice = Dice::new(seed);
        let mut history: Vec<Hindsight> = Vec::new();
        for n in 0..known {
            let shape = shape(&mut dice);
            let mut run = ended(n, true)?;
            run.forecast = Some(forecast(&history, &shape));
            run.spent.usage.cost = Usd::dollars(cost(&shape, &mut dice, world.before, world.spread));
            history.push(run);
        }
        let mut held = 0;
        for _ in 0..args.runs {
            let shape = shape(&mut dice);
            let foreseen = forecast(&history, &shape).usd;
            held += usize::from(foreseen.holds(cost(&shape, &mut dice, world.after, world.spread)));
            widths.push(foreseen.high / foreseen.low);
        }
        shares.push(held as f64 / args.runs as f64);
    }
    shares.sort_by(f64::total_cmp);
    widths.sort_by(f64::total_cmp);
    let mean = shares.iter().sum::<f64>() / shares.len() as f64;
    Ok((mean, shares[shares.len() / 10], widths[widths.len() / 2]))
}

fn shape(dice: &mut Dice) -> Shape {
    let usd = 0.05 + unit(dice);
    Shape { usd, seconds: 0.0, spent_usd: 0.0, spent_seconds: 0.0, confidence: Score::nearest(0.8) }
}

/// What a run cost: log-normal around a multiple of what was expected.
fn cost(shape: &Shape, dice: &mut Dice, times: f64, spread: f64) -> f64 {
    let (radius, angle) = ((1.0 - unit(dice)).ln() * -2.0, unit(dice) * std::f64::consts::TAU);
    (shape.usd + shape.spent_usd) * times * (radius.sqrt() * angle.cos() * spread).exp()
}

fn unit(dice: &mut Dice) -> f64 {
    (dice.any() >> 11) as f64 / (1_u64 << 53) as f64
}

fn ended(n: usize, succeeded: bool) -> anyhow::Result<Hindsight> {
    Ok(Hindsight {
        run: RunId::from_bytes((n as u128).to_be_bytes()),
        at: Timestamp::from_second(n as i64)?,
        succeeded,
        reported: BTreeMap::new(),
        forecast: None,
        spent: Spent::default(),
        seconds: None,
    })
}
