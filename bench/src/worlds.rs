//! Worlds of made-up traces in which it is known what matters: some marks change the chance of success, others only go
//! along with them, and kinds of agents, problems, tasks and systems differ in how well they do and in which tools they use.

pub mod plant;
pub mod score;

use domain::id::TraceId;
use domain::score::Score;
use domain::symbol::Symbol;
use domain::trace::{CallEnd, Move, Sketch, Source, Trouble};

use self::plant::Plant;
use crate::dice::Dice;

const AGENTS: usize = 3;
const PROBLEMS: usize = 4;
const TASKS: usize = 5;
const SYSTEMS: usize = 2;
/// How many tools there are.
pub const TOOLS: usize = 20;

/// How a world is made.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// Chance, from which all else follows.
    pub seed: u64,
    /// How many traces.
    pub traces: usize,
    /// Whether anything matters. Where nothing does, the rest is as it is elsewhere.
    pub planted: bool,
    /// How many calls a trace has on average, besides those that are planted.
    pub calls: u64,
}

/// A world.
pub struct World {
    /// What happened.
    pub sketches: Vec<Sketch>,
    /// What matters.
    pub plants: Vec<Plant>,
}

/// What is so of everything with one agent, problem and task.
struct Kind {
    /// How well it goes, in log odds.
    base: f64,
    /// How much each tool is used, summed up.
    uses: Vec<f64>,
    /// How long it takes, as a logarithm.
    length: f64,
}

/// Makes a world.
pub fn world(shape: &Shape) -> World {
    let mut dice = Dice::new(shape.seed.wrapping_mul(0x5851_f42d_4c95_7f2d));
    let plants = plant::plants(&mut dice);
    let agents: Vec<f64> = (0..AGENTS).map(|_| 0.7 * normal(&mut dice)).collect();
    let problems: Vec<f64> = (0..PROBLEMS).map(|_| 0.7 * normal(&mut dice)).collect();
    let systems: Vec<f64> = (0..SYSTEMS).map(|_| 0.4 * normal(&mut dice)).collect();
    let habits = |dice: &mut Dice, how_many: usize| -> Vec<Vec<f64>> {
        (0..how_many).map(|_| (0..TOOLS).map(|_| 0.5 * normal(dice)).collect()).collect()
    };
    let (of_agents, of_problems, of_systems) =
        (habits(&mut dice, AGENTS), habits(&mut dice, PROBLEMS), habits(&mut dice, SYSTEMS));
    let mut kinds = Vec::new();
    for agent in 0..AGENTS {
        for problem in 0..PROBLEMS {
            for _ in 0..TASKS {
                let (hard, length) = (0.4 * normal(&mut dice), 2.0 + 0.7 * normal(&mut dice));
                let own = habits(&mut dice, 1);
                for system in 0..SYSTEMS {
                    let mut sum = 0.0;
                    let uses = (0..TOOLS).map(|tool| {
                        let liked = of_agents[agent][tool]
                            + of_problems[problem][tool]
                            + of_systems[system][tool]
                            + own[0][tool];
                        sum += liked.exp();
                        sum
                    });
                    let uses = uses.collect();
                    kinds.push(Kind {
                        base: 0.2 + agents[agent] + problems[problem] + systems[system] + hard,
                        uses,
                        length,
                    });
                }
            }
        }
    }
    let sketches = (0..shape.traces).map(|n| trace(shape, &mut dice, &kinds, &plants, n)).collect();
    World { sketches, plants: if shape.planted { plants } else { Vec::new() } }
}

fn trace(shape: &Shape, dice: &mut Dice, kinds: &[Kind], plants: &[Plant], n: usize) -> Sketch {
    let at = dice.below(kinds.len() as u64) as usize;
    let kind = &kinds[at];
    let (task, system) = (at / SYSTEMS, at % SYSTEMS);
    let (agent, problem) = (task / TASKS / PROBLEMS, task / TASKS % PROBLEMS);
    let mut calls: Vec<Symbol> =
        (0..shape.calls / 2 + dice.below(shape.calls + 1)).map(|_| any_tool(dice, kind)).collect();
    let mut moves = Vec::new();
    for plant in plants {
        plant.put(dice, agent, &mut calls, &mut moves);
    }
    moves.extend(calls.into_iter().map(|tool| {
        let (length, fails) = (dice.below(500) as u32, unit(dice) < 0.04);
        call(tool, if fails { CallEnd::Failed(any_trouble(dice)) } else { CallEnd::Done }, length)
    }));
    plants.iter().for_each(|plant| plant.spoil(dice, &mut moves));
    if unit(dice) < 0.3 {
        let confidence = Some(Score::nearest(unit(dice)));
        moves.push(Move::Thought { what: Symbol::of("assess"), length: 40, confidence, cues: Vec::new() });
    }
    let longer = normal(dice);
    let mut sketch = Sketch {
        trace: id(n),
        source: Source::import(if n % 3 == 0 { "world-a" } else { "world-b" }),
        agent: Symbol::of(&format!("agent-{agent}")),
        problem: Symbol::of(&format!("problem-{problem}")),
        task: Some(Symbol::of(&format!("task-{task}"))),
        system: Some(Symbol::of(&format!("system-{system}"))),
        user: Some(Symbol::of(&format!("user-{}", dice.below(50)))),
        success: None,
        moves,
        seconds: Some((kind.length + 0.8 * longer).exp()),
        usd: Some((0.5 * normal(dice) - 4.0).exp()),
        lessons: Vec::new(),
        trials: Vec::new(),
    };
    let matters: f64 = match shape.planted {
        true => plant::log_odds(plants, &sketch, longer),
        false => 0.0,
    };
    sketch.success = Some(unit(dice) < 1.0 / (1.0 + (-kind.base - matters).exp()));
    sketch
}

fn id(n: usize) -> TraceId {
    // Letters and digits are always an id.
    format!("w{n:07}").parse().unwrap_or_else(|_| TraceId::of_run(domain::id::RunId::of_intent(&n.to_string())))
}

/// A call as traces have it.
pub fn call(tool: Symbol, ended: CallEnd, length: u32) -> Move {
    Move::Call { tool, by: None, keys: Vec::new(), cues: Vec::new(), ended, length, millis: None }
}

/// The tool with a number.
pub fn tool(number: usize) -> Symbol {
    Symbol::of(&format!("tool.t{number:02}"))
}

fn any_tool(dice: &mut Dice, kind: &Kind) -> Symbol {
    let thrown = unit(dice) * kind.uses.last().copied().unwrap_or_default();
    tool(kind.uses.iter().position(|sum| thrown < *sum).unwrap_or(TOOLS - 1))
}

fn any_trouble(dice: &mut Dice) -> Trouble {
    [Trouble::NotFound, Trouble::BadArguments, Trouble::TimedOut, Trouble::Other][dice.below(4) as usize]
}

/// A number from 0 to 1.
pub fn unit(dice: &mut Dice) -> f64 {
    (dice.any() >> 11) as f64 / (1u64 << 53) as f64
}

/// A number that is mostly near nothing.
pub fn normal(dice: &mut Dice) -> f64 {
    let (radius, angle) = ((1.0 - unit(dice)).ln() * -2.0, unit(dice) * std::f64::consts::TAU);
    radius.sqrt() * angle.cos()
}
