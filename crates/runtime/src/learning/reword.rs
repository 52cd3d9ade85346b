//! Has a model say lessons in better words. It sees what was counted, never what anybody wrote.

use domain::chat::{Ask, Message, Tier};
use domain::guideline::Lesson;
use serde::Serialize;

use crate::Runtime;
use crate::prompt::{Prompt, Prompts};
use crate::settings::Model;

/// What the component is called in configuration.
const COMPONENT: &str = "distiller";
/// The longest answer that is paid for.
const TOKENS: u32 = 120;

/// What a model is told that words a lesson: sentences and names of ours, made from counts.
#[derive(Serialize)]
struct DistilPrompt<'p> {
    found: &'p str,
    sentence: &'p str,
    tools: String,
}

impl Prompt for DistilPrompt<'_> {
    const NAME: &'static str = "distil";
}

/// Who words lessons.
pub struct Wordsmith<'w> {
    model: &'w Model,
    prompts: &'w Prompts,
}

impl Runtime {
    /// Who words lessons, where that is wanted and there is a model for it.
    pub fn wordsmith(&self) -> Option<Wordsmith<'_>> {
        let component = self.component(COMPONENT);
        if !self.settings.learning.reword || component.disabled {
            return None;
        }
        let model = self.models.choose(&component, Tier::Weak).ok()?;
        Some(Wordsmith { model, prompts: &self.prompts })
    }
}

impl Wordsmith<'_> {
    /// The lesson in better words; as it was where the model has none, or says more than was found.
    pub(super) async fn reword(&self, lesson: &Lesson) -> Lesson {
        let tools: Vec<String> = lesson.pattern.mark.tools().iter().map(|tool| format!("`{tool}`")).collect();
        let (found, sentence) = (&lesson.pattern.words, lesson.text.as_str());
        let Ok(text) = self.prompts.render(&DistilPrompt { found, sentence, tools: tools.join(", ") }) else {
            return lesson.clone();
        };
        let messages = vec![Message::User { text }];
        let ask = Ask { messages, temperature: Some(0.0), max_tokens: Some(TOKENS), ..Ask::default() };
        let said = match self.model.chat.reply(&ask).await {
            Ok(reply) => learn::points::reword(lesson, reply.text.trim().trim_matches('"')),
            Err(error) => {
                tracing::warn!(%error, "no model words what was learnt");
                return lesson.clone();
            }
        };
        said.unwrap_or_else(|refused| {
            tracing::info!(%refused, "a model's words were not used");
            lesson.clone()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prompt_reads_as_it_should() {
        let prompt = DistilPrompt {
            found: "Traces in which `a` is called right before `b` succeed 20 points more often.",
            sentence: "Call `a` before `b`.",
            tools: "`a`, `b`".into(),
        };
        insta::assert_snapshot!("distil", Prompts::default().render(&prompt).expect("distil"));
    }
}
