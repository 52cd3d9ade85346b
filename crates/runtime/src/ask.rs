//! A typed answer from a model: by schema where the provider can, by a tolerant reading otherwise, and with one round in
//! which the model is told what was wrong. After that the caller has a fallback.

use domain::chat::{AnswerSchema, Ask, Message, ModelError, Stop, Tier};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use crate::prompt::{self, Repair};
use crate::record::Halt;
use crate::tolerant;
use crate::work::Work;

/// Why there is no typed answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub(crate) enum NoAnswer {
    /// Do without a model, or give up.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// Use the fallback.
    #[error("the model's answer is not of the form that was asked for: {0}")]
    Form(String),
}

/// Who asks, and what for.
pub(crate) struct Question<'q> {
    pub(crate) key: &'q str,
    pub(crate) component: &'q str,
    pub(crate) tier: Tier,
    pub(crate) messages: Vec<Message>,
}

/// Asks for a `T`.
pub(crate) async fn ask<T: DeserializeOwned + JsonSchema>(
    work: &Work<'_>,
    question: Question<'_>,
) -> Result<Result<T, NoAnswer>, Halt> {
    let mut ask = Ask {
        messages: question.messages,
        schema: Some(AnswerSchema { name: question.component.to_owned(), schema: schemars::schema_for!(T).to_value() }),
        ..Ask::default()
    };
    let reply = match work.model(question.key, question.component, question.tier, &mut ask).await? {
        Ok(reply) => reply,
        Err(error) => return Ok(Err(error.into())),
    };
    let problem = match read::<T>(&reply.text, reply.stop) {
        Ok(answer) => return Ok(Ok(answer)),
        Err(problem) => problem,
    };
    ask.messages.push(Message::Assistant { text: reply.text, calls: Vec::new() });
    ask.messages.push(Message::User { text: prompt::render(work, &Repair { problem: &problem })? });
    let repair = format!("{}/repair", question.key);
    match work.model(&repair, question.component, question.tier, &mut ask).await? {
        Ok(reply) => Ok(read(&reply.text, reply.stop).map_err(NoAnswer::Form)),
        Err(error) => Ok(Err(error.into())),
    }
}

/// The first value in a text that is a `T`, or what is wrong with the one that comes nearest.
fn read<T: DeserializeOwned>(text: &str, stop: Stop) -> Result<T, String> {
    if stop == Stop::Length {
        return Err("it was cut off before its end; answer more briefly".into());
    }
    let mut problem = "there is no JSON in it".to_owned();
    for value in tolerant::values(text) {
        match serde_json::from_value(value) {
            Ok(answer) => return Ok(answer),
            Err(error) => problem = error.to_string(),
        }
    }
    Err(problem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Score {
        score: Option<f64>,
    }

    #[test]
    fn an_explicit_zero_is_not_missing() {
        assert_eq!(read(r#"{"score": 0}"#, Stop::End), Ok(Score { score: Some(0.0) }));
        assert_eq!(read(r#"{"score": null}"#, Stop::End), Ok(Score { score: None }));
    }

    #[test]
    fn the_first_value_of_the_right_form_counts() {
        assert_eq!(
            read(r#"For {"score": "high"} I would say {"score": 0.9}"#, Stop::End),
            Ok(Score { score: Some(0.9) })
        );
    }

    #[test]
    fn what_was_cut_off_is_no_answer_even_if_it_reads_like_one() {
        assert!(read::<Score>(r#"{"score": 1}"#, Stop::Length).is_err());
    }
}
