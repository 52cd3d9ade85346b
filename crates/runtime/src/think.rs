//! Thinks about a request before it is planned: with a model, in passes that go deeper, or from what can be seen without.

use domain::chat::Message;
use domain::event::Event;
use domain::stage::Stage;
use domain::thought::Thought;
use serde::Serialize;

use crate::ask::{Question, ask};
use crate::prompt::{Prompt, render};
use crate::recall::Recalled;
use crate::record::Halt;
use crate::work::Work;

/// What the component is called in configuration.
pub(crate) const COMPONENT: &str = Stage::Thinker.component();

/// What a thinker is told.
#[derive(Serialize)]
pub(crate) struct ThinkPrompt<'p> {
    request: &'p str,
    now: &'p str,
    zone: Option<&'p str>,
    place: Option<&'p str>,
    recent: &'p [String],
    memories: &'p [String],
    guidelines: &'p [String],
    answers: &'p [Answer],
    tools: &'p str,
    before: Option<&'p str>,
    objections: &'p [String],
}

impl Prompt for ThinkPrompt<'_> {
    const NAME: &'static str = "think";
}

/// What the person said when asked.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Answer {
    pub(crate) question: String,
    pub(crate) answer: String,
}

/// What a round of thinking begins with.
#[derive(Default)]
pub(crate) struct Matter<'m> {
    pub(crate) before: Option<&'m Thought>,
    pub(crate) objections: &'m [String],
    pub(crate) answers: &'m [Answer],
}

/// Thinks in so many passes, each on top of the one before, all of them on record.
pub(crate) async fn think(
    work: &Work<'_>,
    recalled: &Recalled,
    round: u32,
    passes: u32,
    matter: &Matter<'_>,
) -> Result<Thought, Halt> {
    let mut last = matter.before.cloned();
    for pass in 1..=passes.max(1) {
        let key = format!("think/{round}/{pass}");
        let thought = one_pass(work, recalled, &key, last.as_ref(), matter).await?;
        let event = Event::Thought { round, pass, thought: Box::new(thought.clone()) };
        work.journal.record(key, event).await?;
        last = Some(thought);
    }
    Ok(last.unwrap_or_default())
}

/// One pass, with a model where there is one.
pub(crate) async fn one_pass(
    work: &Work<'_>,
    recalled: &Recalled,
    key: &str,
    before: Option<&Thought>,
    matter: &Matter<'_>,
) -> Result<Thought, Halt> {
    if !work.asks(COMPONENT) {
        return Ok(plainly(work, matter));
    }
    let before = before.map(aloud);
    let prompt = ThinkPrompt {
        request: work.request.text.as_str(),
        now: &work.request.at.to_string(),
        zone: work.request.zone.as_deref(),
        place: work.request.place.as_deref(),
        recent: &recalled.recent,
        memories: &recalled.memories,
        guidelines: &recalled.points(COMPONENT),
        answers: matter.answers,
        tools: &work.runtime.tools.listing(recalled.tools()),
        before: before.as_deref(),
        objections: matter.objections,
    };
    let messages = vec![Message::User { text: render(work, &prompt)? }];
    let model_key = format!("{key}/model");
    let question =
        Question { key: &model_key, component: COMPONENT, tier: Stage::Thinker.tier().unwrap_or_default(), messages };
    let answered: Result<Thought, _> = ask(work, question).await?;
    Ok(answered.unwrap_or_else(|_| plainly(work, matter)))
}

/// A thought as prompts show it.
pub(crate) fn aloud(thought: &Thought) -> String {
    let mut text = thought.reasoning.trim().to_owned();
    for (title, lines) in [
        ("Approaches", &thought.approaches),
        ("Constraints", &thought.constraints),
        ("Assumptions", &thought.assumptions),
        ("Uncertainties", &thought.uncertainties),
        ("Tools that look useful", &thought.recommended_tools),
    ] {
        if !lines.is_empty() {
            text.push_str(&format!("\n\n{title}:\n- {}", lines.join("\n- ")));
        }
    }
    crate::context::cap(text.trim(), 6_000)
}

/// What can be seen without a model: the things that are asked for, the tools whose words occur in the request, and what
/// the objections leave open.
pub(crate) fn plainly(work: &Work<'_>, matter: &Matter<'_>) -> Thought {
    let request = work.request.text.as_str();
    let parts: Vec<String> = match &work.runtime.reflexes {
        Some(reflexes) => {
            let judgement = reflexes.roles().judge(request, &crate::route::circumstances(work, &[]));
            judgement.parts.iter().map(|part| part.text.clone()).collect()
        }
        None => vec![request.to_owned()],
    };
    let tools = useful(work, request);
    let answered = matter.answers.iter().map(|answer| format!("{} {}", answer.question, answer.answer));
    Thought {
        reasoning: match parts.len() {
            0 | 1 => "One thing is asked for.".into(),
            several => format!("{several} things are asked for, in this order."),
        },
        approaches: parts,
        constraints: answered.collect(),
        assumptions: work.request.place.iter().map(|place| format!("the person is in {place}")).collect(),
        uncertainties: matter.objections.to_vec(),
        confidence: None,
        recommended_tools: tools,
    }
}

/// Tools that share the most words with a request, best first.
fn useful(work: &Work<'_>, request: &str) -> Vec<String> {
    const MOST: usize = 5;
    let wanted = words(request);
    let specs = work.runtime.tools.specs();
    let mut scored: Vec<(usize, &str)> = specs
        .iter()
        .map(|spec| {
            let known = words(&format!("{} {}", spec.name, spec.description));
            (known.iter().filter(|word| wanted.contains(word)).count(), spec.name.as_str())
        })
        .filter(|(shared, _)| *shared > 0)
        .collect();
    scored.sort_by(|left, right| right.0.cmp(&left.0).then(left.1.cmp(right.1)));
    scored.into_iter().take(MOST).map(|(_, name)| name.to_owned()).collect()
}

/// The words of a text that say something, each once.
pub(crate) fn words(text: &str) -> Vec<String> {
    const SHORTEST: usize = 4;
    let mut words: Vec<String> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().count() >= SHORTEST)
        .map(str::to_lowercase)
        .collect();
    words.sort_unstable();
    words.dedup();
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::Prompts;

    #[test]
    fn the_prompt_reads_as_it_should() {
        let prompt = ThinkPrompt {
            request: "Do I need an umbrella?",
            now: "2026-03-01 09:00",
            zone: Some("Europe/Oslo"),
            place: Some("Oslo"),
            recent: &["asked for the weather: it rained".into()],
            memories: &["likes to walk".into()],
            guidelines: &["Say please.".into()],
            answers: &[Answer { question: "When do you leave?".into(), answer: "at noon".into() }],
            tools: "weather (1)\n- weather.current(city: string) — tells the weather [read]",
            before: Some("Rain decides."),
            objections: &["the evening is missing".into()],
        };
        insta::assert_snapshot!("think", Prompts::default().render(&prompt).expect("think"));
        let bare = ThinkPrompt {
            zone: None,
            place: None,
            recent: &[],
            memories: &[],
            guidelines: &[],
            answers: &[],
            before: None,
            objections: &[],
            ..prompt
        };
        insta::assert_snapshot!("think_bare", Prompts::default().render(&bare).expect("think"));
    }
}
