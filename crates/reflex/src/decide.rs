//! Whether what was understood is sure enough to act on: the bands, what is promised, and what speaks for it in between.

use std::collections::{BTreeMap, BTreeSet};

use domain::id::ToolName;
use domain::role::{OTHER, Role};
use domain::route::{Certified, Decision, Signal};

use crate::reading::plain;
use crate::router::signal;

/// What the person in charge has set.
#[derive(Debug, Clone, PartialEq)]
pub struct Policy {
    /// Whether anything is answered without a plan.
    pub enabled: bool,
    /// From this confidence on it is.
    pub accept: f64,
    /// Below this one it is only where a sentence fits to the last word and nothing is changed by it.
    pub plan_below: f64,
    /// The share of wrong fast answers that is tolerated.
    pub alpha: f64,
    /// The chance that there are more of them.
    pub delta: f64,
    /// Whether outcomes change what is sure enough.
    pub adapt: bool,
    /// What the person wants for single roles.
    pub preferences: BTreeMap<String, Preference>,
    /// From which confidence on single roles are sure enough, where that was calibrated here; nothing where no
    /// confidence is.
    pub thresholds: BTreeMap<String, Option<f64>>,
    /// On how many requests that rests.
    pub calibrated_on: usize,
    /// Tools that change nothing: to use one by mistake does no harm.
    pub harmless: BTreeSet<ToolName>,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            enabled: true,
            accept: 0.95,
            plan_below: 0.7,
            alpha: 0.01,
            delta: 0.05,
            adapt: true,
            preferences: BTreeMap::new(),
            thresholds: BTreeMap::new(),
            calibrated_on: 0,
            harmless: BTreeSet::new(),
        }
    }
}

/// How a person wants a role's requests dealt with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preference {
    /// At once, whenever that is allowed.
    Fast,
    /// With a plan, always.
    Plan,
}

/// What came of earlier fast answers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Experience {
    /// By role.
    pub roles: BTreeMap<String, Record>,
    /// Which way requests were to go that went the wrong way, by their words.
    corrections: BTreeMap<String, Turn>,
}

/// Where somebody said that a request belongs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Turn {
    /// To the planner.
    Plan,
    /// To this role.
    Role(String),
}

impl Experience {
    /// What became of each role's answers.
    pub fn of(roles: BTreeMap<String, Record>) -> Self {
        Self { roles, corrections: BTreeMap::new() }
    }

    /// From now on a request in these words goes where somebody said it belongs.
    pub fn correct(&mut self, text: &str, turn: Turn) {
        self.corrections.insert(plain(text), turn);
    }

    /// Where a request belongs, if somebody said so.
    pub(crate) fn correction(&self, text: &str) -> Option<&Turn> {
        if self.corrections.is_empty() { None } else { self.corrections.get(&plain(text)) }
    }
}

/// What came of a role's earlier fast answers, as far as they are remembered.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Record {
    /// How many were not complained about.
    pub right: u32,
    /// How many were corrected, failed or had to be planned after all.
    pub wrong: u32,
    /// How many of them this person asked for.
    pub habit: u32,
    /// Each of them in the order in which they happened: whether it was wrong.
    pub outcomes: Vec<bool>,
}

/// What is known about one request.
pub(crate) struct Evidence<'e> {
    pub(crate) role: Option<&'e Role>,
    pub(crate) confidence: f64,
    pub(crate) runner_up: (&'e str, f64),
    /// How many words of a pattern were said.
    pub(crate) said: Option<usize>,
    /// Whether that is nearly all there is to say.
    pub(crate) whole: bool,
    pub(crate) acts: bool,
    /// Whether what is to be done changes nothing.
    pub(crate) harmless: bool,
    /// Whether words are all that comes of it.
    pub(crate) only_says: bool,
    pub(crate) missing: bool,
    pub(crate) certificate: Option<&'e Certified>,
}

/// From this confidence on a sentence that fits to the last word is worth asking about.
const SPOKEN: f64 = 0.3;

/// From this confidence on it is done if it changes nothing.
const LIKELY: f64 = 0.5;

/// How many times a person has done something before it is a habit.
const HABIT: u32 = 5;

