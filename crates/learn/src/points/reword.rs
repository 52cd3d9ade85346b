//! Other words for a lesson, from a model or a person, that may say no more than the pattern does.

use std::collections::BTreeSet;

use domain::guideline::{BadWording, Lesson, LessonId, LessonStatus, Wording};

/// Words that turn an order around.
const NEGATIONS: [&str; 10] =
    ["not", "never", "avoid", "without", "don't", "stop", "instead", "skip", "refrain", "unless"];

/// The lesson in other words: about the same pattern, for the same agent and problem, and not tried yet, since what was
/// measured was the old sentence. It may name only tools the pattern names, must name one where there is one, and must
/// not turn the order around.
pub fn reword(lesson: &Lesson, text: &str) -> Result<Lesson, BadWording> {
    let text = Wording::try_from(text.trim().to_owned())?;
    if let Some(rule) = strays(lesson, text.as_str()) {
        return Err(BadWording { text: text.into(), rule });
    }
    Ok(Lesson {
        id: LessonId::of(&lesson.agent, lesson.problem.as_ref(), &text),
        text,
        status: LessonStatus::Proposed,
        effect: None,
        ..lesson.clone()
    })
}

fn strays(lesson: &Lesson, text: &str) -> Option<&'static str> {
    let tools: BTreeSet<&str> = lesson.pattern.mark.tools().into_iter().map(|tool| tool.as_str()).collect();
    let quoted: BTreeSet<&str> = text.split('`').skip(1).step_by(2).collect();
    if text.matches('`').count() % 2 == 1 || !quoted.is_subset(&tools) {
        return Some("it names only tools that the pattern names");
    }
    let bare =
        text.split('`').step_by(2).flat_map(str::split_whitespace).map(|word| word.trim_matches(['.', ',', ':']));
    if bare.clone().any(|word| word.contains(['_', '/']) || word.contains('.')) {
        return Some("tools stand in backticks");
    }
    if quoted.is_empty() && !tools.is_empty() {
        return Some("it names a tool of the pattern");
    }
    let negated = |text: &str| {
        let lower = text.to_lowercase();
        lower.split(|c: char| !(c.is_alphanumeric() || c == '\'')).any(|word| NEGATIONS.contains(&word))
    };
    if negated(text) != negated(lesson.text.as_str()) {
        return Some("it says the same as the pattern, not the opposite");
    }
    None
}
