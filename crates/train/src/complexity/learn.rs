//! Fits the lines: logistic regression by stochastic gradient, one step size a weight, the last rounds averaged.

use reflex::complexity::form::{self, Form, LEVELS, SIGNALS, SLOTS, Signal};
use reflex::complexity::{Judge, Line};
use reflex::embed::Encoder;
use reflex::split::split;

use super::corpus::Example;
use crate::split::dice::Dice;

/// A request as it is learned from.
#[derive(Debug, Clone)]
pub struct Lesson {
    form: Form,
    pool: Vec<f32>,
    several: bool,
    weight: f32,
}

/// What the second line may use. The first has meaning only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Senses {
    /// Words, form and meaning: what is shipped.
    All,
    /// Words and form.
    Lexical,
}

const ROUNDS: usize = 20;
/// The rounds at the end whose weights are averaged.
const SETTLED: usize = 5;
const RATE: f32 = 0.3;
/// How strongly weights are held near nothing.
const HOLD: f32 = 2e-5;
/// How much numbers of meaning weigh beside words and form.
const MEANING: f32 = 0.06;
/// How much a step of a signal weighs beside words.
const STEP: f32 = 0.25;

/// Errors that meaning alone may make where it is certain, and both together where they are sure.
const CERTAIN: f32 = 0.005;
const SURE: f32 = 0.01;

/// Reads requests once, for however many fits.
pub fn lessons(examples: &[Example]) -> Vec<Lesson> {
    let read = |example: &Example| Lesson {
        form: form::read(&example.text, split(&example.text).parts.len()),
        pool: Encoder::shipped().pooled(&example.text).pool,
        several: example.several,
        weight: example.weight,
    };
    examples.iter().map(read).collect()
}

/// Learns from some, and sets odds and thresholds by others, of which each kind has to hold.
pub fn fit(learn: &[Lesson], check: &[Vec<Lesson>], senses: Senses) -> Judge {
    let width = Encoder::shipped().pool_width();
    let scale = Scale::of(learn, width);
    let mut judge = Judge::nothing(width);

    let points: Vec<Point> = learn.iter().map(|lesson| scale.meaning(lesson, 1.0)).collect();
    let weights = descend(&points, learn, width + 1, RATE / 3.0, 1e-4);
    judge.semantic = scale.line(&weights, 1.0);
    judge.semantic = straighten(check, |lesson| judge.semantic.odds(&lesson.pool)).line(&judge.semantic);
    let by_meaning = |lesson: &Lesson| judge.semantic.odds(&lesson.pool);
    judge.certain = [-enough(check, by_meaning, -1.0, CERTAIN), enough(check, by_meaning, 1.0, CERTAIN)];

    let (words, steps) = (width + 1, width + 1 + SLOTS);
    let points: Vec<Point> = learn.iter().map(|lesson| scale.all(lesson, senses, words, steps)).collect();
    let weights = descend(&points, learn, steps + SIGNALS * LEVELS, RATE, HOLD);
    set(&mut judge, &scale, &weights, learn);
    let straight = straighten(check, |lesson| judge.odds(&lesson.form, &lesson.pool));
    let weights: Vec<f32> = weights.iter().map(|weight| weight * straight.slope).collect();
    set(&mut judge, &scale, &weights, learn);
    judge.meaning.bias += straight.offset;
    let by_all = |lesson: &Lesson| judge.odds(&lesson.form, &lesson.pool);
    judge.sure = enough(check, by_all, 1.0, SURE).max(enough(check, by_all, -1.0, SURE));
    judge
}

/// Features as places and values.
type Point = Vec<(u32, f32)>;

/// Puts the weights where they belong. What signals and words say on average goes to the bias, so that each says nothing
/// where it is as usual.
fn set(judge: &mut Judge, scale: &Scale, weights: &[f32], learn: &[Lesson]) {
    let width = scale.mean.len();
    judge.meaning = scale.line(&weights[..width + 1], MEANING);
    judge.habit = 0.0;
    judge.set_words(&weights[width + 1..width + 1 + SLOTS]);
    for (levels, steps) in judge.form.iter_mut().zip(weights[width + 1 + SLOTS..].chunks_exact(LEVELS)) {
        let mut sum = 0.0;
        levels[0] = 0.0;
        for (level, step) in levels[1..].iter_mut().zip(steps) {
            sum += step * STEP;
            *level = sum;
        }
    }
    let total: f32 = learn.iter().map(|lesson| lesson.weight).sum();
    let mut usual = [0.0; SIGNALS];
    let mut everything = 0.0;
    for lesson in learn {
        let share = lesson.weight / total;
        for signal in Signal::ALL {
            usual[signal as usize] += share * judge.form[signal as usize][lesson.form.level(signal)];
        }
        everything += share * (judge.odds(&lesson.form, &lesson.pool) - judge.meaning.odds(&lesson.pool));
    }
    for (levels, usual) in judge.form.iter_mut().zip(usual) {
        levels.iter_mut().for_each(|level| *level -= usual);
    }
    judge.habit = everything - usual.iter().sum::<f32>();
    judge.meaning.bias += everything;
}

/// Mean and spread of the numbers of meaning.
struct Scale {
    mean: Vec<f32>,
    spread: Vec<f32>,
}

