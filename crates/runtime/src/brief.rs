//! The prompt creator: writes what an agent is told. It drafts, criticises its draft against a checklist and revises it;
//! without a model it puts the prompt together from what the role, the tools and the guidelines say.

mod compose;

use domain::chat::{Message, Tier};
use domain::library::AgentBody;
use domain::plan::Step;
use domain::tool::ToolSpec;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ask::{Question, ask};
use crate::context::cap;
use crate::prompt::{Prompt, render};
use crate::record::Halt;
use crate::work::Work;

use compose::{compose, sentence};
pub(crate) use compose::{content_words, distinct};

/// What the component is called in configuration.
pub(crate) const COMPONENT: &str = "prompt_creator";
/// The longest prompt of an agent, in characters.
const LONGEST: usize = 8_000;
/// The longest description, in characters.
const LONGEST_DESCRIPTION: usize = 300;
/// How many keywords are kept.
const MOST_KEYWORDS: usize = 12;

/// What an agent is to be told about.
pub(crate) struct Job<'j> {
    pub(crate) request: &'j str,
    pub(crate) step: &'j Step,
    /// What the planner wrote for it.
    pub(crate) planned: &'j str,
    /// What it is given, a line each.
    pub(crate) inputs: Vec<String>,
    pub(crate) tools: Vec<&'j ToolSpec>,
    pub(crate) max_iterations: u32,
    pub(crate) guidelines: Vec<String>,
    /// What the role that has such tools is told.
    pub(crate) role: Option<&'j str>,
    /// An agent that did nearly this before.
    pub(crate) before: Option<&'j AgentBody>,
}

/// What an agent is told, and what it is found by.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Brief {
    /// What it is for.
    pub(crate) description: String,
    /// Words it is found by.
    pub(crate) keywords: Vec<String>,
    /// What it is told.
    pub(crate) prompt: String,
    /// What was wrong with the first draft.
    #[serde(skip)]
    pub(crate) criticised: Vec<String>,
}

#[derive(Serialize)]
pub(crate) struct BriefPrompt<'p> {
    pub(crate) goal: &'p str,
    pub(crate) expects: Option<&'p str>,
    pub(crate) planned: &'p str,
    pub(crate) request: &'p str,
    pub(crate) inputs: &'p [String],
    pub(crate) tools: &'p str,
    pub(crate) before: Option<&'p str>,
    pub(crate) guidelines: &'p [String],
    pub(crate) max_iterations: u32,
}

#[derive(Serialize)]
pub(crate) struct CheckPrompt<'p> {
    pub(crate) lacking: &'p [String],
}

#[derive(Serialize)]
pub(crate) struct RevisePrompt<'p> {
    pub(crate) problems: &'p [String],
}

impl Prompt for BriefPrompt<'_> {
    const NAME: &'static str = "brief";
}

impl Prompt for CheckPrompt<'_> {
    const NAME: &'static str = "brief_check";
}

impl Prompt for RevisePrompt<'_> {
    const NAME: &'static str = "brief_revise";
}

/// The checklist, with what is wrong about each point.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
struct Checked {
    goal: String,
    inputs: String,
    tools: String,
    output: String,
    failure: String,
    limits: String,
}

impl Checked {
    fn problems(self) -> impl Iterator<Item = String> {
        let Self { goal, inputs, tools, output, failure, limits } = self;
        let points = [
            ("goal", goal),
            ("inputs", inputs),
            ("tools", tools),
            ("output", output),
            ("failure", failure),
            ("limits", limits),
        ];
        // Some models say in words that there is nothing to say.
        let nothing = |words: &str| {
            matches!(words.trim().trim_end_matches('.').to_lowercase().as_str(), "" | "none" | "ok" | "fine" | "yes")
        };
        points.into_iter().filter(move |(_, words)| !nothing(words)).map(|(point, words)| format!("{point}: {words}"))
    }
}

/// What an agent for a job is told. A model that does not answer, or answers with nothing, leaves it to be composed.
pub(crate) async fn brief(work: &Work<'_>, key: &str, job: &Job<'_>) -> Result<Brief, Halt> {
    if !work.asks(COMPONENT) {
        return Ok(compose(job));
    }
    match write(work, key, job).await? {
        Some(brief) => Ok(tidied(brief, job)),
        None => Ok(compose(job)),
    }
}

