//! What plans with holes have in common: the same steps, the same fixed values, and in each hole the sources that explain
//! all of them.

use std::collections::BTreeSet;

use domain::skill::{Lifted, Source, TextPiece};
use serde_json::Value;

/// What plans of the same columns have in common, each with what it is when filled; nothing where they differ in something
/// that no column explains.
pub(super) fn meet(plans: &[(&Lifted, &Value)]) -> Option<Lifted> {
    let (first, value) = plans.first()?;
    let same = match first {
        Lifted::Fixed(_) => None,
        Lifted::Request => plans.iter().all(|(plan, _)| **plan == Lifted::Request).then_some(Lifted::Request),
        Lifted::Hole(_) => shared(plans.iter().map(|(plan, _)| match plan {
            Lifted::Hole(sources) => Some(sources),
            _ => None,
        }))
        .map(Lifted::Hole),
        Lifted::Text(pieces) => text(pieces.len(), plans),
        Lifted::List(items) => list(items.len(), plans),
        Lifted::Fields(fields) => object(fields, plans),
    };
    // What never changes needs no explanation, whatever it looks like.
    let constant = || plans.iter().all(|(_, other)| *other == *value).then(|| fixed(value));
    same.or_else(constant)
}

/// A plan with no more sources than it had before, of those holes that it had before.
pub(super) fn narrow(plan: &mut Lifted, before: &Lifted) {
    let keep = |sources: &mut BTreeSet<Source>, before: &BTreeSet<Source>| {
        let both: BTreeSet<Source> = sources.intersection(before).copied().collect();
        if !both.is_empty() {
            *sources = both;
        }
    };
    match (plan, before) {
        (Lifted::Hole(sources), Lifted::Hole(before)) => keep(sources, before),
        (Lifted::Text(pieces), Lifted::Text(before)) if pieces.len() == before.len() => {
            for pair in pieces.iter_mut().zip(before) {
                if let (TextPiece::Hole(sources), TextPiece::Hole(before)) = pair {
                    keep(sources, before);
                }
            }
        }
        (Lifted::List(items), Lifted::List(before)) => {
            items.iter_mut().zip(before).for_each(|(item, before)| narrow(item, before));
        }
        (Lifted::Fields(fields), Lifted::Fields(before)) => {
            fields.iter_mut().zip(before).for_each(|((_, field), (_, before))| narrow(field, before));
        }
        _ => {}
    }
}

fn shared<'s>(mut all: impl Iterator<Item = Option<&'s BTreeSet<Source>>>) -> Option<BTreeSet<Source>> {
    let first = all.next()??.clone();
    let common = all.try_fold(first, |common, sources| Some(common.intersection(sources?).copied().collect()))?;
    (!common.is_empty()).then_some(common)
}

fn text(length: usize, plans: &[(&Lifted, &Value)]) -> Option<Lifted> {
    let pieces = |plan: &&Lifted| match plan {
        Lifted::Text(pieces) if pieces.len() == length => Some(pieces.clone()),
        _ => None,
    };
    let texts: Vec<Vec<TextPiece>> = plans.iter().map(|(plan, _)| pieces(plan)).collect::<Option<_>>()?;
    let piece = |at: usize| match &texts[0][at] {
        words @ TextPiece::Words(_) => texts.iter().all(|text| text[at] == *words).then(|| words.clone()),
        TextPiece::Hole(_) => shared(texts.iter().map(|text| match &text[at] {
            TextPiece::Hole(sources) => Some(sources),
            TextPiece::Words(_) => None,
        }))
        .map(TextPiece::Hole),
    };
    (0..length).map(piece).collect::<Option<_>>().map(Lifted::Text)
}

fn list(length: usize, plans: &[(&Lifted, &Value)]) -> Option<Lifted> {
    let item = |at: usize| {
        let items = plans.iter().map(|(plan, value)| match plan {
            Lifted::List(items) if items.len() == length => Some((&items[at], &value[at])),
            _ => None,
        });
        meet(&items.collect::<Option<Vec<_>>>()?)
    };
    (0..length).map(item).collect::<Option<_>>().map(Lifted::List)
}

fn object(fields: &[(String, Lifted)], plans: &[(&Lifted, &Value)]) -> Option<Lifted> {
    let alike = |plan: &&Lifted| matches!(plan, Lifted::Fields(others) if others.len() == fields.len());
    if !plans.iter().all(|(plan, _)| alike(plan)) {
        return None;
    }
    // The goal of a call or of a whole plan is told to people and followed by nobody: where planners put it in words of
    // their own, the request says it as well.
    let told = |name: &str| {
        matches!(name, "goal" | "expects") && fields.iter().any(|(other, _)| other == "tool" || other == "steps")
    };
    let field = |name: &String| {
        let same = plans.iter().map(|(plan, value)| Some((plan.get(name)?, value.get(name)?)));
        let met = meet(&same.collect::<Option<Vec<_>>>()?).or_else(|| told(name).then_some(Lifted::Request))?;
        Some((name.clone(), met))
    };
    fields.iter().map(|(name, _)| field(name)).collect::<Option<_>>().map(Lifted::Fields)
}

/// A value without holes, taken apart as plans are.
fn fixed(value: &Value) -> Lifted {
    match value {
        Value::Array(items) => Lifted::List(items.iter().map(fixed).collect()),
        Value::Object(fields) => {
            Lifted::Fields(fields.iter().map(|(name, field)| (name.clone(), fixed(field))).collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Lifted::Fixed(value.clone()),
    }
}