/// Which way a single thing goes, and why.
pub(crate) fn decide(policy: &Policy, experience: &Experience, evidence: &Evidence<'_>) -> (Decision, Vec<Signal>) {
    let name = evidence.role.map_or(OTHER, |role| role.name.as_str());
    let record = experience.roles.get(name).cloned().unwrap_or_default();
    let mut signals = vec![signal("role", evidence.confidence, name)];
    if !evidence.runner_up.0.is_empty() {
        signals.push(signal("runner-up", evidence.runner_up.1, evidence.runner_up.0));
    }
    if let Some(said) = evidence.said {
        signals.push(signal("sentence", said as f64, "every word is accounted for"));
    }
    let mut say = |name: &str, value: f64, words: &str| signals.push(signal(name, value, words));
    let Some(role) = evidence.role else {
        say("decision", evidence.confidence, "no role answers this");
        return (Decision::Plan, signals);
    };
    if !policy.enabled {
        say("decision", 0.0, "fast answers are switched off");
        return (Decision::Plan, signals);
    }
    if !role.fast_reply {
        say("decision", 0.0, "this role never answers without a plan");
        return (Decision::Plan, signals);
    }
    let preference = policy.preferences.get(name);
    match preference {
        Some(Preference::Plan) => {
            say("preference", 0.0, "you want such requests planned");
            return (Decision::Plan, signals);
        }
        Some(Preference::Fast) => say("preference", 1.0, "you want such requests answered at once"),
        None => {}
    }
    let drifted = policy.adapt && evidence.certificate.is_some_and(|certified| certified.withdrawn);
    let promised = promised(policy, &record, evidence.certificate);
    match promised {
        Some(threshold) => say("promised from", threshold, "at most α of the fast answers above this are wrong"),
        None => {
            let why = evidence.certificate.and_then(|certified| certified.why_not.as_deref());
            say("promised from", 1.0, why.unwrap_or("nothing is promised about this role"));
        }
    }
    if policy.adapt && record.wrong + record.right > 0 {
        say("experience", f64::from(record.right), &format!("right, and {} wrong", record.wrong));
    }
    let fast = |evidence: &Evidence<'_>| if evidence.missing { Decision::Ask } else { Decision::Fast };
    let spoken = evidence.acts && evidence.said.is_some() && evidence.confidence >= SPOKEN;
    if spoken
        && evidence.whole
        && evidence.harmless
        && (evidence.only_says || evidence.confidence >= LIKELY)
        && !drifted
    {
        say("decision", evidence.confidence, "every word fits, and nothing is changed by it");
        return (fast(evidence), signals);
    }
    if evidence.confidence < policy.plan_below {
        if spoken {
            say("decision", evidence.confidence, "every word fits, but it is not sure that this is meant");
            return (Decision::Unsure, signals);
        }
        say("decision", evidence.confidence, "not sure enough to answer without a plan");
        return (Decision::Plan, signals);
    }
    let certified = promised.is_some_and(|threshold| evidence.confidence >= threshold);
    if certified && (evidence.confidence >= policy.accept || preference == Some(&Preference::Fast)) {
        say("decision", evidence.confidence, "clear");
        return (fast(evidence), signals);
    }
    // In between several things have to come together; that one thing is wanted is known already.
    let overlap = evidence.runner_up.1 > evidence.confidence / 4.0 && evidence.runner_up.0 != OTHER;
    let whole = evidence.said.is_some_and(|said| said >= 2);
    // Of roles nobody has labelled requests for, nothing can be promised: what was said must do.
    let unmeasured = evidence.certificate.is_some_and(|certified| certified.samples == 0);
    let told = unmeasured && evidence.said.is_some() && evidence.confidence >= policy.accept;
    let habit = policy.adapt && record.habit >= HABIT && record.wrong == 0;
    let known = if evidence.acts { "it is clear what to do" } else { "it is not clear what to do" };
    say("one action", f64::from(u8::from(evidence.acts)), known);
    say(
        "overlap",
        evidence.runner_up.1,
        if overlap { "another role could be meant" } else { "no other role comes near" },
    );
    if habit {
        say("habit", f64::from(record.habit), "you often ask for this");
    }
    let sure = !overlap && !drifted && (certified || (evidence.acts && (whole || told || habit)));
    if sure {
        say("decision", evidence.confidence, "clear enough, all things considered");
        return (fast(evidence), signals);
    }
    say("decision", evidence.confidence, "in between, and not clear enough");
    (Decision::Unsure, signals)
}

/// From which confidence on a promise holds: what was calibrated, and more where experience is worse than the promise.
fn promised(policy: &Policy, record: &Record, certificate: Option<&Certified>) -> Option<f64> {
    let threshold = certificate?.threshold?;
    if !policy.adapt || record.wrong == 0 {
        return Some(threshold);
    }
    let wrong = f64::from(record.wrong) / f64::from(record.right + record.wrong + 20);
    let beyond = ((wrong - policy.alpha) / 0.2).clamp(0.0, 1.0);
    Some(threshold + (1.0 - threshold) * beyond)
}
