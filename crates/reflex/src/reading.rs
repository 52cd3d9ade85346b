//! One thing that is wanted: who is meant, and which call.
//!
//! The classifier says how likely each role is. Patterns and grammars account for a sentence word by word: they choose the
//! action, and speak for their role where the classifier was not trained for it or where they are rarely wrong.

use std::collections::BTreeMap;

use domain::role::{Grammar, OTHER};
use domain::route::{Act, Missing};
use jiff::Zoned;
use serde_json::{Map, Value, json};

use crate::act::{Filled, Skill, denies};
use crate::decide::Turn;
use crate::home::{self, Command};
use crate::mind::Scores;
use crate::pattern::Heard;
use crate::reckon::{self, Reckoned};
use crate::respond::respond;
use crate::router::{Circumstances, Known, Router, surroundings};
use crate::slots::{self, Slot};

/// What understanding one thing brought.
pub(crate) struct Reading {
    pub(crate) role: String,
    pub(crate) confidence: f64,
    pub(crate) runner_up: (String, f64),
    pub(crate) act: Option<Act>,
    pub(crate) missing: Option<Missing>,
    /// How many words of a pattern were said; none where no pattern or grammar accounts for the whole.
    pub(crate) said: Option<usize>,
    /// Whether that is nearly all there is to say.
    pub(crate) whole: bool,
}

/// A request as actions look at it.
pub(crate) struct Words<'w> {
    text: &'w str,
    now: Zoned,
    slots: Vec<Slot>,
    heard: Heard,
    points_to: Option<&'w str>,
    command: Option<Command>,
    reckoned: Option<Reckoned>,
}

/// Below this probability a grammar is not asked.
const FAINT: f64 = 0.02;

/// From which probability on an action is taken for the one that is meant.
const CLEAR: f64 = 0.5;

/// How much it speaks for a role that a request is one of its examples, word for word.
const OWN_EXAMPLE: f64 = 1000.0;

/// How much likelier a role is that somebody said a request belongs to: beyond any doubt.
const SAID_SO: f64 = 1e12;

/// The tool that replies.
pub(crate) const SAY: &str = "conversation.say";

/// How much a grammar counts for that a pattern would have to say so many words for.
const GRAMMAR: usize = 2;

impl Router {
    /// Who is meant by a text, and which call. `points_to` is what a word that points back stands for.
    pub(crate) fn read(&self, text: &str, circumstances: &Circumstances<'_>, points_to: Option<&str>) -> Reading {
        let judged = self.knows.mind.roles(text);
        let mut scores = judged.roles.clone();
        let words = self.words(text, &scores, circumstances, points_to);
        // Nothing speaks for a role that somebody has retired.
        let there = |role: &str| role == OTHER || self.role(role).is_some();
        if let Some((role, odds)) = words.command.as_ref().and_then(spoken_for).filter(|(role, _)| there(role)) {
            multiply(&mut scores, role, odds);
        }
        let reckons = |role: &str| {
            let known = self.knows.roles.iter().find(|known| known.role.name == role);
            known.is_some_and(|known| known.skills.iter().any(|skill| skill.action.grammar == Some(Grammar::Reckoning)))
        };
        if words.reckoned.is_some() && there("conversation") && scores.first().is_some_and(|(role, _)| !reckons(role)) {
            // What can be worked out was meant to be.
            multiply(&mut scores, "conversation", 200.0);
        }
        // Roles that the classifier was not trained for are known by their sentences as well as by their examples.
        let first = scores.first().map(|(role, _)| role.clone()).unwrap_or_default();
        let mut said: BTreeMap<&str, usize> = BTreeMap::new();
        let mut fits: BTreeMap<&str, (&Skill, Filled)> = BTreeMap::new();
        for known in &self.knows.roles {
            // Of two roles that the classifier tells apart, it knows better which.
            let trained = self.knows.mind.is_trained(&known.role.name);
            if trained && first != OTHER && first != known.role.name {
                continue;
            }
            let Some((skill, filled)) = best_fit(known, &words) else { continue };
            if let Some(count) = filled.said.filter(|_| skill.action.grammar.is_none()) {
                multiply(&mut scores, &known.role.name, worth(count, filled.exact, trained));
                if !trained {
                    said.insert(&known.role.name, count);
                }
            }
            fits.insert(&known.role.name, (skill, filled));
        }
        let asked = plain(text);
        for known in self.knows.roles.iter().filter(|known| known.examples.contains(&asked)) {
            multiply(&mut scores, &known.role.name, OWN_EXAMPLE);
        }
        if let Some(Turn::Role(role)) = self.experience.correction(text) {
            multiply(&mut scores, role, SAID_SO);
        }
        // What was never measured apart is told apart by what was said, not by a share of examples.
        self.rank(&mut scores, |one, other| said.contains_key(one) && said.get(one) == said.get(other));
        let (role, confidence) = scores.first().cloned().unwrap_or_else(|| (OTHER.to_owned(), 1.0));
        let runner_up = scores.get(1).cloned().unwrap_or_default();
        let known = self.knows.roles.iter().find(|known| known.role.name == role);
        let fitting = fits.remove(role.as_str()).or_else(|| known.and_then(|known| best_fit(known, &words)));
        let fitting = fitting.map(|(skill, filled)| (skill, filled, 0.99));
        let chosen = fitting.or_else(|| self.choose(&role, &words, &judged));
        let said = chosen.as_ref().and_then(|(_, filled, _)| filled.said);
        let whole = chosen.as_ref().is_some_and(|(_, filled, _)| filled.exact || filled.said >= Some(3));
        let (act, missing) = match chosen {
            Some((skill, filled, sure)) => self.act(skill, filled, sure, circumstances),
            None => (None, None),
        };
        Reading { role, confidence, runner_up, act, missing, said, whole }
    }

