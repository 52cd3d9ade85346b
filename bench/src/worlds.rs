//! Worlds of made-up traces in which it is known what matters: some marks change the chance of success, others only go
//! along with them, and kinds of agents, problems, tasks and systems differ in how well they do and in which tools they use.

pub mod plant;
pub mod score;

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
    /// How strong what matters is: 1 as it is planted, 0 for a world in which nothing matters and the rest is as elsewhere.
    pub strength: f64,
    /// How many calls a trace has on average, besides those that are planted.
    pub calls: u64,
}

/// A world: traces without end.
pub struct World {
    /// What matters, and what would in a world where anything did.
    pub plants: Vec<Plant>,
    kinds: Vec<Kind>,
    dice: Dice,
    calls: u64,
    made: usize,
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

impl World {
    /// The world of a shape.
    pub fn new(shape: &Shape) -> Self {
        let mut dice = Dice::new(shape.seed.wrapping_mul(0x5851_f42d_4c95_7f2d));
        let mut plants = plant::plants(&mut dice);
        plants.iter_mut().for_each(|plant| plant.log_odds *= shape.strength);
        let kinds = kinds(&mut dice);
        Self { plants, kinds, dice, calls: shape.calls, made: 0 }
    }
}

/// Every agent with every problem, task and system: those that do well like other tools than those that do not.
fn kinds(dice: &mut Dice) -> Vec<Kind> {
    let mut several = |how_many: usize, spread: f64| -> Vec<Habit> {
        let habit = |dice: &mut Dice| (spread * normal(dice), (0..TOOLS).map(|_| 0.5 * normal(dice)).collect());
        (0..how_many).map(|_| habit(dice)).collect()
    };
    let (agents, problems, systems) = (several(AGENTS, 0.7), several(PROBLEMS, 0.7), several(SYSTEMS, 0.4));
    let tasks = several(AGENTS * PROBLEMS * TASKS, 0.4);
    let lengths = several(AGENTS * PROBLEMS, 0.7);
    let mut kinds = Vec::new();
    for (at, task) in tasks.iter().enumerate() {
        let (agent, problem) = (at / TASKS / PROBLEMS, at / TASKS % PROBLEMS);
        for system in &systems {
            let all = [&agents[agent], &problems[problem], task, system];
            let liked = |tool: usize| all.iter().map(|(_, likes)| likes[tool]).sum::<f64>().exp();
            let uses = (0..TOOLS).scan(0.0, |sum, tool| {
                *sum += liked(tool);
                Some(*sum)
            });
            let base = 0.2 + all.iter().map(|(base, _)| base).sum::<f64>();
            kinds.push(Kind { base, uses: uses.collect(), length: 2.0 + lengths[at / TASKS].0 });
        }
    }
    kinds
}

/// How well somebody does, and how much he likes each tool.
type Habit = (f64, Vec<f64>);

impl Iterator for World {
    type Item = Sketch;

    fn next(&mut self) -> Option<Sketch> {
        let Self { plants, kinds, dice, calls, made } = self;
        let at = dice.below(kinds.len() as u64) as usize;
        let kind = &kinds[at];
        let (task, system) = (at / SYSTEMS, at % SYSTEMS);
        let (agent, problem) = (task / TASKS / PROBLEMS, task / TASKS % PROBLEMS);
        let mut called: Vec<Symbol> = (0..*calls / 2 + dice.below(*calls + 1)).map(|_| any_tool(dice, kind)).collect();
        let mut moves = Vec::new();
        plants.iter().for_each(|plant| plant.put(dice, &mut called, &mut moves));
        moves.extend(called.into_iter().map(|tool| {
            let (length, fails) = (dice.below(500) as u32, unit(dice) < 0.04);
            call(tool, if fails { CallEnd::Failed(any_trouble(dice)) } else { CallEnd::Done }, length)
        }));
        plants.iter().for_each(|plant| plant.spoil(dice, &mut moves));
        if unit(dice) < 0.3 {
            let confidence = Some(Score::nearest(unit(dice)));
            moves.push(Move::Thought {
                what: Symbol::of("assess"),
                by: None,
                length: 40,
                confidence,
                cues: Vec::new(),
            });
        }
        let longer = normal(dice);
        let n = *made;
        *made += 1;
        let mut sketch = Sketch {
            trace: format!("w{n:07}").parse().ok()?,
            source: Source::import(if n.is_multiple_of(3) { "world-a" } else { "world-b" }),
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
        let odds = kind.base + plant::log_odds(plants, &sketch, longer);
        sketch.success = Some(unit(dice) < 1.0 / (1.0 + (-odds).exp()));
        Some(sketch)
    }
}

/// A call as traces have it.
pub fn call(tool: Symbol, ended: CallEnd, length: u32) -> Move {
    Move::Call { tool, by: None, keys: Vec::new(), cues: Vec::new(), things: Vec::new(), ended, length, millis: None }
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
