//! A skill as `SKILL.md`: front matter that other agents read, and the rest for people and for them.

use std::fmt::Write;

use domain::skill::{Lifted, Parameter, Skill};
use serde_json::Value;

/// The longest description that the format allows, in characters.
const DESCRIPTION: usize = 1024;

/// A skill as a file that others can read and use.
pub fn to_skill_md(skill: &Skill) -> String {
    let template = &skill.template;
    let named = |at: usize| format!("{{{{{}}}}}", template.parameters().get(at).map_or("", |it| it.name.as_str()));
    let mut page = String::new();
    let mut line = |text: String| {
        page.push_str(&text);
        page.push('\n');
    };
    line("---".into());
    line(format!("name: {}", skill.name));
    line(format!("description: {}", quoted(&cut(&skill.description, DESCRIPTION))));
    if !skill.pins.is_empty() {
        let tools: Vec<&str> = skill.pins.keys().map(|tool| tool.as_str()).collect();
        line(format!("allowed-tools: {}", quoted(&tools.join(" "))));
    }
    line("metadata:".into());
    line(format!("  shape: {}", quoted(&template.shape().to_string())));
    line("---".into());
    line(format!("\n# {}\n", skill.name));
    line(one_line(&skill.description));
    line("\n## When to use it\n".into());
    line(format!("When the request says `{}`. It was made from requests such as:\n", code(&template.phrase())));
    template.requests().iter().take(5).for_each(|request| line(format!("- {}", one_line(request))));
    line("\n## Parameters\n".into());
    match template.parameters() {
        [] => line("None: the request is always the same.".into()),
        parameters => parameters.iter().for_each(|parameter| line(parameter_line(parameter))),
    }
    line("\n## Steps\n".into());
    if let Some(Lifted::List(steps)) = template.plan().get("steps") {
        for (at, step) in steps.iter().enumerate() {
            line(step_lines(at + 1, &step.sketch(&named)));
        }
    }
    if let Some(answer) = template.plan().get("answer").map(|answer| answer.sketch(&named)) {
        line(format!("Then answer: {}", one_line(answer.as_str().unwrap_or_default())));
    }
    if let Some(Value::Array(intents)) = template.plan().get("intents").map(|intents| intents.sketch(&named)) {
        line("\nAt the end:\n".into());
        for intent in &intents {
            line(format!(
                "- Call `{}` with `{}`.",
                code(text(&intent["tool"])),
                code(&intent["arguments"].to_string())
            ));
        }
    }
    line("\n## Guards\n".into());
    line("It is used only if all of this is so, otherwise the request is planned:\n".into());
    skill.guards.iter().for_each(|guard| line(format!("- {}", one_line(guard))));
    line("- Every word of the request is either one of the template's or the value of a parameter.".into());
    for (tool, pin) in &skill.pins {
        line(format!("- `{tool}` is there and declares what it did when the skill was made (`{pin}`)."));
    }
    line("\n## Where it comes from\n".into());
    line(format!("It worked {} and failed {}. It was made from:\n", times(skill.successes), times(skill.failures)));
    skill.runs.iter().for_each(|run| line(format!("- `{run}`")));
    page
}

fn parameter_line(parameter: &Parameter) -> String {
    let mut examples: Vec<String> = Vec::new();
    for example in &parameter.examples {
        let said = format!("`{}`", code(&example.said));
        if examples.len() < 5 && !examples.contains(&said) {
            examples.push(said);
        }
    }
    let required = if parameter.required { "required" } else { "optional" };
    format!(
        "- `{}` ({}, {required}): for example {}",
        code(&parameter.name),
        parameter.kind.word(),
        examples.join(", ")
    )
}

fn step_lines(number: usize, step: &Value) -> String {
    let mut lines = format!("{number}. {}", one_line(text(&step["goal"])));
    match &step["tool"] {
        Value::String(tool) => {
            let arguments = if step["arguments"].is_null() { "{}".into() } else { step["arguments"].to_string() };
            let _ = write!(lines, "\n   Call `{}` with `{}`.", code(tool), code(&arguments));
        }
        _ => {
            let tools: Vec<&str> = step["tools"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            let _ = write!(lines, "\n   {}", one_line(text(&step["prompt"])));
            let _ = write!(lines, "\n   Tools: {}.", if tools.is_empty() { "none".into() } else { tools.join(", ") });
        }
    }
    for (name, says) in [("when", "Only if"), ("check", "Its result counts only if")] {
        if let Value::String(condition) = &step[name] {
            let _ = write!(lines, "\n   {says} `{}`.", code(condition));
        }
    }
    lines
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn times(count: u32) -> String {
    match count {
        0 => "never".into(),
        1 => "once".into(),
        count => format!("{count} times"),
    }
}

/// A text as YAML reads it, whatever it contains: JSON strings are YAML.
fn quoted(text: &str) -> String {
    Value::String(one_line(text)).to_string()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What can stand between back-quotes.
fn code(text: &str) -> String {
    one_line(text).replace('`', "'")
}

fn cut(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}
