//! Tells how much a request takes, and with that how much stands between it and its plan: by its meaning, by its words, or
//! by asking a small model, in that order.

use domain::chat::{Message, Tier};
use domain::event::Event;
use domain::score::Score;
use domain::thought::{Complexity, Orchestration, Teller, Weight};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ask::{Question, ask};
use crate::prompt::{Prompt, render};
use crate::record::Halt;
use crate::work::Work;

/// What the component is called in configuration.
const COMPONENT: &str = "complexity";

/// What a small model is told that tells how much a request takes.
#[derive(Serialize)]
struct ComplexityPrompt<'p> {
    request: &'p str,
    guess: &'p str,
}

impl Prompt for ComplexityPrompt<'_> {
    const NAME: &'static str = "complexity";
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Opinion {
    /// From one act to many that hang together.
    score: Score,
    /// Why.
    #[serde(default)]
    explanation: String,
}

/// How much the request takes, on record.
pub(crate) async fn weigh(work: &Work<'_>) -> Result<Complexity, Halt> {
    const KEY: &str = "complexity";
    if let Some(Event::Weighed { complexity }) = work.journal.known(KEY).cloned() {
        if work.journal.gate().is_some() {
            work.as_recorded("complexity/").await?;
            work.journal.record(KEY, Event::Weighed { complexity: complexity.clone() }).await?;
        }
        return Ok(complexity);
    }
    let complexity = tell(work).await?;
    work.journal.record(KEY, Event::Weighed { complexity: complexity.clone() }).await?;
    Ok(complexity)
}

async fn tell(work: &Work<'_>) -> Result<Complexity, Halt> {
    if let Some(forced) = work.request.wishes.orchestration.or(work.runtime.settings.orchestration) {
        return Ok(fixed(forced));
    }
    let text = work.request.text.as_str();
    let weighed = reflex::weigh(text, reflex::split::split(text).parts.len());
    if weighed.sure || !work.asks(COMPONENT) {
        return Ok(weighed.complexity);
    }
    let prompt = ComplexityPrompt { request: text, guess: &weighed.complexity.explanation };
    let messages = vec![Message::User { text: render(work, &prompt)? }];
    let question = Question { key: "complexity/model", component: COMPONENT, tier: Tier::Weak, messages };
    let opinion: Result<Opinion, _> = ask(work, question).await?;
    Ok(opinion.map_or(weighed.complexity, by_model))
}

fn fixed(orchestration: Orchestration) -> Complexity {
    let score = Score::nearest(match orchestration {
        Orchestration::Simple => 0.0,
        Orchestration::Standard => 0.5,
        Orchestration::Adaptive => 1.0,
    });
    let (_, passes) = reflex::depth(score);
    Complexity {
        score,
        passes,
        orchestration,
        strategy: Teller::Forced,
        signals: Vec::new(),
        explanation: format!("`{}` was asked for", orchestration.word()),
    }
}

fn by_model(opinion: Opinion) -> Complexity {
    let (orchestration, passes) = reflex::depth(opinion.score);
    let signal = Weight { signal: "a small model's opinion".into(), value: opinion.score.get(), weight: 1.0 };
    Complexity {
        score: opinion.score,
        passes,
        orchestration,
        strategy: Teller::Model,
        signals: vec![signal],
        explanation: crate::context::cap(&opinion.explanation, 300),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::Prompts;

    #[test]
    fn the_prompt_reads_as_it_should() {
        let prompt = ComplexityPrompt { request: "Do I need an umbrella?", guess: "one short question" };
        insta::assert_snapshot!("complexity", Prompts::default().render(&prompt).expect("complexity"));
    }
}
