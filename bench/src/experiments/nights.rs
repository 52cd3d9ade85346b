//! An optimiser that proposes changes night after night, most of which harm, and what becomes of the agent.

use anyhow::{Context, ensure};
use domain::guideline::{Arm, Direction, Experiment, Lesson, LessonStatus, Observation};
use domain::pattern::{Evidence, Mark, Pattern};
use domain::symbol::Symbol;
use jiff::Timestamp;
use learn::experiment::{ExperimentPolicy, PlanPolicy, assign, begin, judge, next, prune, settle};
use learn::points::{Budget, distil, merge};
use serde_json::{Value, json};

use super::{Args, falls, unit};
use crate::dice::Dice;

/// What the agent succeeds at before anybody improves it.
const BASE: f64 = 0.554;
/// Changes proposed each night.
const PROPOSED: usize = 8;
/// Runs on which the optimiser tries a change by itself.
const SAMPLE: usize = 10;
/// Runs of a day.
const DAY: usize = 2_000;

/// What the agent comes to without a gate and with one.
pub(super) fn measure(args: &Args) -> anyhow::Result<Value> {
    let mut dice = Dice::new(args.seed ^ 0x9167);
    let free: Vec<World> = (0..args.worlds).map(|_| World::new(dice.any()).ungated(args.nights)).collect();
    let gated = (0..args.worlds).map(|_| World::new(dice.any()).gated(args.nights));
    let gated = gated.collect::<anyhow::Result<Vec<World>>>()?;
    let lowest = gated.iter().flat_map(|world| &world.rates).copied().fold(f64::INFINITY, f64::min);
    let tokens = |worlds: &[World]| worlds.iter().map(World::tokens).max();
    let budget = Budget::default().tokens;
    ensure!(lowest >= BASE - 0.02, "an agent fell to {lowest} behind the gate");
    ensure!(tokens(&gated).is_none_or(|most| most <= budget), "a prompt grew beyond its budget");
    Ok(json!({
        "worlds": args.worlds, "nights": args.nights, "base": BASE, "proposed_each_night": PROPOSED,
        "gate_off": {
            "rates": means(&free), "most_tokens": tokens(&free),
            "active": free.iter().map(|world| world.active().count()).sum::<usize>(),
            "harmful_active": free.iter().map(World::harmful).sum::<usize>(),
        },
        "gate_on": {
            "rates": means(&gated), "lowest_of_any_world_and_night": lowest, "most_tokens": tokens(&gated), "budget": budget,
            "experiments": gated.iter().map(|world| world.experiments.len()).sum::<usize>(),
            "active": gated.iter().map(|world| world.active().count()).sum::<usize>(),
            "harmful_active": gated.iter().map(World::harmful).sum::<usize>(),
        },
    }))
}

/// What agents succeed at on average, at the beginning and after each night.
fn means(worlds: &[World]) -> Vec<f64> {
    let nights = worlds.first().map_or(0, |world| world.rates.len());
    let mean = |night: usize| worlds.iter().map(|world| world.rates[night]).sum::<f64>() / worlds.len() as f64;
    (0..nights).map(|night| (mean(night) * 1e4).round() / 1e4).collect()
}

struct World {
    dice: Dice,
    /// What each change does to the odds, by the number in its tool's name.
    truths: Vec<f64>,
    patterns: Vec<Pattern>,
    lessons: Vec<Lesson>,
    experiments: Vec<Experiment>,
    observations: Vec<Observation>,
    /// What the agent succeeds at, at the beginning and after each night.
    rates: Vec<f64>,
}

impl World {
    fn new(seed: u64) -> Self {
        Self {
            dice: Dice::new(seed),
            truths: Vec::new(),
            patterns: Vec::new(),
            lessons: Vec::new(),
            experiments: Vec::new(),
            observations: Vec::new(),
            rates: vec![BASE],
        }
    }

    /// Each night whatever did not look worse on a few runs is told to all.
    fn ungated(mut self, nights: usize) -> Self {
        for night in 0..nights {
            let first = self.truths.len();
            self.propose();
            for (change, lesson) in distil(&self.patterns[first..], at(night)).into_iter().enumerate() {
                let (before, after) = (self.rate([]), self.rate([self.truths[first + change]]));
                let mut score = |rate: f64| (0..SAMPLE).filter(|_| falls(&mut self.dice, rate)).count();
                if score(after) >= score(before) {
                    self.lessons.push(Lesson { status: LessonStatus::Active, ..lesson });
                }
            }
            self.rates.push(self.rate([]));
        }
        self
    }

