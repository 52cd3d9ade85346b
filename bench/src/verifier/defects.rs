//! Defects, planted in plans that have none. Each says under which code it has to be found.

mod form;
mod meaning;

use domain::finding::Code;
use domain::tool::ToolSpec;
use serde_json::Value;

use super::Circumstances;
use super::toolset::Toolset;
use crate::dice::Dice;

/// A kind of defect.
pub struct Defect {
    /// What it is called in figures.
    pub name: &'static str,
    /// Plants it, where it can be, and says how it has to be found.
    pub plant: Plant,
}

/// How a defect is planted.
pub type Plant = fn(&Toolset, &mut Dice, &mut Value, &mut Circumstances) -> Option<Code>;

/// All kinds.
pub fn all() -> impl Iterator<Item = &'static Defect> {
    form::DEFECTS.iter().chain(meaning::DEFECTS)
}

fn at(dice: &mut Dice, length: usize) -> usize {
    dice.below(length as u64) as usize
}

fn steps(plan: &mut Value) -> &mut Vec<Value> {
    plan["steps"].as_array_mut().expect("a thrown plan has steps")
}

fn step<'p>(dice: &mut Dice, plan: &'p mut Value) -> &'p mut Value {
    let steps = steps(plan);
    let at = at(dice, steps.len());
    &mut steps[at]
}

/// A direct call of a tool that fits.
fn call<'p, 's>(
    set: &'s Toolset,
    dice: &mut Dice,
    plan: &'p mut Value,
    fits: impl Fn(&ToolSpec) -> bool,
) -> Option<(&'p mut Value, &'s ToolSpec)> {
    let spec = |step: &Value| set.specs.iter().find(|spec| step["tool"] == spec.name.as_str());
    let fitting = |step: &Value| spec(step).is_some_and(&fits);
    let calls: Vec<usize> = (0..steps(plan).len()).filter(|at| fitting(&steps(plan)[*at])).collect();
    let at = *calls.get(at(dice, calls.len()))?;
    let step = &mut steps(plan)[at];
    let spec = spec(step)?;
    Some((step, spec))
}

/// The arguments of a call, and the name of one that is given and fits.
fn argument<'p>(
    set: &Toolset,
    dice: &mut Dice,
    plan: &'p mut Value,
    fits: impl Fn(&str, &Value) -> bool,
) -> Option<(&'p mut Value, String)> {
    let fitting = |step: &Value, spec: &ToolSpec| -> Option<String> {
        let given = step["arguments"].as_object()?;
        let name = given.keys().find(|name| fits(name, &spec.parameters["properties"][name.as_str()]))?;
        Some(name.clone())
    };
    let calls: Vec<(usize, String)> = steps(plan)
        .iter()
        .enumerate()
        .filter_map(|(at, step)| {
            let spec = set.specs.iter().find(|spec| step["tool"] == spec.name.as_str())?;
            Some((at, fitting(step, spec)?))
        })
        .collect();
    let (at, name) = calls.get(at(dice, calls.len()))?.clone();
    Some((&mut steps(plan)[at]["arguments"], name))
}
