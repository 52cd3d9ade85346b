//! As OpenAI's clients ask: models, chat completions and responses. What they send besides is passed over; what they get
//! besides stands under `agentwright`.

pub(crate) mod chat;
pub(crate) mod models;
pub(crate) mod responses;
pub(crate) mod tools;
