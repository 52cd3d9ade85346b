//! What an agent is told, put together without a model from what its step, role, tools and guidelines say.

use domain::tool::{Effect, ToolSpec};

use super::{Brief, Job, LONGEST, MOST_KEYWORDS};
use crate::context::cap;

/// Words that say nothing about what a step is for.
const SAY_NOTHING: &[&str] = &[
    "a", "about", "all", "an", "and", "are", "as", "at", "be", "by", "can", "each", "for", "from", "has", "have",
    "how", "if", "in", "into", "is", "it", "its", "me", "my", "of", "on", "one", "or", "our", "so", "that", "the",
    "their", "them", "then", "there", "these", "they", "this", "to", "up", "use", "using", "was", "what", "when",
    "which", "will", "with", "you", "your",
];

/// A whole prompt.
pub(super) fn compose(job: &Job<'_>) -> Brief {
    let goal = sentence(&job.step.goal);
    let mut parts = vec![match job.role.map(str::trim).filter(|role| !role.is_empty()) {
        Some(role) => format!("You carry out one step of a plan for a person. {goal}\n\n{role}"),
        None => format!("You carry out one step of a plan for a person. {goal}"),
    }];
    let planned = super::without_references(job.planned.trim());
    if !planned.is_empty() {
        parts.push(planned);
    }
    if !job.inputs.is_empty() {
        parts.push(format!("What you are given with the task:\n{}", lines(job.inputs.iter().cloned())));
    }
    parts.push(match job.tools.is_empty() {
        true => "You have no tools: work with what you are given.".to_owned(),
        false => format!("Your tools:\n{}", lines(job.tools.iter().map(|tool| when_to_use(tool)))),
    });
    parts.push(match &job.step.expects {
        Some(expects) => {
            format!("Your answer: {} Give it in plain words and leave out how you got there.", sentence(expects))
        }
        None => "Your answer: say in plain words what you found or did, with the figures and names that matter.".into(),
    });
    parts.push(
        "When a tool fails, try it once more or another way; when something you need is missing, say what is missing. \
         Never make up a result."
            .into(),
    );
    parts.push(limits(job));
    if !job.guidelines.is_empty() {
        parts.push(format!("What is to be heeded:\n{}", lines(job.guidelines.iter().cloned())));
    }
    Brief {
        description: goal,
        keywords: keywords(job),
        prompt: cap(&parts.join("\n\n"), LONGEST),
        criticised: Vec::new(),
    }
}

/// What every prompt of an agent must say about its tools, as far as this one does not.
pub(super) fn missing(prompt: &str, job: &Job<'_>) -> Vec<String> {
    match unnamed(prompt, job) {
        tools if tools.is_empty() => Vec::new(),
        tools => vec![format!("Your tools:\n{}", lines(tools.into_iter().map(when_to_use)))],
    }
}

/// Tools that a prompt does not name, in any of the ways in which they are called.
pub(super) fn unnamed<'j>(prompt: &str, job: &Job<'j>) -> Vec<&'j ToolSpec> {
    let named = |tool: &&ToolSpec| prompt.contains(tool.name.as_str()) || prompt.contains(&tool.name.wire());
    job.tools.iter().copied().filter(|tool| !named(tool)).collect()
}

/// Words that tell this job from others: of its goal, and of its tools.
fn keywords(job: &Job<'_>) -> Vec<String> {
    let words = content_words(&job.step.goal);
    let tools = job.tools.iter().map(|tool| tool.name.domain().to_lowercase());
    distinct(words.into_iter().chain(tools), MOST_KEYWORDS)
}

/// The first so many different words.
pub(crate) fn distinct(words: impl Iterator<Item = String>, most: usize) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for word in words {
        if !kept.contains(&word) && kept.len() < most {
            kept.push(word);
        }
    }
    kept
}

/// The words of a text that say something, in small letters.
pub(crate) fn content_words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .map(str::to_lowercase)
        .filter(|word| word.chars().count() > 1 && !SAY_NOTHING.contains(&word.as_str()))
        .collect()
}

/// Words as a sentence.
pub(super) fn sentence(words: &str) -> String {
    let words = words.trim();
    let mut letters = words.chars();
    let first = letters.next().map(char::to_uppercase).into_iter().flatten();
    let sentence: String = first.chain(letters).collect();
    match sentence.ends_with(['.', '!', '?', '…']) || sentence.is_empty() {
        true => sentence,
        false => format!("{sentence}."),
    }
}

fn when_to_use(tool: &ToolSpec) -> String {
    let caution = match &tool.effect {
        Effect::Read => "",
        Effect::Egress => " What you give it leaves this machine.",
        Effect::Write { reversible: true, .. } => " It changes something: call it once.",
        Effect::Write { reversible: false, .. } => {
            " It cannot be taken back: call it once, and only when it is asked for."
        }
    };
    format!("`{}`: {}{caution}", tool.name, sentence(&cap(&tool.description, 400)))
}

fn limits(job: &Job<'_>) -> String {
    let only = if job.tools.is_empty() { "" } else { "Use no other tools, and only for this step. " };
    format!("{only}Do nothing that the step does not ask for. You have {} turns.", job.max_iterations)
}

fn lines(lines: impl Iterator<Item = String>) -> String {
    lines.map(|line| format!("- {line}")).collect::<Vec<_>>().join("\n")
}
