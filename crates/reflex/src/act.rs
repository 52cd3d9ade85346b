//! From a request and a role to a call: which action is meant, and which values of the request it takes.

use std::collections::BTreeMap;

use domain::id::ToolName;
use domain::name::NameKind;
use domain::role::{Parameter, ParameterKind, RoleAction};
use domain::route::Missing;
use jiff::{SignedDuration, Span, Zoned};
use serde_json::{Map, Value};

use crate::pattern::{BadPattern, Gate, Heard, Pattern, Sentence, Vocabulary};
use crate::slots::{Kind, Slot, without};

/// An action that can be recognised.
#[derive(Debug, Clone)]
pub(crate) struct Skill {
    pub(crate) action: RoleAction,
    patterns: Vec<(Pattern, Gate)>,
}

/// An action with what the request says about it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Filled {
    /// How many words of a pattern were said; none where no pattern fits.
    pub(crate) said: Option<usize>,
    /// Whether the pattern says every word of the request itself, and leaves none to a gap.
    pub(crate) exact: bool,
    /// Another tool than the action's, where a grammar decides.
    pub(crate) tool: Option<ToolName>,
    pub(crate) arguments: Map<String, Value>,
    pub(crate) missing: Option<Missing>,
}

impl Skill {
    /// An action with the parameters of its role.
    pub(crate) fn new(
        mut action: RoleAction,
        shared: &BTreeMap<String, Parameter>,
        vocabulary: &mut Vocabulary,
    ) -> Result<Self, BadPattern> {
        let mut patterns = Vec::new();
        for source in &action.patterns {
            let pattern = Pattern::parse(source)?;
            let gate = vocabulary.gate(&pattern);
            patterns.push((pattern, gate));
        }
        for (name, parameter) in shared {
            action.parameters.entry(name.clone()).or_insert_with(|| parameter.clone());
        }
        Ok(Self { action, patterns })
    }

    /// A name that its patterns or needs mention and no parameter has.
    pub(crate) fn stray_name(&self) -> Option<String> {
        let gaps = self.patterns.iter().flat_map(|(pattern, _)| pattern.gaps());
        let needs = self.action.need.iter().flatten().map(String::as_str);
        let known = |name: &&str| self.action.parameters.contains_key(*name);
        // A reply may be asked for in words that nobody keeps.
        let gaps = gaps.filter(|_| self.action.tool.is_some());
        gaps.chain(needs).find(|name| !known(name)).map(str::to_owned)
    }

    /// Whether one of its patterns could fit.
    pub(crate) fn could_fit(&self, heard: &Heard) -> bool {
        self.patterns.iter().any(|(_, gate)| gate.opens(heard))
    }

    /// The call that a request means if it means this action.
    pub(crate) fn fill(
        &self,
        text: &str,
        now: &Zoned,
        slots: &[Slot],
        heard: &Heard,
        points_to: Option<&str>,
    ) -> Filled {
        let mut taken = Vec::new();
        let mut arguments = self.action.arguments.clone();
        let mut doubt = None;
        for (name, parameter) in &self.action.parameters {
            let Some((slot, value)) = value_of(parameter, slots, &taken) else { continue };
            if !taken.iter().any(|known: &&Slot| known.span == slot.span) {
                taken.push(slot);
            }
            match slot.doubt.clone().or_else(|| impossible(parameter.kind, &value, now)) {
                Some(mut question) => {
                    if !question.ends_with('?') {
                        question.push_str(" What do you mean?");
                    }
                    doubt = Some(Missing { parameters: vec![name.clone()], question });
                }
                None => drop(arguments.insert(name.clone(), value)),
            }
        }
        if let Some((name, question)) = self.several(slots, &taken).filter(|_| doubt.is_none()) {
            arguments.remove(&name);
            doubt = Some(Missing { parameters: vec![name], question });
        }
        taken.sort_by_key(|slot| slot.span.start);
        let fit = self.fit(text, &taken, heard);
        for (name, parameter) in &self.action.parameters {
            let value = match parameter.kind {
                ParameterKind::Words | ParameterKind::Quoted => {
                    fit.as_ref().and_then(|fit| fit.gaps.get(name).cloned())
                }
                ParameterKind::Request => Some(text.to_owned()),
                ParameterKind::Reference | ParameterKind::Place => points_to.map(str::to_owned),
                _ => None,
            };
            if let Some(value) = value.filter(|words| !words.is_empty()) {
                arguments.entry(name.clone()).or_insert(Value::String(value));
            }
        }
        let missing = doubt.or_else(|| self.missing(&arguments));
        let exact = fit.as_ref().is_some_and(|fit| fit.gaps.is_empty());
        Filled { said: fit.map(|fit| fit.said), exact, tool: None, arguments, missing }
    }

