//! Sums: digits and signs, or words for them, with the usual order of operations.

use serde_json::Value;

use super::{Question, Reckoned, said, sentence};
use crate::slots::ratio::Ratio;

/// A number, and whether it is the number and not one near it.
#[derive(Clone, Copy)]
struct Number {
    value: Ratio,
    exact: bool,
}

/// Why there is no result, though the question is clear.
#[derive(Clone, Copy)]
enum Wrong {
    DividedByZero,
    TooLarge,
    RootOfNegative,
}

type Outcome = Result<Number, Wrong>;

/// Parentheses and signs within one another: more are no question.
const DEEPEST: usize = 24;

struct Sum<'a> {
    question: &'a Question<'a>,
    at: usize,
    depth: usize,
    /// How many operations there were: a number alone is no sum.
    operations: usize,
}

/// The answer to a sum.
pub(super) fn answer(question: &Question<'_>) -> Option<Reckoned> {
    let (start, opened) = question.opened();
    let start = question.past(start, &[&["the", "result", "of"], &["the", "value", "of"]]).unwrap_or(start);
    if let Some(answer) = share(question, start) {
        return Some(answer);
    }
    let mut sum = Sum { question, at: start, depth: 0, operations: 0 };
    let outcome = sum.expression()?;
    let end = question.skip(sum.at, &["equal", "equals", "to", "make", "=", "is", "what"]);
    if end != question.end || sum.operations == 0 {
        return None;
    }
    // `9-5` and `5/3` alone may be hours or a date.
    let dated = |at: usize| question.words.digits(at) || matches!(question.at(at), "-" | "/");
    let bare = !opened && !question.asked && (start..sum.at).all(dated) && sum.operations <= 2;
    if bare {
        return None;
    }
    let said_sum = question.raw(start, sum.at);
    let left = if said_sum.len() > 80 { "The result" } else { said_sum };
    Some(match outcome {
        Ok(number) => {
            let value = if number.exact { number.value.json() } else { Value::from(number.value.float()) };
            Reckoned { answer: sentence(&format!("{left} is {}.", said(number.value, number.exact))), value }
        }
        Err(wrong) => {
            let answer = match wrong {
                Wrong::DividedByZero => "Nothing can be divided by zero.",
                Wrong::TooLarge => "That number is too large for me.",
                Wrong::RootOfNegative => "A negative number has no real square root.",
            };
            Reckoned { answer: answer.to_owned(), value: Value::Null }
        }
    })
}

/// `what percent of 80 is 20`, `20 is what percent of 80`.
fn share(question: &Question<'_>, start: usize) -> Option<Reckoned> {
    let number = |at: usize| {
        let mut sum = Sum { question, at, depth: 0, operations: 0 };
        let found = sum.atom()?.ok()?;
        Some((found.value, sum.at))
    };
    let percent: &[&[&str]] = &[
        &["what", "percent", "of"],
        &["what", "percentage", "of"],
        &["what", "%", "of"],
        &["percent", "of"],
        &["percentage", "of"],
    ];
    let (part, whole) = match question.past(start, percent) {
        Some(at) => {
            let (whole, at) = number(at)?;
            let (part, end) = number(question.past(at, &[&["is"]])?)?;
            (end == question.end).then_some((part, whole))?
        }
        None => {
            let (part, at) = number(start)?;
            let at = question.past(at, &[&["is"]])?;
            let (whole, end) = number(question.past(at, percent)?)?;
            (end == question.end).then_some((part, whole))?
        }
    };
    let percent = part.times(Ratio::whole(100))?.over(whole)?;
    let (part, whole) = (said(part, true), said(whole, true));
    Some(Reckoned { answer: format!("{part} is {}% of {whole}.", said(percent, true)), value: percent.json() })
}

