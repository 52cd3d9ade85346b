//! What matters in a world, and what only goes along with it.

use domain::pattern::{Family, Mark};
use domain::symbol::Symbol;
use domain::trace::{CallEnd, Move, Sketch, Trouble};
use learn::marks;

use super::{TOOLS, tool, unit};
use crate::dice::Dice;

/// So many deviations above the middle begins the uppermost quarter.
const UPPER_QUARTER: f64 = 0.674_49;

/// Something that changes the chance of success.
#[derive(Debug, Clone)]
pub struct Plant {
    /// What is so.
    pub mark: Mark,
    /// For which kind of agent; for all where absent.
    pub agent: Option<usize>,
    /// By how much, in log odds.
    pub log_odds: f64,
    /// How often it is put into a trace.
    often: f64,
    /// A tool that mostly comes along with it, and does nothing.
    shadow: Option<Symbol>,
}

/// One world's: two sequences that are good, two that are bad, an ending, a tool, a failure, a failure after a certain
/// call, a way of thinking, and taking long. One of the sequences matters for one kind of agent only.
pub fn plants(dice: &mut Dice) -> Vec<Plant> {
    let mut numbers: Vec<usize> = (0..TOOLS).collect();
    for at in (1..numbers.len()).rev() {
        numbers.swap(at, dice.below(at as u64 + 1) as usize);
    }
    let mut next = || tool(numbers.pop().unwrap_or_default());
    let (pair, triple, bad, of_one) = ([next(), next()], [next(), next(), next()], [next(), next()], [next(), next()]);
    let (ending, single, broken, after) = ([next(), next()], next(), next(), [next(), next()]);
    let mut shadow = || Some(next());
    let shadows = [shadow(), shadow(), shadow()];
    let whole = |family, name: &str| Mark::Trait { family, name: Symbol::of(name), tool: None };
    let thinking = whole(Family::Thinking, if dice.below(2) == 0 { "plans_anew" } else { "thinks_first" });
    let sign = if dice.below(2) == 0 { 1.0 } else { -1.0 };
    let agent = Some(dice.below(super::AGENTS as u64) as usize);
    let [first, second, third] = shadows;
    let sequence = |tools: &[Symbol]| Mark::Sequence { tools: tools.to_vec() };
    let fails = |tool: &Symbol, trouble, after| Mark::Fails { tool: tool.clone(), trouble, after };
    let mut plant = |mark, log_odds: f64, often, shadow, agent| Plant {
        mark,
        agent,
        log_odds: log_odds * (0.85 + 0.3 * unit(dice)),
        often,
        shadow,
    };
    vec![
        plant(sequence(&pair), 1.3, 0.15, first, None),
        plant(sequence(&triple), 1.4, 0.15, None, None),
        plant(sequence(&bad), -1.3, 0.15, second, None),
        plant(sequence(&of_one), -1.9, 0.3, None, agent),
        plant(Mark::Ends { tools: ending.to_vec() }, 1.3, 0.15, None, None),
        plant(Mark::Calls { tool: single }, sign, 0.2, None, None),
        plant(fails(&broken, Trouble::Denied, None), -1.5, 0.12, third, None),
        plant(fails(&after[1], Trouble::Unavailable, Some(after[0].clone())), -1.5, 0.12, None, None),
        plant(thinking, sign, 0.3, None, None),
        plant(whole(Family::Performance, "slower_than_most"), -1.0, 0.0, None, None),
    ]
}

/// What everything that is so of a trace comes to.
pub fn log_odds(plants: &[Plant], sketch: &Sketch, longer: f64) -> f64 {
    let borne = marks(sketch);
    let so = |plant: &&Plant| {
        let whose = plant.agent.is_none_or(|agent| sketch.agent.as_str() == format!("agent-{agent}"));
        whose
            && match &plant.mark {
                Mark::Fails { tool, trouble, after: None } => borne.iter().any(
                    |mark| matches!(mark, Mark::Fails { tool: t, trouble: why, .. } if t == tool && why == trouble),
                ),
                Mark::Trait { name, .. } if name.as_str() == "slower_than_most" => longer > UPPER_QUARTER,
                other => borne.contains(other),
            }
    };
    plants.iter().filter(so).map(|plant| plant.log_odds).sum()
}

impl Plant {
    /// Puts it into some traces, whether or not it matters there.
    pub(super) fn put(&self, dice: &mut Dice, calls: &mut Vec<Symbol>, moves: &mut Vec<Move>) {
        self.put_part(dice, calls);
        if unit(dice) >= self.often {
            return;
        }
        let at = dice.below(calls.len() as u64 + 1) as usize;
        match &self.mark {
            Mark::Sequence { tools } => drop(calls.splice(at..at, tools.iter().cloned())),
            Mark::Ends { tools } => calls.extend(tools.iter().cloned()),
            Mark::Calls { tool } => calls.insert(at, tool.clone()),
            Mark::Fails { tool, after, .. } => drop(calls.splice(at..at, after.iter().chain([tool]).cloned())),
            Mark::Trait { family: Family::Thinking, name, .. } => {
                let what = Symbol::of(if name.as_str() == "plans_anew" { "replan" } else { "plan" });
                moves.push(Move::Thought { what, by: None, length: 80, confidence: None, cues: Vec::new() });
            }
            Mark::Trait { .. } => {}
        }
        if let Some(shadow) = self.shadow.as_ref().filter(|_| unit(dice) < 0.7) {
            let at = dice.below(calls.len() as u64 + 1) as usize;
            calls.insert(at, shadow.clone());
        }
    }

    /// Puts a part of it into other traces, where it does nothing.
    fn put_part(&self, dice: &mut Dice, calls: &mut Vec<Symbol>) {
        let (Mark::Sequence { tools } | Mark::Ends { tools }) = &self.mark else { return };
        if unit(dice) < 0.15 {
            let at = dice.below(calls.len() as u64 + 1) as usize;
            let part = if dice.below(2) == 0 { &tools[1..] } else { &tools[..tools.len() - 1] };
            calls.splice(at..at, part.iter().cloned());
        }
    }

    /// Lets calls fail in its way, and in ways that do nothing.
    pub(super) fn spoil(&self, dice: &mut Dice, moves: &mut [Move]) {
        let Mark::Fails { tool, trouble, after } = &self.mark else { return };
        let mut before: Option<Symbol> = None;
        for step in moves {
            let Move::Call { tool: called, ended, .. } = step else { continue };
            if called == tool {
                let here = after.is_none() || *after == before;
                match unit(dice) {
                    thrown if thrown < if here { 0.6 } else { 0.2 } => *ended = CallEnd::Failed(*trouble),
                    thrown if thrown > 0.75 => *ended = CallEnd::Failed(Trouble::BadArguments),
                    _ => {}
                }
            }
            before = Some(called.clone());
        }
    }
}