async fn write(work: &Work<'_>, key: &str, job: &Job<'_>) -> Result<Option<Brief>, Halt> {
    let names: Vec<_> = job.tools.iter().map(|tool| tool.name.clone()).collect();
    let prompt = BriefPrompt {
        goal: &job.step.goal,
        expects: job.step.expects.as_deref(),
        planned: job.planned,
        request: job.request,
        inputs: &job.inputs,
        tools: &work.tools().listing(Some(&names)),
        before: job.before.map(|agent| agent.prompt.as_str()),
        guidelines: &job.guidelines,
        max_iterations: job.max_iterations,
    };
    let mut messages = vec![Message::User { text: render(work, &prompt)? }];
    let Some(draft) = asked::<Brief>(work, format!("{key}/draft"), &messages).await? else { return Ok(None) };
    if draft.prompt.trim().is_empty() {
        return Ok(None);
    }
    messages.push(Message::Assistant { text: said(&draft), calls: Vec::new() });
    let mut problems = lacking(&draft.prompt, job);
    messages.push(Message::User { text: render(work, &CheckPrompt { lacking: &problems })? });
    let checked = asked::<Checked>(work, format!("{key}/check"), &messages).await?.unwrap_or_default();
    problems.extend(checked.problems());
    if problems.is_empty() {
        return Ok(Some(draft));
    }
    messages.push(Message::Assistant { text: problems.join("\n"), calls: Vec::new() });
    messages.push(Message::User { text: render(work, &RevisePrompt { problems: &problems })? });
    let revised = asked::<Brief>(work, format!("{key}/revise"), &messages).await?;
    let better = revised.filter(|brief| !brief.prompt.trim().is_empty()).unwrap_or(draft);
    Ok(Some(Brief { criticised: problems, ..better }))
}

async fn asked<T: serde::de::DeserializeOwned + JsonSchema>(
    work: &Work<'_>,
    key: String,
    messages: &[Message],
) -> Result<Option<T>, Halt> {
    let question = Question { key: &key, component: COMPONENT, tier: Tier::Default, messages: messages.to_vec() };
    Ok(ask(work, question).await?.ok())
}

fn said(brief: &Brief) -> String {
    let Brief { description, keywords, prompt, .. } = brief;
    serde_json::json!({ "description": description, "keywords": keywords, "prompt": prompt }).to_string()
}

/// A brief within its limits. What a prompt lacks that can be known for sure is added to it.
fn tidied(mut brief: Brief, job: &Job<'_>) -> Brief {
    brief.prompt = cap(&without_references(brief.prompt.trim()), LONGEST);
    for line in compose::missing(&brief.prompt, job) {
        brief.prompt.push_str("\n\n");
        brief.prompt.push_str(&line);
    }
    let described = cap(brief.description.trim(), LONGEST_DESCRIPTION).replace('\n', " ");
    brief.description = if described.is_empty() { sentence(&job.step.goal) } else { described };
    brief.keywords.retain(|word| !word.trim().is_empty() && word.chars().count() <= 40);
    brief.keywords.truncate(MOST_KEYWORDS);
    brief
}

/// What can be seen without a model to be missing from a prompt.
fn lacking(prompt: &str, job: &Job<'_>) -> Vec<String> {
    let mut lacking = Vec::new();
    let unnamed = compose::unnamed(prompt, job);
    if !unnamed.is_empty() {
        let names = unnamed.iter().map(|tool| format!("`{}`", tool.name)).collect::<Vec<_>>().join(", ");
        lacking.push(format!("tools: it does not say when to use {names}"));
    }
    if prompt.contains("${") {
        lacking.push("inputs: it contains `${…}`; what the agent is given comes with its task".into());
    }
    if prompt.chars().count() > LONGEST {
        lacking.push(format!("limits: it has more than {LONGEST} characters"));
    }
    lacking
}

