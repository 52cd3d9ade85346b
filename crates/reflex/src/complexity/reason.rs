//! Why a request was weighed as it was, in words.

use domain::thought::{Orchestration, Weight};

use super::SEVERAL;
use super::form::{Form, SIGNALS, Signal};
use super::judge::{Evidence, Judge};

/// Signals that are told; lighter ones are not.
const MOST: usize = 8;
/// What must be said for a signal to be told.
const LIGHTEST: f64 = 0.01;
/// Letters of the request's own words that are repeated.
const LONGEST: usize = 40;

/// What was seen, weightiest first. What speaks for one step or several is shared out over the score that such a request
/// has at least; what makes it reach further is added as it is.
pub(super) fn signals(
    judge: &Judge,
    text: &str,
    form: &Form,
    evidence: &Evidence,
    reach: &[f64; SIGNALS],
) -> Vec<Weight> {
    let all = evidence.form.iter().chain([&evidence.words, &evidence.meaning]).map(|odds| odds.abs()).sum::<f32>();
    let share = |odds: f32| SEVERAL * f64::from(odds / all.max(f32::MIN_POSITIVE));
    let mut signals: Vec<Weight> = Signal::ALL
        .into_iter()
        .map(|signal| Weight {
            signal: phrase(signal, form),
            value: form.count(signal) as f64 + if signal == Signal::Parts { 1.0 } else { 0.0 },
            weight: share(evidence.form[signal as usize]) + reach[signal as usize],
        })
        .collect();
    let likeness = if evidence.meaning < 0.0 {
        "is like requests that take one step"
    } else {
        "is like requests that take several steps"
    };
    let value = f64::from(1.0 / (1.0 + (-evidence.meaning).exp()));
    signals.push(Weight { signal: likeness.into(), value, weight: share(evidence.meaning) });
    let wording = wording(judge, text, form, evidence.words);
    signals.push(Weight { signal: wording, value: form.slots.len() as f64, weight: share(evidence.words) });
    signals.retain(|signal| signal.weight.abs() >= LIGHTEST);
    signals.sort_by(|a, b| b.weight.abs().total_cmp(&a.weight.abs()));
    signals.truncate(MOST);
    signals
}

/// The verdict, and the three weightiest signals that speak for it.
pub(super) fn explanation(orchestration: Orchestration, signals: &[Weight]) -> String {
    let (verdict, sign) = match orchestration {
        Orchestration::Simple => ("Takes one step", -1.0),
        Orchestration::Standard => ("Takes several steps", 1.0),
        Orchestration::Adaptive => ("Takes many steps that hang together", 1.0),
    };
    let speaks = |signal: &&Weight| signal.weight * sign > 0.0;
    // Several steps are told by what there is; one step also by what there is not.
    let there = |signal: &&Weight| sign < 0.0 || signal.value > 0.0;
    let told = signals.iter().filter(speaks).filter(there).map(|signal| signal.signal.as_str());
    let because: Vec<&str> = told.take(3).collect();
    match because.as_slice() {
        [] => format!("{verdict}, though little speaks for it."),
        [one] => format!("{verdict}: it {one}."),
        [before @ .., last] => format!("{verdict}: it {} and {last}.", before.join(", ")),
    }
}

fn phrase(signal: Signal, form: &Form) -> String {
    let count = form.count(signal);
    let counted = |none: &str, one: &str, several: &str| match count {
        0 => none.to_owned(),
        1 => one.to_owned(),
        _ => several.replace('#', &number(count)),
    };
    let seen = |none: &str, some: &str| counted(none, some, some);
    match signal {
        Signal::Words if count <= SHORT && form.count(Signal::Questions) == 1 => "is one short question".into(),
        Signal::Words if count <= SHORT && form.count(Signal::Parts) == 0 => "is one short request".into(),
        Signal::Words => counted("has no words", "is one word", "is # words long"),
        Signal::Acts => counted("has no verb of doing", "has one verb of doing", "has # verbs of doing"),
        Signal::Parts if count == 0 => "asks for one thing".into(),
        Signal::Parts => format!("asks for {} things", number(count + 1)),
        Signal::Order => seen("says nothing of order", "says what comes after what"),
        Signal::Results => seen("does not build on results", "builds on the result of something"),
        Signal::Conditions => seen("sets no condition", "makes something depend on a condition"),
        Signal::Comparisons => seen("compares nothing", "wants things compared"),
        Signal::Quantities => seen("names no number of things", "is about several of a kind"),
        Signal::Additions => seen("adds nothing to itself", "adds to what it asked for"),
        Signal::Planning => seen("leaves nothing to be planned", "leaves something to be planned"),
        Signal::Commas => counted("has no comma", "has a comma", "has # commas"),
        Signal::Sentences => counted("does not end like a sentence", "is one sentence", "has # sentences"),
        Signal::Artefacts => counted(
            "names no file, address or text",
            "names a file, an address or a text",
            "names # files, addresses or texts",
        ),
        Signal::Questions => counted("asks no question", "asks a question", "asks # questions"),
    }
}

/// Words up to which a request is short.
const SHORT: usize = 12;

fn number(count: usize) -> String {
    const WORDS: [&str; 13] =
        ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    WORDS.get(count).map_or_else(|| count.to_string(), |word| (*word).to_owned())
}

/// The two words, or pairs of words, that speak most for what all words together speak for.
fn wording(judge: &Judge, text: &str, form: &Form, odds: f32) -> String {
    let towards = if odds < 0.0 { -1 } else { 1 };
    let mut best: [Option<(i32, &str)>; 2] = [None; 2];
    for (slot, span) in &form.slots {
        let strength = judge.steps(*slot) * towards;
        let Some(words) = text.get(span.clone()).filter(|words| words.len() <= LONGEST) else { continue };
        let worth = strength > 0 && words.contains(char::is_alphanumeric);
        if worth && best[0].is_none_or(|(most, _)| strength > most) {
            best = [Some((strength, words)), best[0]];
        } else if worth && best[1].is_none_or(|(most, _)| strength > most) {
            best[1] = Some((strength, words));
        }
    }
    match best.map(|found| found.map(|(_, words)| words)) {
        [Some(one), Some(two)] => format!("has wording such as `{one}` and `{two}`"),
        [Some(one), None] => format!("has wording such as `{one}`"),
        _ => "has wording of its own".into(),
    }
}
