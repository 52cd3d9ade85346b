//! From a request to a judgement: who answers, with which call, how sure that is, and whether it is sure enough.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::name::Name;
use domain::role::{Grammar, OTHER, Role};
use domain::route::{Act, Certified, Decision, Judgement, Missing, Part, Signal};
use jiff::Zoned;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::act::{Filled, Skill};
use crate::decide::{Evidence, Experience, Policy, decide};
use crate::mind::Mind;
use crate::pattern::{BadPattern, Heard, Vocabulary};
use crate::respond::{fill, respond};
use crate::slots::{self, Slot, Surroundings};
use crate::{home, reckon};

/// Everything that is known about requests without a model.
pub struct Router {
    knows: Arc<Knowledge>,
    policy: Policy,
    experience: Experience,
    certificates: BTreeMap<String, Certified>,
}

/// What is the same for everybody.
struct Knowledge {
    roles: Vec<Known>,
    mind: Mind,
    vocabulary: Vocabulary,
}

struct Known {
    role: Role,
    skills: Vec<Skill>,
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

/// What understanding one thing brought.
struct Reading {
    role: String,
    confidence: f64,
    runner_up: (String, f64),
    act: Option<Act>,
    missing: Option<Missing>,
    said: Option<usize>,
}

/// A request as actions look at it.
struct Words<'w> {
    text: &'w str,
    slots: &'w [Slot],
    heard: &'w Heard,
    points_to: Option<&'w str>,
}

impl Words<'_> {
    fn fill(&self, skill: &Skill) -> Filled {
        skill.fill(self.text, self.slots, self.heard, self.points_to)
    }
}

/// Below this probability a role's grammar is not asked.
const FAINT: f64 = 0.01;

/// From which probability on an action is taken for the one that is meant.
const CLEAR: f64 = 0.5;

/// The tool that replies.
const SAY: &str = "conversation.say";

