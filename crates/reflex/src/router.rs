//! From a request to a judgement: who answers, with which call, how sure that is, and whether it is sure enough.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use domain::name::Name;
use domain::role::{Grammar, OTHER, Role};
use domain::route::{Act, Certified, Decision, Judgement, Missing, Part, Signal};
use jiff::Zoned;
use serde::Serialize;

use crate::act::Skill;
use crate::decide::{Evidence, Experience, Policy, Turn, decide};
use crate::mind::Mind;
use crate::pattern::{BadPattern, Vocabulary};
use crate::reading::{Reading, SAY, plain};
use crate::slots::{self, Surroundings};

/// Everything that is known about requests without a model.
pub struct Router {
    pub(crate) knows: Arc<Knowledge>,
    policy: Policy,
    pub(crate) experience: Experience,
    certificates: BTreeMap<String, Certified>,
}

/// What is the same for everybody.
pub(crate) struct Knowledge {
    pub(crate) roles: Vec<Known>,
    pub(crate) mind: Mind,
    pub(crate) vocabulary: Vocabulary,
}

pub(crate) struct Known {
    pub(crate) role: Role,
    pub(crate) skills: Vec<Skill>,
    /// Its examples and those of its actions, in plain letters.
    pub(crate) examples: BTreeSet<String>,
}

/// Who asks, when, and among which things.
#[derive(Debug, Clone)]
pub struct Circumstances<'a> {
    /// When and in which time zone.
    pub now: Zoned,
    /// What people call the things that tools deal with.
    pub names: &'a [Name],
    /// What the person is called.
    pub person: Option<&'a str>,
    /// Which of several replies is given.
    pub seed: u64,
}

/// A judgement, and what the request was compared with.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explained {
    /// What becomes of it.
    #[serde(flatten)]
    pub judgement: Judgement,
    /// The examples of roles that are most like it.
    pub nearest: Vec<Nearest>,
    /// The learned kinds of request that it looks like, with their probabilities.
    pub labels: Vec<(String, f64)>,
}

/// An example of a role.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Nearest {
    /// The example.
    pub text: String,
    /// The role.
    pub role: String,
    /// How alike it is to the request, at most 1.
    pub likeness: f64,
}

/// How many examples an explanation shows.
const NEAREST: usize = 5;

/// Why a role cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BadRole {
    /// Correct the pattern.
    #[error("action `{action}` of role `{role}`")]
    Pattern {
        /// Which role.
        role: String,
        /// Which action.
        action: String,
        /// What is wrong with it.
        #[source]
        source: BadPattern,
    },
    /// Give it something to do.
    #[error("action `{action}` of role `{role}` has neither a tool nor an answer")]
    Idle {
        /// Which role.
        role: String,
        /// Which action.
        action: String,
    },
    /// Name a parameter of the action.
    #[error("action `{action}` of role `{role}`: there is no parameter `{name}`")]
    NoParameter {
        /// Which role.
        role: String,
        /// Which action.
        action: String,
        /// What is not there.
        name: String,
    },
}

impl Router {
    /// Learns the roles, and checks them.
    pub fn new(roles: Vec<Role>, policy: Policy, experience: Experience) -> Result<Self, BadRole> {
        let roles: Vec<Role> = roles.into_iter().filter(|role| role.enabled).collect();
        let mind = Mind::learn(&roles);
        let mut vocabulary = Vocabulary::default();
        let roles = roles.into_iter().map(|role| known(role, &mut vocabulary)).collect::<Result<Vec<_>, _>>()?;
        Ok(Self::over(Arc::new(Knowledge { roles, mind, vocabulary }), policy, experience))
    }

    /// Whether a role can be used, without learning it.
    pub fn check(role: &Role) -> Result<(), BadRole> {
        known(role.clone(), &mut Vocabulary::default()).map(drop)
    }

    /// The same roles for somebody else, or after more experience. Nothing is learned anew.
    pub fn with(&self, policy: Policy, experience: Experience) -> Self {
        Self::over(Arc::clone(&self.knows), policy, experience)
    }

    fn over(knows: Arc<Knowledge>, policy: Policy, experience: Experience) -> Self {
        let certificates = knows.mind.certificates(&policy, &experience);
        Self { knows, policy, experience, certificates }
    }

    /// The roles there are.
    pub fn roles(&self) -> impl Iterator<Item = &Role> {
        self.knows.roles.iter().map(|known| &known.role)
    }

    /// One role.
    pub fn role(&self, name: &str) -> Option<&Role> {
        self.roles().find(|role| role.name == name)
    }

    /// What is promised about a role's fast answers.
    pub fn certificate(&self, role: &str) -> Option<&Certified> {
        self.certificates.get(role)
    }