    /// The call that an action means for a text, whoever else the text may be for.
    pub(crate) fn read_as(
        &self,
        skill: &Skill,
        text: &str,
        circumstances: &Circumstances<'_>,
    ) -> (Option<Act>, Option<Missing>) {
        let words = self.words(text, &[], circumstances, None);
        self.act(skill, words.fill(skill), 0.99, circumstances)
    }

    fn words<'w>(
        &self,
        text: &'w str,
        scores: &[(String, f64)],
        circumstances: &Circumstances<'_>,
        points_to: Option<&'w str>,
    ) -> Words<'w> {
        let share = |names: &[&str]| -> f64 {
            scores.iter().filter(|(role, _)| names.contains(&role.as_str())).map(|(_, share)| share).sum()
        };
        let at_home = share(&["smart_home", "timer", "weather"]) > FAINT;
        Words {
            text,
            now: circumstances.now.clone(),
            slots: slots::find(text, &surroundings(circumstances)),
            heard: self.knows.vocabulary.hear(text),
            points_to,
            command: at_home.then(|| home::understand(text, circumstances.names, None)).flatten(),
            reckoned: reckon::reckon(text, &circumstances.now),
        }
    }

    /// Likeliest first; where two are as likely, the one with the higher priority.
    fn rank(&self, scores: &mut [(String, f64)], alike: impl Fn(&str, &str) -> bool) {
        scores.sort_by(|a, b| b.1.total_cmp(&a.1));
        let priority = |name: &str| self.role(name).map_or(i32::MIN, |role| role.priority);
        if let [first, second, ..] = scores
            && (first.1 - second.1 < 0.01 || alike(&first.0, &second.0))
            && priority(&second.0) > priority(&first.0)
        {
            std::mem::swap(&mut first.0, &mut second.0);
        }
    }

    /// The action of a role that is likeliest by its examples.
    fn choose(&self, role: &str, words: &Words<'_>, judged: &Scores) -> Option<(&Skill, Filled, f64)> {
        if denies(words.text) {
            return None;
        }
        let (name, sure) = self.knows.mind.actions(role, words.text, judged).into_iter().next()?;
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
        let known = self.known(action, &filled.arguments, circumstances);
        let reply = respond(&action.answer, &known, circumstances.seed);
        let (tool, arguments, answer) = match (&action.tool, reply) {
            (Some(tool), answer) => (filled.tool.unwrap_or_else(|| tool.clone()), filled.arguments, answer),
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
        action: &domain::role::RoleAction,
        arguments: &Map<String, Value>,
        circumstances: &Circumstances<'_>,
    ) -> BTreeMap<&'static str, String> {
        let mut known = BTreeMap::new();
        if action.answer.is_empty() {
            return known;
        }
        if let Some(person) = circumstances.person {
            known.insert("name", person.to_owned());
        }
        if action.answer.iter().any(|answer| answer.contains("{skills}")) {
            known.insert("skills", self.skills());
        }
        if let Some(Value::String(text)) = arguments.get("text") {
            known.insert("text", text.clone());
        }
        known
    }
}

impl Words<'_> {
    fn fill(&self, skill: &Skill) -> Filled {
        skill.fill(self.text, &self.now, &self.slots, &self.heard, self.points_to)
    }
}