impl Router {
    /// Learns the roles, and checks them.
    pub fn new(roles: Vec<Role>, policy: Policy, experience: Experience) -> Result<Self, BadRole> {
        let roles: Vec<Role> = roles.into_iter().filter(|role| role.enabled).collect();
        let mind = Mind::learn(&roles);
        let mut vocabulary = Vocabulary::default();
        let roles = roles.into_iter().map(|role| known(role, &mut vocabulary)).collect::<Result<Vec<_>, _>>()?;
        Ok(Self::over(Arc::new(Knowledge { roles, mind, vocabulary }), policy, experience))
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

    /// What is promised about each role's fast answers.
    pub fn certificates(&self) -> &BTreeMap<String, Certified> {
        &self.certificates
    }

    /// What becomes of a request.
    pub fn judge(&self, text: &str, circumstances: &Circumstances<'_>) -> Judgement {
        let whole = self.read(text, circumstances, None);
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
            let text = part.text.to_lowercase().replacen(&unknown.to_lowercase(), answer.trim(), 1);
            let again = self.read(&text, circumstances, None);
            if again.missing.is_some() || again.act.is_none() {
                return None;
            }
            part.act = again.act;
            Some(judgement)
        } else {
            let slots = slots::find(answer, &surroundings(circumstances));
            if !skill.answer(&missing, answer, &slots, &mut act.arguments) {
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

    fn read(&self, text: &str, circumstances: &Circumstances<'_>, points_to: Option<&str>) -> Reading {
        let slots = slots::find(text, &surroundings(circumstances));
        let heard = self.knows.vocabulary.hear(text);
        let mut scores = self.knows.mind.roles(text).roles;
        // A pattern or a grammar that accounts for every word multiplies the odds of its role.
        let mut best: BTreeMap<String, (&Skill, Filled, f64)> = BTreeMap::new();
        for known in &self.knows.roles {
            let likely = scores.iter().any(|(role, share)| *role == known.role.name && *share > FAINT);
            let found =
                self.best_fit(known, likely, &Words { text, slots: &slots, heard: &heard, points_to }, circumstances);
            if let Some((skill, filled, odds)) = found {
                best.insert(known.role.name.clone(), (skill, filled, odds));
            }
        }
        for (role, (_, _, odds)) in &best {
            multiply(&mut scores, role, *odds);
        }
        let priority = |name: &str| self.role(name).map_or(i32::MIN, |role| role.priority);
        let near = |a: f64, b: f64| (a - b).abs() < 0.01;
        scores.sort_by(|a, b| match near(a.1, b.1) {
            true => priority(&b.0).cmp(&priority(&a.0)),
            false => b.1.total_cmp(&a.1),
        });
        let (role, confidence) = scores.first().cloned().unwrap_or_else(|| (OTHER.to_owned(), 1.0));
        let runner_up = scores.get(1).cloned().unwrap_or_default();
        let fitted = best.remove(&role).map(|(skill, filled, _)| (skill, filled, 0.99));
        let words = Words { text, slots: &slots, heard: &heard, points_to };
        let chosen = fitted.or_else(|| self.choose(&role, &words));
        let said = chosen.as_ref().and_then(|(_, filled, _)| filled.said);
        let (act, missing) = match chosen {
            Some((skill, filled, sure)) => self.act(skill, filled, sure, circumstances),
            None => (None, None),
        };
        Reading { role, confidence, runner_up, act, missing, said }
    }

    /// The action of a role whose pattern or grammar accounts for the whole text, and by how much that speaks for it.
    fn best_fit<'k>(
        &self,
        known: &'k Known,
        likely: bool,
        words: &Words<'_>,
        circumstances: &Circumstances<'_>,
    ) -> Option<(&'k Skill, Filled, f64)> {
        let mut best: Option<(&Skill, Filled, f64)> = None;
        for skill in &known.skills {
            let found = match skill.action.grammar {
                Some(Grammar::Home) if likely => house(words.text, circumstances).map(|filled| (filled, 60.0)),
                Some(Grammar::Reckoning) if likely => reckoned(words.text, circumstances).map(|filled| (filled, 60.0)),
                Some(Grammar::Home | Grammar::Reckoning) => None,
                None if !skill.could_fit(words.heard) => None,
                None => {
                    let filled = words.fill(skill);
                    let odds = filled.said.map(worth);
                    odds.map(|odds| (filled, odds))
                }
            };
            let Some((filled, odds)) = found else { continue };
            let rank = |filled: &Filled| (filled.missing.is_none(), filled.said);
            if best.as_ref().is_none_or(|(_, known, _)| rank(&filled) > rank(known)) {
                best = Some((skill, filled, odds));
            }
        }
        best
    }

    /// The action of a role that is likeliest by its examples.
    fn choose(&self, role: &str, words: &Words<'_>) -> Option<(&Skill, Filled, f64)> {
        let (name, sure) = self.knows.mind.actions(role, words.text).into_iter().next()?;
        let skill = self.skill(role, &name).filter(|skill| skill.action.grammar.is_none())?;
        (sure >= CLEAR).then(|| (skill, words.fill(skill), sure))
    }

    fn act(
        &self,
        skill: &Skill,
        filled: Filled,
        sure: f64,
        circumstances: &Circumstances<'_>,
    ) -> (Option<Act>, Option<Missing>) {
        let action = &skill.action;
        let known = self.known(&filled.arguments, circumstances);
        let reply = respond(&action.answer, &known, circumstances.seed);
        let (tool, arguments, answer) = match (&action.tool, reply) {
            // The grammar of a house decides between asking it and changing it.
            (Some(tool), answer) => {
                let tool = filled.tool.unwrap_or_else(|| tool.clone());
                (tool, filled.arguments, answer)
            }
            (None, Some(reply)) => match SAY.parse() {
                Ok(tool) => (tool, Map::from_iter([("text".to_owned(), json!(reply))]), None),
                Err(_) => return (None, None),
            },
            (None, None) => return (None, filled.missing),
        };
        let act = Act { action: action.name.clone(), confidence: sure, tool, arguments, answer };
        (Some(act), filled.missing)
    }

    /// Words for what replies can mention.
    fn known(
        &self,
        arguments: &Map<String, Value>,
        circumstances: &Circumstances<'_>,
    ) -> BTreeMap<&'static str, String> {
        let mut known = BTreeMap::new();
        if let Some(person) = circumstances.person {
            known.insert("name", person.to_owned());
        }
        known.insert("skills", self.skills());
        if let Some(Value::String(text)) = arguments.get("text") {
            known.insert("text", text.clone());
        }
        known
    }

    /// What can be asked for, a line for each role.
    fn skills(&self) -> String {
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
        let slots = slots::find(text, &surroundings(circumstances));
        let words = Words { text, slots: &slots, heard: &self.knows.vocabulary.hear(text), points_to: None };
        let (act, missing) = self.act(skill, words.fill(skill), 0.99, circumstances);
        Some(Part {
            text: text.to_owned(),
            role: role.name.clone(),
            confidence: 0.99,
            act: Some(act?),
            missing,
            condition: None,
            when: None,
            then: false,
        })
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
    Ok(Known { role, skills })
}

fn whole_part(text: &str, reading: &Reading) -> Part {
    Part {
        text: text.to_owned(),
        role: reading.role.clone(),
        confidence: reading.confidence,
        act: reading.act.clone(),
        missing: reading.missing.clone(),
        condition: None,
        when: None,
        then: false,
    }
}

fn surroundings<'a>(circumstances: &Circumstances<'a>) -> Surroundings<'a> {
    Surroundings { now: circumstances.now.clone(), names: circumstances.names }
}

