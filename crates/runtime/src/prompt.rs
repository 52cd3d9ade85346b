//! The prompts: one file each, one struct each that is the whole of what goes into it. A name that a struct does not have
//! is an error, not an empty place.

use std::collections::BTreeMap;

use minijinja::{Environment, UndefinedBehavior};
use serde::Serialize;

use crate::record::Halt;
use crate::think::Answer;
use crate::work::Work;

/// The struct behind a prompt.
pub(crate) trait Prompt: Serialize {
    /// The file in `prompts/`, without `.md`.
    const NAME: &'static str;
}

const SOURCES: [(&str, &str); 18] = [
    ("distil", include_str!("../prompts/distil.md")),
    ("route", include_str!("../prompts/route.md")),
    ("complexity", include_str!("../prompts/complexity.md")),
    ("think", include_str!("../prompts/think.md")),
    ("planner", include_str!("../prompts/planner.md")),
    ("refused", include_str!("../prompts/refused.md")),
    ("critique", include_str!("../prompts/critique.md")),
    ("assess", include_str!("../prompts/assess.md")),
    ("revise", include_str!("../prompts/revise.md")),
    ("replan", include_str!("../prompts/replan.md")),
    ("brief", include_str!("../prompts/brief.md")),
    ("brief_check", include_str!("../prompts/brief_check.md")),
    ("brief_revise", include_str!("../prompts/brief_revise.md")),
    ("agent", include_str!("../prompts/agent.md")),
    ("task", include_str!("../prompts/task.md")),
    ("answer", include_str!("../prompts/answer.md")),
    ("reflect", include_str!("../prompts/reflect.md")),
    ("repair", include_str!("../prompts/repair.md")),
];

/// All prompts, compiled.
pub struct Prompts {
    environment: Environment<'static>,
}

/// Why a prompt cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BadPrompt {
    /// Use one of the names there are.
    #[error("there is no prompt `{0}`; there are `{names}`", names = SOURCES.map(|(name, _)| name).join("`, `"))]
    Unknown(String),
    /// Correct the template.
    #[error("prompt `{name}`")]
    Template {
        /// Which prompt.
        name: String,
        /// What is wrong with it.
        #[source]
        source: minijinja::Error,
    },
}

impl Default for Prompts {
    fn default() -> Self {
        // The shipped templates are rendered by tests.
        Self::with(BTreeMap::new()).unwrap_or_else(|_| Self { environment: Environment::new() })
    }
}

impl Prompts {
    /// The shipped prompts with some of them replaced.
    pub fn with(replaced: BTreeMap<String, String>) -> Result<Self, BadPrompt> {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_fuel(Some(1_000_000));
        for (name, source) in SOURCES {
            environment
                .add_template(name, source)
                .map_err(|source| BadPrompt::Template { name: name.to_owned(), source })?;
        }
        for (name, source) in replaced {
            if !SOURCES.iter().any(|(known, _)| *known == name) {
                return Err(BadPrompt::Unknown(name));
            }
            let added = environment.add_template_owned(name.clone(), source);
            added.map_err(|source| BadPrompt::Template { name, source })?;
        }
        Ok(Self { environment })
    }

    pub(crate) fn render<P: Prompt>(&self, prompt: &P) -> Result<String, BadPrompt> {
        self.environment
            .get_template(P::NAME)
            .and_then(|template| template.render(minijinja::value::Serde(prompt)))
            .map_err(|source| BadPrompt::Template { name: P::NAME.to_owned(), source })
    }
}

/// A prompt with everything filled in.
pub(crate) fn render<P: Prompt>(work: &Work<'_>, prompt: &P) -> Result<String, Halt> {
    work.runtime.prompts.render(prompt).map_err(|error| {
        let cause = std::error::Error::source(&error).map(|cause| format!(": {cause}")).unwrap_or_default();
        Halt::Diverged(format!("{error}{cause}"))
    })
}

/// What a small model is told that decides who answers.
#[derive(Serialize)]
pub(crate) struct RoutePrompt<'p> {
    pub(crate) roles: &'p [RoleLine<'p>],
    pub(crate) request: &'p str,
    pub(crate) guess: Option<&'p str>,
}

/// A role as prompts list it.
#[derive(Serialize)]
pub(crate) struct RoleLine<'p> {
    pub(crate) name: &'p str,
    pub(crate) when_to_use: &'p str,
}