/// The action of a role whose pattern or grammar accounts for the whole text.
fn best_fit<'k>(known: &'k Known, words: &Words<'_>) -> Option<(&'k Skill, Filled)> {
    let mut best: Option<(&Skill, Filled)> = None;
    for skill in &known.skills {
        let found = match skill.action.grammar {
            Some(Grammar::Home) => words.command.as_ref().and_then(commanded),
            Some(Grammar::Reckoning) => words.reckoned.as_ref().map(reckoned),
            None if !skill.could_fit(&words.heard) => None,
            None => Some(words.fill(skill)).filter(|filled| filled.said.is_some()),
        };
        let Some(filled) = found else { continue };
        let rank = |filled: &Filled| (filled.missing.is_none(), filled.said);
        if best.as_ref().is_none_or(|(_, known)| rank(&filled) > rank(known)) {
            best = Some((skill, filled));
        }
    }
    best
}

/// A command to the house, or a question about a thing it does not have.
fn commanded(command: &Command) -> Option<Filled> {
    if command.role() != "smart_home" {
        return None;
    }
    if let Some(unknown) = &command.unknown {
        let question = format!("There is nothing called “{unknown}” here. Which device do you mean?");
        let missing = Missing { parameters: vec![unknown.clone()], question };
        return Some(Filled {
            said: Some(GRAMMAR),
            exact: false,
            tool: None,
            arguments: Map::new(),
            missing: Some(missing),
        });
    }
    let (tool, arguments) = command.call()?;
    let Value::Object(arguments) = arguments else { return None };
    let target = &command.target;
    let nowhere = target.name.is_none() && target.area.is_none() && target.floor.is_none() && !target.all;
    if nowhere && matches!(command.act, home::Act::Set(home::Setting::Brightness(_) | home::Setting::Colour(_))) {
        let missing = Missing { parameters: vec![String::new()], question: "Which light do you mean?".to_owned() };
        return Some(Filled { said: Some(GRAMMAR), exact: false, tool: None, arguments, missing: Some(missing) });
    }
    Some(Filled { said: Some(GRAMMAR), exact: false, tool: tool.parse().ok(), arguments, missing: None })
}

fn reckoned(reckoned: &Reckoned) -> Filled {
    let arguments = Map::from_iter([("text".to_owned(), json!(reckoned.answer))]);
    Filled { said: Some(GRAMMAR), exact: true, tool: None, arguments, missing: None }
}

/// The role that a command to the house speaks for, and how much: as often as it is right about it.
fn spoken_for(command: &Command) -> Option<(&'static str, f64)> {
    use home::Act::{
        Ask, Broadcast, Date, List, Machine, Media, Nevermind, Play, Respond, Set, Switch, Time, Timer, Weather,
    };
    let odds = match &command.act {
        Ask(_) if command.unknown.is_some() => 8.0,
        _ if command.unknown.is_some() => 3.0,
        Media(home::Media::Previous) => 40.0,
        Switch(_) | Set(_) | Ask(_) | Machine(_) | Broadcast(_) => 40.0,
        Timer(_) => 20.0,
        Weather | Time | Date => 4.0,
        Play { .. } | List { .. } => 4.0,
        // Music is the house's business for some and not for others; small talk is the classifier's.
        Media(_) | Nevermind | Respond => return None,
    };
    Some((command.role(), odds))
}

/// A text as it is compared with examples: letters, digits and spaces.
pub(crate) fn plain(text: &str) -> String {
    let kept = text.chars().filter(|c| c.is_alphanumeric() || c.is_whitespace()).flat_map(char::to_lowercase);
    kept.collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// How much a fitting pattern speaks for its role: one word and a gap say nothing, as they fit almost everything. What
/// the classifier was trained for it knows better than a short sentence.
fn worth(said: usize, exact: bool, trained: bool) -> f64 {
    match (trained, said, exact) {
        (_, 0, _) | (false, 1, _) | (true, 1..=2, false) => 1.0,
        (true, 3, false) | (true, 1..=2, true) => 6.0,
        (false, 2, _) => 20.0,
        (true, 3, true) => 10.0,
        (true, _, _) => 40.0,
        (false, _, _) => 200.0,
    }
}

/// Multiplies a role's odds; the others share what is left as before.
fn multiply(scores: &mut Vec<(String, f64)>, role: &str, odds: f64) {
    let at = scores.iter().position(|(name, _)| name == role).unwrap_or_else(|| {
        scores.push((role.to_owned(), 0.02));
        scores.len() - 1
    });
    let before = scores[at].1.clamp(0.005, 0.9999);
    let after = before * odds / (before * odds + (1.0 - before));
    let rest = (1.0 - after) / (1.0 - before);
    for (place, score) in scores.iter_mut().enumerate() {
        score.1 = if place == at { after } else { score.1 * rest };
    }
}
