//! What became of what was foreseen, and what reported confidences turned out to be worth.

use domain::forecast::Hindsight;
use learn::hits::{Fit, Rate};
use learn::{Hits, calibrate, calibration_error, hits};
use serde::Serialize;

use super::Ink;
use super::table::{Cell, lines};
use super::text::count;

/// The figures.
#[derive(Debug, Serialize)]
pub struct ForecastsPage {
    /// How often runs ended within what was foreseen.
    pub hits: Hits,
    /// What each reported score was worth.
    pub scores: Vec<Worth>,
}

/// What reports of one name were worth.
#[derive(Debug, Serialize)]
pub struct Worth {
    /// Whose reports.
    pub name: &'static str,
    /// How many finished runs had one.
    pub runs: usize,
    /// How far the reports were from what came of them, on average.
    pub error: Option<f64>,
    /// The same for what is made of them.
    pub calibrated_error: Option<f64>,
    /// What is done with them, in a sentence.
    pub explanation: String,
}

impl ForecastsPage {
    /// The figures of some finished runs.
    pub fn of(history: &[Hindsight]) -> Self {
        let names = ["thought", "plan", "verification", "critique", "overall", "quality"];
        let worth = |name: &'static str| {
            let curve = calibrate(history, name);
            Worth {
                name,
                runs: history.iter().filter(|past| past.reported.contains_key(name)).count(),
                error: calibration_error(history, name, None),
                calibrated_error: calibration_error(history, name, Some(&curve)),
                explanation: curve.explanation(),
            }
        };
        Self { hits: hits(history), scores: names.map(worth).into() }
    }
}

/// The page as text.
pub fn page(page: &ForecastsPage, ink: Ink) -> String {
    if page.hits.runs == 0 {
        return "no run that was planned has ended yet: there is nothing to compare\n".to_owned();
    }
    let mut text = format!("{} had a forecast\n", count(page.hits.runs as usize, "finished run"));
    let rate = |what: &str, rate: &Rate| {
        let share = rate.share.map_or("-".to_owned(), |share| format!("{:.0} %", share * 100.0));
        let promised = rate.level.map_or("-".to_owned(), |level| format!("{:.0} %", level * 100.0));
        let fit = match rate.fit {
            Fit::Unknown => "nothing to tell yet",
            Fit::TooNarrow => "the ranges are too narrow",
            Fit::Fits => "as promised",
            Fit::TooWide => "the ranges could be narrower",
        };
        let within = format!("{} of {} within the range", rate.within, rate.of);
        vec![what.to_owned().into(), within.into(), share.into(), format!("promised {promised}").into(), fit.into()]
    };
    let success = &page.hits.success;
    let percent = |share: Option<f64>| share.map_or("-".to_owned(), |share| format!("{:.0} %", share * 100.0));
    let came = format!("{} ended", count(success.of as usize, "run"));
    let foreseen = format!("foreseen {}", percent(success.foreseen));
    let rows: Vec<Vec<Cell>> = vec![
        rate("cost", &page.hits.usd),
        rate("duration", &page.hits.seconds),
        vec!["success".into(), came.into(), percent(success.succeeded).into(), foreseen.into(), "".into()],
    ];
    text.push_str(&lines(ink, &rows));
    text.push_str(&format!("\n{}\n", ink.strong("What reported confidences were worth")));
    let error = |error: Option<f64>| error.map_or("-".to_owned(), |error| format!("{error:.3}"));
    let worth = |worth: &Worth| -> Vec<Cell> {
        let off = format!("off by {}, corrected {}", error(worth.error), error(worth.calibrated_error));
        vec![
            worth.name.into(),
            count(worth.runs, "run").into(),
            off.into(),
            Cell::marked(&*worth.explanation, Ink::faint),
        ]
    };
    text.push_str(&lines(ink, &page.scores.iter().map(worth).collect::<Vec<_>>()));
    text
}