impl Sum<'_> {
    fn expression(&mut self) -> Option<Outcome> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let mut left = self.term()?;
        loop {
            let plus = self.past(&[&["+"], &["plus"], &["added", "to"]]);
            let minus = !plus && self.past(&[&["-"], &["−"], &["–"], &["minus"], &["take", "away"], &["less"]]);
            if !plus && !minus {
                break;
            }
            let before = self.at;
            let right = self.term()?;
            // `80 plus 15%` is fifteen percent of eighty more.
            let right = match (left, right, self.percent_at(before)) {
                (Ok(left), Ok(right), true) => apply(Ok(left), Ok(right), Ratio::times),
                (_, right, _) => right,
            };
            left = apply(left, right, if plus { Ratio::plus } else { Ratio::minus });
            self.operations += 1;
        }
        self.depth -= 1;
        Some(left)
    }

    /// Whether the term that was just read from `from` on was a number with a percent sign and nothing else.
    fn percent_at(&self, from: usize) -> bool {
        self.at == from + 2 && matches!(self.question.at(from + 1), "%" | "percent")
    }

    fn term(&mut self) -> Option<Outcome> {
        let mut left = self.factor()?;
        loop {
            if self.past(&[&["*", "*"]]) {
                left = self.raised(left)?;
            } else if self.past(&[
                &["*"],
                &["×"],
                &["x"],
                &["·"],
                &["times"],
                &["multiplied", "by"],
                &["multiply", "by"],
            ]) {
                left = apply(left, self.factor()?, Ratio::times);
            } else if self.past(&[&["/"], &["÷"], &["divided", "by"], &["divide", "by"], &["over"], &[":"]]) {
                left = divided(left, self.factor()?);
            } else if self.past(&[&["mod"], &["modulo"]]) {
                left = remainder(left, self.factor()?);
            } else {
                return Some(left);
            }
            self.operations += 1;
        }
    }

    /// A number with what stands before and behind it: signs, roots, powers, percent.
    fn factor(&mut self) -> Option<Outcome> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let found = if self.past(&[&["-"], &["−"], &["minus"], &["negative"]]) {
            self.factor()?.map(|number| Number { value: number.value.negative(), ..number })
        } else {
            let atom = self.atom()?;
            self.powers(atom)?
        };
        self.depth -= 1;
        Some(found)
    }

    fn powers(&mut self, mut base: Outcome) -> Option<Outcome> {
        loop {
            if self.past(&[&["squared"], &["²"]]) {
                base = power(base, 2);
            } else if self.past(&[&["cubed"], &["³"]]) {
                base = power(base, 3);
            } else if self.past(&[&["^"], &["to", "the", "power", "of"], &["raised", "to"]]) {
                base = self.raised(base)?;
            } else if self.past(&[&["factorial"], &["!"]]) {
                base = factorial(base)?;
            } else {
                return Some(base);
            }
            self.operations += 1;
        }
    }

    fn raised(&mut self, base: Outcome) -> Option<Outcome> {
        let exponent = match self.factor()? {
            Ok(number) => number.value.integer()?,
            Err(wrong) => return Some(Err(wrong)),
        };
        let raised = power(base, u32::try_from(exponent.unsigned_abs()).unwrap_or(u32::MAX));
        Some(if exponent < 0 { divided(Ok(Number { value: Ratio::whole(1), exact: true }), raised) } else { raised })
    }

    fn atom(&mut self) -> Option<Outcome> {
        if self.past(&[&["("]]) {
            let inner = self.expression()?;
            return self.past(&[&[")"]]).then_some(inner);
        }
        if self.past(&[
            &["the", "square", "root", "of"],
            &["square", "root", "of"],
            &["square", "root"],
            &["root", "of"],
            &["sqrt", "of"],
            &["sqrt"],
            &["√"],
        ]) {
            self.operations += 1;
            return Some(root(self.factor()?));
        }
        if self.past(&[&["the", "sum", "of"], &["sum", "of"], &["the", "total", "of"], &["total", "of"]]) {
            let mut total = self.factor()?;
            while self.past(&[&["and"], &[",", "and"], &[","]]) {
                total = apply(total, self.factor()?, Ratio::plus);
                self.operations += 1;
            }
            return Some(total);
        }
        if self.past(&[&["double"], &["twice"]]) {
            self.operations += 1;
            return Some(apply(Ok(exact(Ratio::whole(2))), self.factor()?, Ratio::times));
        }
        let value = self.number()?;
        let percent = self.past(&[&["%"], &["percent"], &["per", "cent"]]);
        let value = if percent { value.over(Ratio::whole(100))? } else { value };
        let fraction = percent || value.integer().is_none();
        if percent && self.past(&[&["off"]]) {
            self.operations += 1;
            let left = Ratio::whole(1).minus(value)?;
            return Some(apply(Ok(exact(left)), self.factor()?, Ratio::times));
        }
        if fraction && self.past(&[&["of"]]) {
            self.operations += 1;
            return Some(apply(Ok(exact(value)), self.factor()?, Ratio::times));
        }
        Some(Ok(exact(value)))
    }

    fn number(&mut self) -> Option<Ratio> {
        let words = self.question.words;
        if self.at >= self.question.end {
            return None;
        }
        if words.digits(self.at) {
            let value = Ratio::literal(words.at(self.at))?;
            self.at += 1;
            let scale = match self.question.at(self.at) {
                "hundred" => 100,
                "thousand" => 1_000,
                "million" => 1_000_000,
                "billion" => 1_000_000_000,
                _ => return Some(value),
            };
            self.at += 1;
            return value.times(Ratio::whole(scale));
        }
        if self.question.is_mark(self.at) {
            return None;
        }
        let figure = words.figure(self.at).filter(|figure| {
            figure.next <= self.question.end && !matches!(words.at(self.at), "minus" | "few" | "several")
        })?;
        self.at = figure.next;
        Some(figure.value)
    }

    fn past(&mut self, phrases: &[&[&str]]) -> bool {
        match self.question.past(self.at, phrases) {
            Some(next) => {
                self.at = next;
                true
            }
            None => false,
        }
    }
}