    /// What becomes of a request.
    pub fn judge(&self, text: &str, circumstances: &Circumstances<'_>) -> Judgement {
        let whole = self.read(text, circumstances, None);
        match self.experience.correction(text) {
            Some(Turn::Plan) => return corrected(text, &whole),
            // It is one thing, whatever it looks like.
            Some(Turn::Role(_)) => return self.judge_one(text, whole),
            None => {}
        }
        let parts = crate::compose::parts(self, text, &whole_part(text, &whole), circumstances);
        match parts {
            Some(parts) => self.judge_parts(parts),
            None => self.judge_one(text, whole),
        }
    }

    /// A judgement with what is most like the request: examples, and kinds of requests that were learned.
    pub fn explain(&self, text: &str, circumstances: &Circumstances<'_>) -> Explained {
        let nearest = self.knows.mind.nearest(text, NEAREST);
        Explained {
            judgement: self.judge(text, circumstances),
            nearest: nearest.into_iter().map(|(text, role, likeness)| Nearest { text, role, likeness }).collect(),
            labels: self.knows.mind.roles(text).labels,
        }
    }

    /// A judgement in which what was missing is taken from the person's answer. Nothing if it is not there.
    pub fn answered(
        &self,
        judgement: &Judgement,
        answer: &str,
        circumstances: &Circumstances<'_>,
    ) -> Option<Judgement> {
        let mut judgement = judgement.clone();
        let part = judgement.parts.iter_mut().find(|part| part.missing.is_some())?;
        let missing = part.missing.take()?;
        let act = part.act.as_mut()?;
        let skill = self.skill(&part.role, &act.action)?;
        if skill.action.grammar == Some(Grammar::Home) {
            // The person names another thing: the request is read again with it.
            let unknown = missing.parameters.first()?;
            let text = match unknown.is_empty() {
                true => format!("{} of the {}", part.text, answer.trim().trim_start_matches("the ")),
                false => part.text.to_lowercase().replacen(&unknown.to_lowercase(), answer.trim(), 1),
            };
            let again = self.read(&text, circumstances, None);
            if again.missing.is_some() || again.act.is_none() {
                return None;
            }
            part.act = again.act;
            Some(judgement)
        } else {
            // The answer alone, as it would be written on a clock with 24 hours, or together with what was asked.
            let written = [answer.to_owned(), on_the_clock(answer), format!("{} {answer}", part.text)];
            let found = written.iter().any(|answer| {
                let slots = slots::find(answer, &surroundings(circumstances));
                skill.answer(&missing, answer, &circumstances.now, &slots, &mut act.arguments)
            });
            if !found {
                return None;
            }
            part.missing = skill.missing(&act.arguments);
            Some(judgement)
        }
    }

    fn judge_one(&self, text: &str, reading: Reading) -> Judgement {
        let evidence = Evidence {
            role: self.role(&reading.role),
            confidence: reading.confidence,
            runner_up: (&reading.runner_up.0, reading.runner_up.1),
            said: reading.said,
            whole: reading.whole,
            only_says: reading.act.as_ref().is_some_and(|act| act.tool.as_str() == SAY),
            harmless: reading.act.as_ref().is_some_and(|act| self.policy.harmless.contains(&act.tool)),
            acts: reading.act.is_some(),
            missing: reading.missing.is_some(),
            certificate: self.certificates.get(&reading.role),
        };
        let (decision, signals) = decide(&self.policy, &self.experience, &evidence);
        let context = self.context(&reading);
        let certificate = evidence.certificate.cloned();
        Judgement {
            decision,
            role: reading.role.clone(),
            confidence: reading.confidence,
            parts: vec![whole_part(text, &reading)],
            signals,
            certificate,
            context,
        }
    }

    /// Several things are done without a planner only if every one of them is clear.
    fn judge_parts(&self, parts: Vec<Part>) -> Judgement {
        let clear = |part: &Part| part.act.is_some() && part.confidence >= self.policy.plan_below;
        let conditions = parts.iter().all(|part| part.condition.is_none() || part.when.is_some());
        let fast = |part: &Part| self.role(&part.role).is_some_and(|role| role.fast_reply);
        let all = self.policy.enabled && conditions && parts.iter().all(|part| clear(part) && fast(part));
        let decision = if all { Decision::Compose } else { Decision::Plan };
        let weakest = parts.iter().map(|part| part.confidence).fold(1.0, f64::min);
        let mut signals = vec![signal("actions", parts.len() as f64, "several things are wanted")];
        for part in parts.iter().filter(|part| !clear(part)) {
            signals.push(signal("unclear", part.confidence, &format!("“{}”", part.text)));
        }
        for part in parts.iter().filter(|part| part.condition.is_some() && part.when.is_none()) {
            let words = part.condition.as_deref().unwrap_or_default();
            signals.push(signal("condition", 0.0, &format!("“{words}” cannot be decided")));
        }
        let role = parts.first().map_or(OTHER, |part| &part.role).to_owned();
        Judgement { decision, role, confidence: weakest, parts, signals, certificate: None, context: Vec::new() }
    }