/// Results are given with the task: a reference in a prompt that is used again would mean nothing.
fn without_references(prompt: &str) -> String {
    let mut written = String::with_capacity(prompt.len());
    let mut rest = prompt;
    while let Some((before, after)) = rest.split_once("${") {
        written.push_str(before);
        match after.split_once('}') {
            Some((step, left)) => {
                let step = step.split('.').next().unwrap_or(step);
                written.push_str(&format!("what `{step}` found"));
                rest = left;
            }
            None => rest = after,
        }
    }
    written.push_str(rest);
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_that_is_used_again_refers_to_no_results() {
        for (prompt, without) in [
            ("Tell ${look.sky} and ${n}.", "Tell what `look` found and what `n` found."),
            ("Costs $5 or ${", "Costs $5 or "),
            ("nothing", "nothing"),
        ] {
            assert_eq!(without_references(prompt), without);
        }
    }

    #[test]
    fn the_prompts_read_as_they_should() {
        let prompts = crate::Prompts::default();
        let whole = BriefPrompt {
            goal: "tell whether it rains",
            expects: Some("yes or no"),
            planned: "Be quick.",
            request: "Do I need an umbrella?",
            inputs: &["what the step `place` brought: find the place".into()],
            tools: "weather (1)\n- weather.current(city: string) — tells the weather [read]",
            before: Some("You tell the weather."),
            guidelines: &["Say please.".into()],
            max_iterations: 4,
        };
        insta::assert_snapshot!("brief", prompts.render(&whole).expect("brief"));
        let bare = BriefPrompt { expects: None, planned: "", inputs: &[], before: None, guidelines: &[], ..whole };
        insta::assert_snapshot!("brief_bare", prompts.render(&bare).expect("brief"));
        let lacking = ["tools: it does not say when to use `weather.current`".to_owned()];
        insta::assert_snapshot!("brief_check", prompts.render(&CheckPrompt { lacking: &lacking }).expect("check"));
        insta::assert_snapshot!("brief_revise", prompts.render(&RevisePrompt { problems: &lacking }).expect("revise"));
    }

    #[test]
    fn without_a_model_a_prompt_says_everything_on_the_checklist() {
        let plan = domain::plan::Plan::parse(
            serde_json::from_value(serde_json::json!({"steps": [
                {"id": "tell", "goal": "tell whether it rains", "tools": ["weather.current"], "expects": "yes or no"},
            ]}))
            .expect("a draft"),
        );
        let plan = plan.expect("a plan");
        let spec = ToolSpec {
            name: "weather.current".parse().expect("a name"),
            description: "tells the weather at a place".into(),
            parameters: serde_json::json!({"type": "object"}),
            returns: None,
            effect: domain::tool::Effect::Read,
            timeout: None,
        };
        let job = Job {
            request: "Do I need an umbrella?",
            step: &plan.steps()[0],
            planned: "Look at ${place.city} first.",
            inputs: vec!["what the step `place` brought: find the place".into()],
            tools: vec![&spec],
            max_iterations: 4,
            guidelines: vec!["Say please.".into()],
            role: Some("You know about the weather."),
            before: None,
        };
        let composed = compose(&job);
        assert_eq!(lacking(&composed.prompt, &job), Vec::<String>::new());
        insta::assert_snapshot!("composed", composed.prompt);
        assert_eq!(composed.description, "Tell whether it rains.");
        assert_eq!(composed.keywords, ["tell", "whether", "rains", "weather"]);
        let thin = Brief { prompt: "You look.".into(), ..Brief::default() };
        assert_eq!(lacking(&thin.prompt, &job).len(), 1);
        assert!(tidied(thin, &job).prompt.contains("`weather.current`: Tells the weather at a place."));
    }

    #[test]
    fn a_checklist_without_complaints_has_no_problems() {
        let fine = Checked { goal: "ok".into(), inputs: " None. ".into(), ..Checked::default() };
        assert_eq!(fine.problems().count(), 0);
        let missing = Checked { failure: "what if the tool is down?".into(), ..Checked::default() };
        assert_eq!(missing.problems().collect::<Vec<_>>(), ["failure: what if the tool is down?"]);
    }
}