    /// The same proposals, but nothing is told to all before it is shown to help, and no more than fits.
    fn gated(mut self, nights: usize) -> anyhow::Result<Self> {
        let (policy, budget) = (PlanPolicy::default(), Budget::default());
        for night in 0..nights {
            let now = at(night);
            self.propose();
            self.lessons = merge(&self.lessons, distil(&self.patterns, now), &budget, now).lessons;
            for lesson in self.lessons.iter_mut().filter(|lesson| lesson.status == LessonStatus::Proposed) {
                lesson.status = LessonStatus::Shadow;
            }
            for begun in next(&self.lessons, &self.experiments, &policy, now) {
                let lesson = self.lessons.iter_mut().find(|lesson| lesson.id == begun.lesson).context("no lesson")?;
                *lesson = begin(lesson, &begun, now);
                self.experiments.push(begun);
            }
            self.day(night)?;
            for experiment in self.experiments.iter_mut().filter(|experiment| experiment.status.is_open()) {
                let seen: Vec<Observation> =
                    self.observations.iter().filter(|seen| seen.experiment == experiment.id).cloned().collect();
                let said = judge(&seen, &ExperimentPolicy::of(experiment));
                let lesson =
                    self.lessons.iter_mut().find(|lesson| lesson.id == experiment.lesson).context("no lesson")?;
                (*lesson, *experiment) = settle(lesson, experiment, &said, now);
            }
            for pruned in prune(&self.lessons, now) {
                self.lessons.retain(|lesson| lesson.id != pruned.id);
                self.lessons.push(pruned);
            }
            self.rates.push(self.rate([]));
        }
        Ok(self)
    }

    /// Changes come with splendid figures, whatever they do.
    fn propose(&mut self) {
        for _ in 0..PROPOSED {
            let harm = unit(&mut self.dice);
            let truth = match unit(&mut self.dice) {
                kind if kind < 0.65 => -0.2 - 0.8 * harm,
                kind if kind < 0.9 => 0.0,
                _ => 0.1 + 0.3 * harm,
            };
            self.patterns.push(pattern(self.truths.len(), 0.05 + 0.1 * unit(&mut self.dice)));
            self.truths.push(truth);
        }
    }

    /// Runs under what is told, each with the arms that it was assigned.
    fn day(&mut self, day: usize) -> anyhow::Result<()> {
        let open: Vec<(Experiment, f64)> = self
            .experiments
            .iter()
            .filter(|experiment| experiment.status.is_open())
            .map(|open| (open.clone(), self.truth_of(&self.lessons.iter().find(|lesson| lesson.id == open.lesson))))
            .collect();
        for run in 0..DAY {
            let trace = format!("run-{day}-{run}");
            let arms: Vec<Arm> = open.iter().map(|(open, _)| assign(&open.id, &trace, open.share)).collect();
            let moved = open.iter().zip(&arms).map(|((open, truth), arm)| match (open.direction, arm) {
                (_, Arm::Control) => 0.0,
                (Direction::Add, Arm::Candidate) => *truth,
                (Direction::Remove, Arm::Candidate) => -truth,
            });
            let rate = self.rate(moved.collect::<Vec<_>>());
            let success = falls(&mut self.dice, rate);
            for ((open, _), arm) in open.iter().zip(arms) {
                let experiment = open.id.clone();
                self.observations.push(Observation { experiment, trace: trace.parse()?, arm, success });
            }
        }
        Ok(())
    }

    /// What the agent succeeds at with what it is told and some more.
    fn rate(&self, more: impl IntoIterator<Item = f64>) -> f64 {
        let told: f64 = self.active().map(|lesson| self.truth_of(&Some(lesson))).sum();
        let odds = (BASE / (1.0 - BASE)).ln() + told + more.into_iter().sum::<f64>();
        1.0 / (1.0 + (-odds).exp())
    }

    fn truth_of(&self, lesson: &Option<&Lesson>) -> f64 {
        let number = lesson.and_then(|lesson| lesson.pattern.id.as_str().strip_prefix("p-")?.parse::<usize>().ok());
        number.and_then(|number| self.truths.get(number)).copied().unwrap_or_default()
    }

    fn active(&self) -> impl Iterator<Item = &Lesson> {
        self.lessons.iter().filter(|lesson| lesson.status == LessonStatus::Active)
    }

    fn harmful(&self) -> usize {
        self.active().filter(|lesson| self.truth_of(&Some(lesson)) < 0.0).count()
    }

    fn tokens(&self) -> usize {
        self.active().map(|lesson| lesson.text.tokens()).sum()
    }
}

fn at(night: usize) -> Timestamp {
    Timestamp::from_second(night as i64 * 86_400).unwrap_or_default()
}

fn pattern(number: usize, effect: f64) -> Pattern {
    Pattern {
        id: Symbol::of(&format!("p-{number}")),
        mark: Mark::Calls { tool: Symbol::of(&format!("tool-{number}")) },
        agent: Some(Symbol::of("assistant")),
        problem: None,
        evidence: Evidence {
            with_success: 60,
            with_failure: 40,
            without_success: 50,
            without_failure: 50,
            effect,
            interval: (effect / 2.0, effect * 1.5),
            confidence: effect / 2.0,
            p: 0.01,
            q: 0.05,
            users: 10,
            sources: Default::default(),
            examples: Default::default(),
        },
        words: format!("traces with `tool-{number}` succeed more often"),
        advice: String::new(),
    }
}