fn exact(value: Ratio) -> Number {
    Number { value, exact: true }
}

fn apply(left: Outcome, right: Outcome, operation: impl Fn(Ratio, Ratio) -> Option<Ratio>) -> Outcome {
    let (left, right) = (left?, right?);
    let value = operation(left.value, right.value).ok_or(Wrong::TooLarge)?;
    Ok(Number { value, exact: left.exact && right.exact })
}

fn divided(left: Outcome, right: Outcome) -> Outcome {
    if right?.value == Ratio::ZERO {
        return Err(Wrong::DividedByZero);
    }
    apply(left, right, Ratio::over)
}

fn remainder(left: Outcome, right: Outcome) -> Outcome {
    let quotient = divided(left, right)?.value.truncated();
    let whole = quotient.times(right?.value).ok_or(Wrong::TooLarge)?;
    apply(left, Ok(exact(whole)), Ratio::minus)
}

fn power(base: Outcome, exponent: u32) -> Outcome {
    let base = base?;
    let value = base.value.power(exponent).ok_or(Wrong::TooLarge)?;
    Ok(Number { value, exact: base.exact })
}

fn factorial(base: Outcome) -> Option<Outcome> {
    let Ok(number) = base else { return Some(base) };
    let count = number.value.integer().filter(|count| *count >= 0)?;
    let product = (1..=count.min(100)).try_fold(Ratio::whole(1), |product, factor| product.times(Ratio::whole(factor)));
    Some(product.filter(|_| count <= 100).map(exact).ok_or(Wrong::TooLarge))
}

/// The square root: exact where it is, else to nine places.
fn root(square: Outcome) -> Outcome {
    let square = square?;
    if square.value.is_negative() {
        return Err(Wrong::RootOfNegative);
    }
    if let Some(value) = square.value.root() {
        return Ok(Number { value, exact: square.exact });
    }
    let near = Ratio::literal(&format!("{:.9}", square.value.float().sqrt())).ok_or(Wrong::TooLarge)?;
    Ok(Number { value: near, exact: false })
}
