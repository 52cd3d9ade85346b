//! How requests are understood, in words.

use domain::money::Usd;
use domain::route::{Certified, Judgement, Part};
use learn::Quality;
use reflex::Explained;

use super::Ink;
use super::table::{Cell, lines, table};
use super::text::line;
use crate::commands::{Calibration, Summary};

/// One request: the decision, what is done, and what it rests on.
pub(crate) fn explained(explained: &Explained, ink: Ink) -> String {
    let judgement = &explained.judgement;
    let mut text = format!("{}\n\n", headline(judgement, ink));
    for part in &judgement.parts {
        text.push_str(&part_lines(part, judgement.parts.len() > 1));
    }
    if let Some(certified) = &judgement.certificate {
        text.push_str(&format!("promise: {}\n", promise(&judgement.role, certified)));
    }
    if !judgement.context.is_empty() {
        text.push_str(&format!("needs to know: {}\n", judgement.context.join(", ")));
    }
    let signals = judgement.signals.iter().map(|signal| {
        vec![Cell::from(signal.name.as_str()), Cell::from(number(signal.value)), Cell::from(signal.says.as_str())]
    });
    text.push_str(&format!("\n{}", table(ink, &["SIGNAL", "VALUE", "MEANS"], signals.collect())));
    let nearest = explained.nearest.iter().map(|nearest| {
        vec![
            Cell::from(format!("{:.2}", nearest.likeness)),
            Cell::from(nearest.role.as_str()),
            Cell::from(line(&nearest.text, 80)),
        ]
    });
    text.push_str(&format!("\n{}", table(ink, &["LIKE", "ROLE", "NEAREST EXAMPLES"], nearest.collect())));
    text
}

fn headline(judgement: &Judgement, ink: Ink) -> String {
    let word = ink.strong(judgement.decision.word());
    match judgement.parts.len() {
        1 => format!("{word}: `{}`, confidence {:.3}", judgement.role, judgement.confidence),
        several => {
            format!("{word}: {several} things are wanted, the least clear with confidence {:.3}", judgement.confidence)
        }
    }
}

fn part_lines(part: &Part, several: bool) -> String {
    let mut text = String::new();
    if several {
        text.push_str(&format!("“{}” (`{}`, {:.3})\n", line(&part.text, 100), part.role, part.confidence));
    }
    match &part.act {
        Some(act) => {
            let arguments = serde_json::Value::Object(act.arguments.clone());
            text.push_str(&format!(
                "does: `{}` {} (action `{}`, {:.2})\n",
                act.tool,
                line(&arguments.to_string(), 300),
                act.action,
                act.confidence
            ));
        }
        None => text.push_str("does: nothing that is known without a model\n"),
    }
    if let Some(missing) = &part.missing {
        text.push_str(&format!("asks: {}\n", missing.question));
    }
    if let Some(when) = &part.when {
        text.push_str(&format!("only if: {when}\n"));
    }
    text
}

fn promise(role: &str, certified: &Certified) -> String {
    match certified.threshold {
        Some(threshold) => format!(
            "at most {} of the fast answers of `{role}` from {threshold:.3} on are wrong, at {} confidence, from {} requests",
            percent(certified.alpha),
            percent(1.0 - certified.delta),
            certified.samples
        ),
        None => format!("none; {}", certified.why_not.as_deref().unwrap_or("nothing is known about this role")),
    }
}

/// What each way of dealing with a request has been worth, and what that means.
pub(crate) fn pathways(qualities: &[Quality], worth: f64, ink: Ink) -> String {
    if qualities.is_empty() {
        return "no run has ended yet\n".to_owned();
    }
    let rows = qualities.iter().map(|way| {
        let (low, high) = way.interval;
        vec![
            Cell::from(way.route.word()),
            Cell::from(way.strategy.word()),
            Cell::from(way.runs.to_string()),
            Cell::from(format!("{:.1} % ({:.1} to {:.1})", way.success * 100.0, low * 100.0, high * 100.0)),
            Cell::from(Usd::dollars(way.usd).to_string()),
            Cell::from(format!("{:.1}s", way.seconds)),
            Cell::from(format!("{:.3}", way.score)),
        ]
    });
    let headings = ["ROUTE", "STRATEGY", "RUNS", "WENT WELL (95 %)", "COST", "TIME", "SCORE"];
    format!(
        "{}\nThe score is the success that can be counted on (the lower end of the interval), less the cost of a run as a \
         share of what a right answer is worth: {} (`gate.worth`).\n",
        table(ink, &headings, rows.collect()),
        Usd::dollars(worth)
    )
}

/// How often requests are understood.
pub(crate) fn summary(summary: &Summary) -> String {
    let mut rows = vec![vec![Cell::from("requests"), Cell::from(summary.requests.to_string())]];
    let optional = [
        ("accuracy", summary.accuracy),
        ("macro-F1", summary.macro_f1),
        ("fast path: coverage", summary.coverage),
        ("fast path: precision", summary.precision),
        ("abstention on `other`", summary.abstention),
        ("abstention on `oos`", summary.abstention_oos),
        ("calibration error", summary.calibration_error),
        ("several or one: F1", summary.multi_f1),
        ("one taken for several", summary.split_wrongly),
        ("slot values found", summary.slots_found),
    ];
    rows.extend(optional.into_iter().filter_map(|(name, value)| Some(vec![Cell::from(name), share(value?)])));
    rows.push(vec![
        Cell::from("time, p50 / p99"),
        Cell::from(format!("{:.0} / {:.0} µs", summary.p50_us, summary.p99_us)),
    ]);
    let mut text = lines(Ink::Plain, &rows);
    text.push('\n');
    let roles = summary.roles.iter().map(|(name, role)| {
        vec![
            Cell::from(name.as_str()),
            Cell::from(role.requests.to_string()),
            share(role.precision),
            share(role.recall),
            share(role.coverage),
        ]
    });
    text.push_str(&table(Ink::Plain, &["ROLE", "REQUESTS", "PRECISION", "RECALL", "FAST"], roles.collect()));
    text
}

/// What can be promised.
pub(crate) fn calibration(calibration: &Calibration, ink: Ink) -> String {
    let mut text = format!(
        "At most {} of a role's fast answers are wrong, at {} confidence, from {} requests:\n\n",
        percent(calibration.alpha),
        percent(1.0 - calibration.delta),
        calibration.requests
    );
    let rows = calibration.certificates.iter().map(|certificate| {
        vec![
            Cell::from(certificate.role.as_str()),
            Cell::from(format!("{:.4}", certificate.threshold)),
            share(certificate.coverage),
            Cell::from(format!("{} of {}", certificate.errors, certificate.calibrated_on)),
            Cell::from(format!("{:.4}", certificate.bound)),
        ]
    });
    text.push_str(&table(ink, &["ROLE", "FROM", "COVERAGE", "WRONG", "BOUND"], rows.collect()));
    for refused in &calibration.refused {
        text.push_str(&format!("\n`{}` abstains: {}", refused.role, refused.why));
    }
    text.push_str(match calibration.kept {
        true => "\nThese thresholds are used from now on.\n",
        false => "\nNothing was changed.\n",
    });
    text
}

fn share(value: f64) -> Cell {
    Cell::from(format!("{value:.4}"))
}

fn number(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() >= 1.0 { format!("{value:.0}") } else { format!("{value:.3}") }
}

fn percent(share: f64) -> String {
    let words = format!("{:.1}", share * 100.0);
    format!("{} %", words.trim_end_matches('0').trim_end_matches('.'))
}