/// What a planner is told.
#[derive(Serialize)]
pub(crate) struct Planner<'p> {
    pub(crate) request: &'p str,
    pub(crate) now: &'p str,
    pub(crate) zone: Option<&'p str>,
    pub(crate) place: Option<&'p str>,
    pub(crate) recent: &'p [String],
    pub(crate) memories: &'p [String],
    pub(crate) guidelines: &'p [String],
    pub(crate) thought: Option<&'p str>,
    pub(crate) example: Option<&'p str>,
    pub(crate) tools: &'p str,
    /// What calling them was like, where that is worth knowing.
    pub(crate) experience: &'p [String],
    pub(crate) max_iterations: u32,
    pub(crate) max_tools: usize,
}

/// What a planner is told about a plan that cannot be carried out.
#[derive(Serialize)]
pub(crate) struct Refused<'p> {
    pub(crate) findings: &'p [String],
}

/// What a planner is told about a plan that is not good enough.
#[derive(Serialize)]
pub(crate) struct Revise<'p> {
    pub(crate) objections: &'p [String],
    pub(crate) answers: &'p [Answer],
    pub(crate) thought: Option<&'p str>,
}

/// What a planner is told when the rest of a plan is to be replaced.
#[derive(Serialize)]
pub(crate) struct Replan<'p> {
    pub(crate) reason: &'p str,
    pub(crate) steps: &'p [StepLine],
}

/// What an agent is.
#[derive(Serialize)]
pub(crate) struct AgentPrompt<'p> {
    pub(crate) system_prompt: &'p str,
    pub(crate) plan: &'p str,
    pub(crate) steps: &'p [StepLine],
    pub(crate) guidance: &'p str,
    /// What was learnt that those who act are to heed.
    pub(crate) heed: &'p [String],
    pub(crate) name: &'p str,
    pub(crate) team: &'p [TeamLine],
    pub(crate) now: &'p str,
    pub(crate) zone: Option<&'p str>,
    pub(crate) max_iterations: u32,
}

/// Another agent of the same team, as prompts list it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct TeamLine {
    pub(crate) name: String,
    pub(crate) does: String,
    pub(crate) status: String,
}

/// A step as prompts list it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct StepLine {
    pub(crate) id: String,
    pub(crate) goal: String,
    pub(crate) how: String,
    pub(crate) after: String,
    pub(crate) status: String,
}

/// What an agent is to do.
#[derive(Serialize)]
pub(crate) struct Task<'p> {
    pub(crate) goal: &'p str,
    /// What was said before the request, where whoever asks told that.
    pub(crate) earlier: &'p [String],
    pub(crate) results: &'p [ResultText],
}

/// What an answer is made from.
#[derive(Serialize)]
pub(crate) struct AnswerPrompt<'p> {
    pub(crate) request: &'p str,
    /// What was said before it, where whoever asks told that.
    pub(crate) earlier: &'p [String],
    pub(crate) results: &'p [ResultText],
}

/// A step's result as prompts show it: labelled and capped.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct ResultText {
    pub(crate) step: String,
    pub(crate) text: String,
}

/// What is asked about a step that failed its check.
#[derive(Serialize)]
pub(crate) struct Reflect<'p> {
    pub(crate) goal: &'p str,
    pub(crate) tool: &'p str,
    pub(crate) arguments: &'p str,
    pub(crate) result: &'p str,
    pub(crate) check: &'p str,
    pub(crate) undone: bool,
}

/// What a model is told about an answer that cannot be read.
#[derive(Serialize)]
pub(crate) struct Repair<'p> {
    pub(crate) problem: &'p str,
}

macro_rules! names {
    ($($type:ty = $name:literal),* $(,)?) => {
        $(impl Prompt for $type {
            const NAME: &'static str = $name;
        })*
    };
}