    /// What one thing that is wanted means.
    pub(crate) fn understand(&self, text: &str, circumstances: &Circumstances<'_>, points_to: Option<&str>) -> Part {
        whole_part(text, &self.read(text, circumstances, points_to))
    }

    /// What can be asked for, a line for each role.
    pub(crate) fn skills(&self) -> String {
        let mut lines = vec!["Here is what I can do without a model; try the examples:".to_owned()];
        for role in self.roles() {
            let example = role.examples.first().map(|text| format!(" “{text}”")).unwrap_or_default();
            lines.push(format!("- {}{example}", role.when_to_use));
        }
        lines.push(
            "Several things at once work too: “turn off the kitchen light and set a timer for ten minutes”.".into(),
        );
        lines.join("\n")
    }

    pub(crate) fn skill(&self, role: &str, action: &str) -> Option<&Skill> {
        let known = self.knows.roles.iter().find(|known| known.role.name == role)?;
        known.skills.iter().find(|skill| skill.action.name == action)
    }

    /// Every action there is, with its role.
    pub(crate) fn skills_of_all(&self) -> impl Iterator<Item = (&Role, &Skill)> {
        self.knows.roles.iter().flat_map(|known| known.skills.iter().map(|skill| (&known.role, skill)))
    }

    /// The part that finds out whether a condition holds: an action whose results can tell, with the values it takes.
    pub(crate) fn asking(
        &self,
        role: &Role,
        skill: &Skill,
        text: &str,
        circumstances: &Circumstances<'_>,
    ) -> Option<Part> {
        let (act, missing) = self.read_as(skill, text, circumstances);
        Some(part(text, &role.name, 0.99, Some(act?), missing))
    }

    fn context(&self, reading: &Reading) -> Vec<String> {
        let mut context = Vec::new();
        let act = reading.act.as_ref();
        let skill = act.and_then(|act| self.skill(&reading.role, &act.action));
        let takes_place = skill.is_some_and(|skill| skill.action.parameters.contains_key("place"));
        if takes_place && act.is_some_and(|act| !act.arguments.contains_key("place")) {
            context.push("place".to_owned());
        }
        if act.is_none() && reading.role == "conversation" {
            context.push("conversation".to_owned());
        }
        context
    }
}

fn known(role: Role, vocabulary: &mut Vocabulary) -> Result<Known, BadRole> {
    let mut skills = Vec::new();
    for action in &role.actions {
        let place = || (role.name.clone(), action.name.clone());
        if action.tool.is_none() && action.answer.is_empty() {
            let (role, action) = place();
            return Err(BadRole::Idle { role, action });
        }
        let skill = Skill::new(action.clone(), &role.parameters, vocabulary).map_err(|source| {
            let (role, action) = place();
            BadRole::Pattern { role, action, source }
        })?;
        if let Some(name) = skill.stray_name() {
            let (role, action) = place();
            return Err(BadRole::NoParameter { role, action, name });
        }
        skills.push(skill);
    }
    let of_actions = role.actions.iter().flat_map(|action| &action.examples);
    let examples = role.examples.iter().chain(of_actions).map(|text| plain(text)).collect();
    Ok(Known { role, skills, examples })
}

/// `8:00` as `08:00`, which cannot be meant for the evening.
fn on_the_clock(answer: &str) -> String {
    let answer = answer.trim();
    if answer.find(':') == Some(1) && answer.starts_with(|c: char| c.is_ascii_digit()) {
        format!("0{answer}")
    } else {
        answer.to_owned()
    }
}

/// A request that somebody wants planned, whatever it looks like.
fn corrected(text: &str, reading: &Reading) -> Judgement {
    Judgement {
        decision: Decision::Plan,
        role: OTHER.to_owned(),
        confidence: 1.0,
        parts: vec![whole_part(text, reading)],
        signals: vec![signal("correction", 1.0, "somebody said that this is to be planned")],
        certificate: None,
        context: Vec::new(),
    }
}

fn whole_part(text: &str, reading: &Reading) -> Part {
    part(text, &reading.role, reading.confidence, reading.act.clone(), reading.missing.clone())
}

/// A part that hangs on nothing else.
fn part(text: &str, role: &str, confidence: f64, act: Option<Act>, missing: Option<Missing>) -> Part {
    let (text, role) = (text.to_owned(), role.to_owned());
    Part { text, role, confidence, act, missing, condition: None, when: None, then: false }
}

pub(crate) fn surroundings<'a>(circumstances: &Circumstances<'a>) -> Surroundings<'a> {
    Surroundings { now: circumstances.now.clone(), names: circumstances.names }
}

pub(crate) fn signal(name: &str, value: f64, says: &str) -> Signal {
    Signal { name: name.to_owned(), value, says: says.to_owned() }
}
