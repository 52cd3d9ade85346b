//! How three opinions become one number, and the same in words.

use crate::entry::Tally;
use crate::signals::Signals;

/// The log odds that an entry is what is meant, by words and meaning alone.
///
/// The weights were fitted on the train and dev parts of public tool sets (MetaTool, StableToolBench, BFCL), each set as heavy as
/// another: first so that what was chosen comes before what was not, then so that of entries with a score of 0.7
/// seven in ten were chosen. None is below zero: sharing more never makes an entry less likely.
pub(crate) fn odds(signals: &Signals) -> f32 {
    0.61 * signals.said
        + 1.82 * signals.meaning
        + 3.03 * signals.meaning_of_step
        + 2.88 * signals.kin
        + 1.31 * signals.kin_of_step
        + 7.43 * signals.family
        - 8.29
}

/// The same as a number from 0 to 1.
pub(crate) fn chance(odds: f32) -> f32 {
    (1.0 + (-odds).exp()).recip()
}

/// What uses add to log odds, as a number from -1 to 1.
pub(crate) fn opinion(odds: f32) -> f32 {
    (odds / 2.0).tanh()
}

/// What speaks for an entry and against it.
pub(crate) fn why(shared: &[&str], meaning: f32, such: Tally) -> String {
    let mut parts = Vec::new();
    if !shared.is_empty() {
        let words: Vec<String> = shared.iter().take(6).map(|word| format!("`{word}`")).collect();
        parts.push(format!("shares the word{} {}", if words.len() == 1 { "" } else { "s" }, words.join(", ")));
    }
    parts.push(match meaning {
        0.75.. => format!("means nearly the same ({meaning:.2})"),
        0.5.. => format!("means something alike ({meaning:.2})"),
        0.25.. => format!("means something distantly alike ({meaning:.2})"),
        _ => format!("means something else ({meaning:.2})"),
    });
    parts.extend(uses(such));
    parts.join("; ")
}

fn uses(such: Tally) -> Option<String> {
    let uses = such.good + such.bad;
    let well = match (uses, such.good) {
        (0, _) => return None,
        (1, 0) => "badly".to_owned(),
        (1, _) => "well".to_owned(),
        (_, 0) => "none went well".to_owned(),
        (uses, good) if good == uses => "all went well".to_owned(),
        (_, good) => format!("{good} went well"),
    };
    Some(match uses {
        1 => format!("was used once for such a request, which went {well}"),
        _ => format!("was used {uses} times for such requests, {well}"),
    })
}