    /// The best fit of a pattern, to the request without the values that were taken from it, or with them.
    fn fit(&self, text: &str, taken: &[&Slot], heard: &Heard) -> Option<crate::pattern::Fit> {
        let open: Vec<&Pattern> =
            self.patterns.iter().filter(|(_, gate)| gate.opens(heard)).map(|(pattern, _)| pattern).collect();
        if open.is_empty() {
            return None;
        }
        let best = |text: &str| {
            let sentence = Sentence::new(text);
            let fits = open.iter().filter_map(|pattern| pattern.fit(&sentence));
            // Nothing is called `do not set a`.
            fits.filter(|fit| !fit.gaps.values().any(|gap| denies(gap) && text.starts_with(gap.as_str())))
                .filter(|fit| fit.gaps.iter().all(|(name, gap)| self.could_be(name, gap)))
                .max_by_key(|fit| fit.said)
        };
        best(&without(text, taken)).or_else(|| if taken.is_empty() { None } else { best(text) })
    }

    /// A time of which the request names two, and only one can be meant.
    fn several(&self, slots: &[Slot], taken: &[&Slot]) -> Option<(String, String)> {
        let times = [(Kind::Duration, "How long do you mean"), (Kind::Moment, "Which time do you mean")];
        let (kind, question) = times.into_iter().find(|(kind, _)| {
            let named = slots.iter().filter(|slot| slot.kind == *kind).count();
            let wanted = taken.iter().filter(|slot| slot.kind == *kind).count();
            wanted > 0 && named > wanted
        })?;
        let takes = |parameter: &Parameter| value_of(parameter, slots, &[]).is_some_and(|(slot, _)| slot.kind == kind);
        let name = self.action.parameters.iter().find(|(_, parameter)| takes(parameter))?.0.clone();
        Some((name, format!("{question}? The request names several, and I can do one at a time.")))
    }

    /// Whether words can stand in a gap: nothing is called `the`, and no name is a sentence.
    fn could_be(&self, name: &str, gap: &str) -> bool {
        let words: Vec<&str> = gap.split_whitespace().collect();
        let article =
            |word: &&str| ["the", "a", "an", "my", "this", "that", "your"].contains(&word.to_lowercase().as_str());
        let is_name = self.action.parameters.get(name).is_some_and(|parameter| parameter.kind == ParameterKind::Quoted);
        !words.iter().all(article) && !(is_name && (words.len() > 4 || words.contains(&"and")))
    }

    /// What has to be asked.
    pub(crate) fn missing(&self, arguments: &Map<String, Value>) -> Option<Missing> {
        let known = |name: &String| arguments.get(name).is_some_and(|value| !value.is_null());
        let mut required = self.action.parameters.iter().filter(|(_, parameter)| parameter.required);
        if let Some((name, parameter)) = required.find(|(name, _)| !known(name)) {
            let question = parameter.ask.clone().or_else(|| self.action.ask.clone());
            let question = question.unwrap_or_else(|| format!("What should the {name} be?"));
            return Some(Missing { parameters: vec![name.clone()], question });
        }
        let group = self.action.need.iter().find(|group| !group.iter().any(known))?;
        let question =
            self.action.ask.clone().unwrap_or_else(|| format!("What should the {} be?", group.join(" or the ")));
        Some(Missing { parameters: group.clone(), question })
    }

    /// Takes what was missing from an answer. Says whether it was there.
    pub(crate) fn answer(
        &self,
        missing: &Missing,
        text: &str,
        now: &Zoned,
        slots: &[Slot],
        arguments: &mut Map<String, Value>,
    ) -> bool {
        let mut found = false;
        for name in &missing.parameters {
            let Some(parameter) = self.action.parameters.get(name) else { continue };
            let value = match parameter.kind {
                ParameterKind::Words | ParameterKind::Request | ParameterKind::Reference | ParameterKind::Quoted => {
                    Some(Value::String(text.trim().to_owned()))
                }
                ParameterKind::Place | ParameterKind::Thing => {
                    let named = value_of(parameter, slots, &[]).map(|(_, value)| value);
                    Some(named.unwrap_or_else(|| Value::String(text.trim().to_owned())))
                }
                kind => value_of(parameter, slots, &[])
                    .filter(|(slot, value)| slot.doubt.is_none() && impossible(kind, value, now).is_none())
                    .map(|(_, value)| value),
            };
            if let Some(value) = value {
                arguments.insert(name.clone(), value);
                found = true;
            }
        }
        found
    }
}