/// A command to the house, or a question about a thing it does not have.
fn house(text: &str, circumstances: &Circumstances<'_>) -> Option<Filled> {
    let command = home::understand(text, circumstances.names, None)?;
    if let Some(unknown) = &command.unknown {
        let question = format!("There is nothing called “{unknown}” here. Which device do you mean?");
        let missing = Missing { parameters: vec![unknown.clone()], question };
        return Some(Filled { said: Some(2), tool: None, arguments: Map::new(), missing: Some(missing) });
    }
    let (tool, arguments) = command.call()?;
    let Value::Object(arguments) = arguments else { return None };
    Some(Filled { said: Some(2), tool: tool.parse().ok(), arguments, missing: None })
}

fn reckoned(text: &str, circumstances: &Circumstances<'_>) -> Option<Filled> {
    let reckoned = reckon::reckon(text, &circumstances.now)?;
    let arguments = Map::from_iter([("text".to_owned(), json!(reckoned.answer))]);
    Some(Filled { said: Some(2), tool: None, arguments, missing: None })
}

/// How much a fitting pattern speaks for its role: one word and a gap say nothing, as they fit almost everything.
fn worth(said: usize) -> f64 {
    match said {
        0 | 1 => 1.0,
        2 => 8.0,
        _ => 40.0,
    }
}

/// Multiplies a role's odds; the others share what is left as before.
fn multiply(scores: &mut [(String, f64)], role: &str, odds: f64) {
    let Some(at) = scores.iter().position(|(name, _)| name == role) else { return };
    let before = scores[at].1.clamp(0.005, 0.9999);
    let after = before * odds / (before * odds + (1.0 - before));
    let rest = (1.0 - after) / (1.0 - before);
    for (place, score) in scores.iter_mut().enumerate() {
        score.1 = if place == at { after } else { score.1 * rest };
    }
}

pub(crate) fn signal(name: &str, value: f64, says: &str) -> Signal {
    Signal { name: name.to_owned(), value, says: says.to_owned() }
}

/// Fills what an answer says about its own arguments.
pub fn told(template: &str, arguments: &Map<String, Value>) -> Option<String> {
    let known = arguments.iter().filter_map(|(name, value)| Some((name.as_str(), value.as_str()?.to_owned())));
    fill(template, &known.collect())
}
