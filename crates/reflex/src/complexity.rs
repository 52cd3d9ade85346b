//! How much a request takes, told without a model: one obvious act, or several that hang together.
//!
//! What the request means is asked first. Where that is not certain, its words and its form decide together with it. Both
//! are lines learned from requests whose shape is known ([`Judge`]). How far the steps reach is counted, not learned
//! ([`reach`]), so that a request for two small things is not taken for a project.

pub mod form;
mod judge;
mod reason;

use domain::score::Score;
use domain::thought::{Complexity, Orchestration, Teller};

use self::form::{Form, SIGNALS, Signal};
pub use self::judge::{Judge, Line, SECTION};
use crate::embed::Encoder;

/// Bytes of a request that are read; what follows changes nothing.
const LONGEST: usize = 4000;

/// What can be told without a model, and whether it is sure enough not to ask one.
#[derive(Debug, Clone, PartialEq)]
pub struct Weighed {
    /// What was told.
    pub complexity: Complexity,
    /// Whether asking a model would hardly change it.
    pub sure: bool,
}

/// Scores below this are simple. It is the score of even odds that a request takes several steps, with nothing that makes
/// them reach further; on the dev part of TaskBench anything from 0.25 to 0.4 tells those who need a planner as well.
pub const STANDARD: f64 = SEVERAL / 2.0;

/// Scores from this on are adaptive. Nearly sure to take several steps, and four things to do, or three and a word that ties
/// them together: of requests known to take two tools a quarter come to that, of those that take four most do.
pub const ADAPTIVE: f64 = 0.7;

/// The score of a request that surely takes several steps, and no more than that.
const SEVERAL: f64 = 0.6;

/// How much a request takes of which the splitter made so many parts.
pub fn weigh(text: &str, parts: usize) -> Weighed {
    weigh_with(Judge::shipped(), text, parts)
}

/// What a score means: how much stands before the plan, and in how many passes it is thought over.
pub fn depth(score: Score) -> (Orchestration, u32) {
    let orchestration = orchestration(score);
    (orchestration, passes(orchestration))
}

/// The same, by another judge than the one compiled in.
pub fn weigh_with(judge: &Judge, text: &str, parts: usize) -> Weighed {
    let text = beginning(text);
    let form = form::read(text, parts);
    if form.count(Signal::Words) == 0 {
        return Weighed { complexity: nothing(), sure: true };
    }
    let pooled = Encoder::shipped().pooled(text);
    let semantic = judge.semantic.odds(&pooled.pool);
    // Meaning is not known where most words are not.
    let known = pooled.unknown * 2 <= pooled.words;
    let certain = known && !(judge.certain[0]..judge.certain[1]).contains(&semantic);
    let (strategy, odds, evidence) = if certain {
        (Teller::Semantic, semantic, judge::Evidence { form: [0.0; SIGNALS], words: 0.0, meaning: semantic })
    } else {
        let evidence = judge.evidence(&form, &pooled.pool);
        (Teller::Lexical, evidence.odds(), evidence)
    };
    let several = 1.0 / (1.0 + (-f64::from(odds)).exp());
    let reach = reach(&form);
    let score = Score::nearest(several * (SEVERAL + (1.0 - SEVERAL) * reach.iter().sum::<f64>()));
    let signals = reason::signals(judge, text, &form, &evidence, &reach.map(|share| share * several * (1.0 - SEVERAL)));
    let orchestration = orchestration(score);
    let explanation = reason::explanation(orchestration, &signals);
    let passes = passes(orchestration);
    let complexity = Complexity { score, passes, orchestration, strategy, signals, explanation };
    Weighed { complexity, sure: certain || known && odds.abs() >= judge.sure }
}

/// How far the steps reach, from 0 to 1 in all, by what it is told from.
fn reach(form: &Form) -> [f64; SIGNALS] {
    let mut reach = [0.0; SIGNALS];
    let acts = form.count(Signal::Acts).max(1) - 1;
    let things = if acts >= form.count(Signal::Parts) { Signal::Acts } else { Signal::Parts };
    reach[things as usize] = acts.max(form.count(Signal::Parts)) as f64 * THING;
    for signal in [Signal::Order, Signal::Results, Signal::Conditions, Signal::Planning, Signal::Comparisons] {
        reach[signal as usize] = form.count(signal).min(2) as f64 * TIE;
    }
    let all: f64 = reach.iter().sum();
    if all > 1.0 { reach.map(|share| share / all) } else { reach }
}

/// What one more thing to do adds to the reach of a request.
const THING: f64 = 0.1;
/// What one word adds that ties things together or leaves open what is to be done.
const TIE: f64 = 0.06;

/// As much of a text as is read, whole characters only.
fn beginning(text: &str) -> &str {
    &text[..text.floor_char_boundary(LONGEST)]
}

fn orchestration(score: Score) -> Orchestration {
    match score.get() {
        score if score < STANDARD => Orchestration::Simple,
        score if score < ADAPTIVE => Orchestration::Standard,
        _ => Orchestration::Adaptive,
    }
}

fn passes(orchestration: Orchestration) -> u32 {
    match orchestration {
        Orchestration::Simple => 1,
        Orchestration::Standard => 2,
        Orchestration::Adaptive => 3,
    }
}

fn nothing() -> Complexity {
    Complexity {
        score: Score::ZERO,
        passes: 1,
        orchestration: Orchestration::Simple,
        strategy: Teller::Lexical,
        signals: Vec::new(),
        explanation: "Takes one step: it has no words.".into(),
    }
}