impl Scale {
    fn of(lessons: &[Lesson], width: usize) -> Self {
        let count = lessons.len().max(1) as f32;
        let (mut mean, mut spread) = (vec![0.0; width], vec![0.0; width]);
        for lesson in lessons {
            mean.iter_mut().zip(&lesson.pool).for_each(|(mean, value)| *mean += value / count);
        }
        for lesson in lessons {
            let apart = lesson.pool.iter().zip(&mean).map(|(value, mean)| (value - mean) * (value - mean));
            spread.iter_mut().zip(apart).for_each(|(spread, apart)| *spread += apart / count);
        }
        spread.iter_mut().for_each(|spread| *spread = spread.sqrt().max(1e-3));
        Scale { mean, spread }
    }

    fn meaning(&self, lesson: &Lesson, share: f32) -> Point {
        let values = lesson.pool.iter().zip(&self.mean).zip(&self.spread);
        let values = values.map(|((value, mean), spread)| share * (value - mean) / spread);
        values.chain([1.0]).enumerate().map(|(at, value)| (at as u32, value)).collect()
    }

    fn all(&self, lesson: &Lesson, senses: Senses, words: usize, steps: usize) -> Point {
        let mut point = match senses {
            Senses::All => self.meaning(lesson, MEANING),
            Senses::Lexical => vec![(self.mean.len() as u32, 1.0)],
        };
        let share = lesson.form.share();
        point.extend(lesson.form.slots.iter().map(|(slot, _)| (words as u32 + slot, share)));
        for signal in Signal::ALL {
            let from = steps + signal as usize * LEVELS;
            point.extend((from..from + lesson.form.level(signal)).map(|at| (at as u32, STEP)));
        }
        point
    }

    /// Weights of scaled numbers as weights of the numbers themselves.
    fn line(&self, weights: &[f32], share: f32) -> Line {
        let own: Vec<f32> = weights.iter().zip(&self.spread).map(|(weight, spread)| share * weight / spread).collect();
        let bias = weights.get(self.mean.len()).copied().unwrap_or_default();
        let shift: f32 = own.iter().zip(&self.mean).map(|(weight, mean)| weight * mean).sum();
        Line { weights: own, bias: bias - shift }
    }
}

fn descend(points: &[Point], lessons: &[Lesson], width: usize, rate: f32, hold: f32) -> Vec<f32> {
    let mut weights = vec![0.0_f32; width];
    let mut squares = vec![1e-3_f32; width];
    let mut mean = vec![0.0_f32; width];
    let mut order: Vec<usize> = (0..points.len()).collect();
    let mut dice = Dice::new(11);
    for round in 0..ROUNDS {
        let rate = rate * (1.0 - round as f32 / ROUNDS as f32);
        dice.shuffle(&mut order);
        for at in &order {
            let (point, lesson) = (&points[*at], &lessons[*at]);
            let odds: f32 = point.iter().map(|(at, value)| weights[*at as usize] * value).sum();
            let error = lesson.weight * (probability(odds) - f32::from(u8::from(lesson.several)));
            for (at, value) in point {
                let (weight, square) = (&mut weights[*at as usize], &mut squares[*at as usize]);
                let slope = error * value + hold * *weight;
                *square += slope * slope;
                *weight -= rate * slope / square.sqrt();
            }
        }
        if round + SETTLED >= ROUNDS {
            mean.iter_mut().zip(&weights).for_each(|(mean, weight)| *mean += weight / SETTLED as f32);
        }
    }
    mean
}

fn probability(odds: f32) -> f32 {
    1.0 / (1.0 + (-odds).exp())
}

/// How odds must be stretched and moved to be what they say.
struct Straight {
    slope: f32,
    offset: f32,
}

impl Straight {
    fn odds(&self, odds: f32) -> f32 {
        self.slope * odds + self.offset
    }

    fn line(&self, line: &Line) -> Line {
        let weights = line.weights.iter().map(|weight| weight * self.slope).collect();
        Line { weights, bias: self.odds(line.bias) }
    }
}

/// The stretch and move under which what happened was likeliest.
fn straighten(check: &[Vec<Lesson>], odds: impl Fn(&Lesson) -> f32) -> Straight {
    let seen: Vec<(&Lesson, f32)> = check.iter().flatten().map(|lesson| (lesson, odds(lesson))).collect();
    let mut straight = Straight { slope: 1.0, offset: 0.0 };
    for _ in 0..200 {
        let (mut slope, mut offset, mut total) = (0.0, 0.0, 0.0);
        for (lesson, odds) in &seen {
            let error = lesson.weight * (f32::from(u8::from(lesson.several)) - probability(straight.odds(*odds)));
            slope += error * odds;
            offset += error;
            total += lesson.weight;
        }
        straight.slope = (straight.slope + 0.3 * slope / total).max(0.05);
        straight.offset += 0.6 * offset / total;
    }
    straight
}

/// The smallest odds on one side beyond which no more than this share of each kind is wrong.
fn enough(check: &[Vec<Lesson>], odds: impl Fn(&Lesson) -> f32, side: f32, wrong: f32) -> f32 {
    let mut least = 0.0_f32;
    for kind in check {
        let mut sided: Vec<(f32, bool)> =
            kind.iter().map(|lesson| (odds(lesson) * side, lesson.several == (side > 0.0))).collect();
        sided.retain(|(odds, _)| *odds > 0.0);
        sided.sort_by(|a, b| b.0.total_cmp(&a.0));
        let (mut bad, mut here) = (0.0, f32::INFINITY);
        for (count, (odds, right)) in sided.iter().enumerate() {
            bad += f32::from(u8::from(!right));
            if bad / (count + 1) as f32 <= wrong {
                here = *odds;
            }
        }
        least = least.max(here);
    }
    least
}