/// Whether a text begins by saying what is not wanted.
pub(crate) fn denies(text: &str) -> bool {
    let lower = text.trim_start().to_lowercase().replace('’', "'");
    let rest = lower.strip_prefix("please ").unwrap_or(&lower);
    let mut words = rest.split_whitespace();
    let first = (words.next(), words.next());
    match first {
        (Some("do" | "you" | "must" | "should"), Some("not")) => words.next() != Some("forget"),
        (Some("don't" | "dont" | "never" | "not"), next) => next != Some("forget"),
        _ => false,
    }
}

/// Why a value that was named cannot be meant: nothing can be rung for in the past, or for no time at all.
fn impossible(kind: ParameterKind, value: &Value, now: &Zoned) -> Option<String> {
    let text = value.as_str()?;
    match kind {
        ParameterKind::Duration => {
            let span: Span = text.parse().ok()?;
            span.is_zero().then(|| "That is no time at all. How long should it be?".to_owned())
        }
        ParameterKind::Moment => {
            let moment: Zoned = text.parse().ok()?;
            let past = moment.timestamp() < now.timestamp() - SignedDuration::from_mins(1);
            past.then(|| "That has passed already. When should it be?".to_owned())
        }
        _ => None,
    }
}

/// The first value of a kind that a parameter takes and no other has taken.
fn value_of<'s>(parameter: &Parameter, slots: &'s [Slot], taken: &[&Slot]) -> Option<(&'s Slot, Value)> {
    let whole = |slot: &Slot| Some(slot.value.clone());
    let part = |name: &'static str| move |slot: &Slot| slot.value.get(name).cloned();
    type Take<'t> = &'t dyn Fn(&Slot) -> Option<Value>;
    // Outside is wherever the person is.
    let on_a_map = |slot: &Slot| whole(slot).filter(|place| !matches!(place.as_str(), Some("outside" | "outdoors")));
    let from_range = part("from");
    let to_range = part("to");
    let name = part("name");
    let kinds: &[(Kind, Take<'_>)] = match parameter.kind {
        ParameterKind::Words | ParameterKind::Request | ParameterKind::Reference => return None,
        ParameterKind::Duration => &[(Kind::Duration, &whole)],
        ParameterKind::Moment => &[(Kind::Moment, &whole)],
        ParameterKind::Date => &[(Kind::Date, &whole), (Kind::Moment, &whole)],
        ParameterKind::From => &[(Kind::Range, &from_range), (Kind::Moment, &whole), (Kind::Date, &whole)],
        ParameterKind::To => &[(Kind::Range, &to_range), (Kind::Date, &whole)],
        ParameterKind::Recurrence => &[(Kind::Recurrence, &whole)],
        ParameterKind::Number => &[(Kind::Number, &whole), (Kind::Percent, &whole)],
        ParameterKind::Percent => &[(Kind::Percent, &whole)],
        ParameterKind::Place => &[(Kind::Place, &on_a_map)],
        ParameterKind::Thing => &[(Kind::Thing, &name)],
        ParameterKind::Quoted => &[(Kind::Quoted, &whole)],
    };
    // The two ends of a stretch of time come from one slot.
    let shared = matches!(parameter.kind, ParameterKind::From | ParameterKind::To);
    let free = |slot: &&Slot| shared || !taken.iter().any(|other| other.span == slot.span);
    kinds.iter().find_map(|(kind, take)| {
        let mut of_kind = slots.iter().filter(|slot| slot.kind == *kind && is_of(parameter.of, slot)).filter(free);
        of_kind.find_map(|slot| match &slot.doubt {
            Some(_) => Some((slot, Value::Null)),
            None => take(slot).filter(|value| !value.is_null()).map(|value| (slot, value)),
        })
    })
}

fn is_of(kind: Option<NameKind>, slot: &Slot) -> bool {
    kind.is_none_or(|kind| serde_json::to_value(kind).is_ok_and(|kind| slot.value.get("kind") == Some(&kind)))
}