names! {
    RoutePrompt<'_> = "route",
    Planner<'_> = "planner",
    Refused<'_> = "refused",
    Revise<'_> = "revise",
    Replan<'_> = "replan",
    AgentPrompt<'_> = "agent",
    Task<'_> = "task",
    AnswerPrompt<'_> = "answer",
    Reflect<'_> = "reflect",
    Repair<'_> = "repair",
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(id: &str, status: &str) -> StepLine {
        StepLine {
            id: id.into(),
            goal: format!("do {id}"),
            how: "`weather.current` with {\"city\":\"Oslo\"}".into(),
            after: String::new(),
            status: status.into(),
        }
    }

    fn result() -> ResultText {
        ResultText { step: "look".into(), text: "<tool_result tool=\"weather.current\">\n12\n</tool_result>".into() }
    }

    #[test]
    fn prompts_read_as_they_should() {
        let prompts = Prompts::default();
        let roles = [RoleLine { name: "timer", when_to_use: "Timers and alarms." }];
        let route = RoutePrompt { roles: &roles, request: "egg, soft", guess: Some("timer") };
        insta::assert_snapshot!("route", prompts.render(&route).expect("route"));
        let planner = Planner {
            request: "Do I need an umbrella?",
            now: "2026-03-01 09:00",
            zone: Some("Europe/Oslo"),
            place: Some("Oslo"),
            recent: &["asked for the weather: it rained".into()],
            memories: &["likes to walk".into()],
            guidelines: &["Say please.".into()],
            thought: Some("Rain decides."),
            example: Some("“Is it cold?” was done with this plan:\n{}"),
            tools: "weather (1)\n- weather.current(city: string) — tells the weather [read]",
            experience: &["`weather.current` failed in 20 of 40 calls".into()],
            max_iterations: 10,
            max_tools: 15,
        };
        insta::assert_snapshot!("planner", prompts.render(&planner).expect("planner"));
        let bare = Planner {
            zone: None,
            place: None,
            recent: &[],
            memories: &[],
            guidelines: &[],
            thought: None,
            example: None,
            experience: &[],
            ..planner
        };
        insta::assert_snapshot!("planner_bare", prompts.render(&bare).expect("planner"));
        let findings = ["there is no tool `wether.now`; the nearest are `weather.current`".to_owned()];
        insta::assert_snapshot!("refused", prompts.render(&Refused { findings: &findings }).expect("refused"));
        let objections = ["the evening is missing (`look`)".to_owned()];
        let answers = [Answer { question: "When do you leave?".into(), answer: "at noon".into() }];
        let revise = Revise { objections: &objections, answers: &answers, thought: Some("Rain decides.") };
        insta::assert_snapshot!("revise", prompts.render(&revise).expect("revise"));
        let revise = Revise { answers: &[], thought: None, ..revise };
        insta::assert_snapshot!("revise_bare", prompts.render(&revise).expect("revise"));
        let steps = [step("look", "done"), step("tell", "failed")];
        let replan = Replan { reason: "`tell` failed", steps: &steps };
        insta::assert_snapshot!("replan", prompts.render(&replan).expect("replan"));
        let agent = AgentPrompt {
            system_prompt: "You are a weather man.",
            plan: "Look, then tell.",
            steps: &steps,
            guidance: "Be brief.",
            heed: &["Call `a` before `b`.".into()],
            name: "agent",
            team: &[],
            now: "2026-03-01 09:00",
            zone: None,
            max_iterations: 3,
        };
        insta::assert_snapshot!("agent", prompts.render(&agent).expect("agent"));
        let line = |name: &str, status: &str| TeamLine {
            name: format!("agent:{name}"),
            does: format!("do {name}"),
            status: status.into(),
        };
        let team = [line("look", "has finished"), line("pack", "is under way")];
        let member = AgentPrompt { plan: "", steps: &[], heed: &[], name: "agent:tell", team: &team, ..agent };
        insta::assert_snapshot!("agent_in_a_team", prompts.render(&member).expect("agent"));
        let task = Task { goal: "Tell the weather.", earlier: &[], results: &[result()] };
        insta::assert_snapshot!("task", prompts.render(&task).expect("task"));
        let earlier = ["“Hello.” — Hello, Ada.".to_owned(), "“I am Ada.” — Noted.".to_owned()];
        let task = Task { earlier: &earlier, ..task };
        insta::assert_snapshot!("task_in_a_conversation", prompts.render(&task).expect("task"));
        let answer = AnswerPrompt { request: "Weather?", earlier: &[], results: &[result()] };
        insta::assert_snapshot!("answer", prompts.render(&answer).expect("answer"));
        let answer = AnswerPrompt { earlier: &earlier, ..answer };
        insta::assert_snapshot!("answer_in_a_conversation", prompts.render(&answer).expect("answer"));
        let reflect = Reflect {
            goal: "set the lamp",
            tool: "home.set",
            arguments: "{}",
            result: "{\"on\":false}",
            check: "${lamp.on} == true",
            undone: true,
        };
        insta::assert_snapshot!("reflect", prompts.render(&reflect).expect("reflect"));
        insta::assert_snapshot!("repair", prompts.render(&Repair { problem: "missing field `plan`" }).expect("repair"));
    }

    #[test]
    fn an_undefined_name_is_an_error() {
        let replaced = Prompts::with([("repair".to_owned(), "{{ nothing }}".to_owned())].into()).expect("compiles");
        assert!(replaced.render(&Repair { problem: "x" }).is_err());
        assert!(Prompts::with([("no_such".to_owned(), String::new())].into()).is_err());
        assert!(Prompts::with([("repair".to_owned(), "{% if %}".to_owned())].into()).is_err());
    }
}
