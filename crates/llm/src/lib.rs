//! Speaks to language models. Everything here is a [`domain::chat::ChatModel`], or wraps one.
//!
//! [`connect()`] picks the wire by the provider's name: OpenAI's chat completions and Anthropic's messages are spoken here,
//! typed and without detours, because they carry nearly every call and must cost next to nothing; Gemini and the rest
//! go through the crate `genai`. Nothing here reads the environment: keys and addresses are passed in.

mod connect;
mod fault;
mod http;
mod provider;
mod sse;
mod wire;

mod anthropic;
mod openai;
mod via_genai;

mod breaker;
mod chance;
mod faulty;
mod guarded;
mod limited;
mod recording;
mod replayed;
mod retrying;
mod scripted;

pub use breaker::{Breaker, Circuit, Trip};
pub use connect::{ApiKey, BadModelName, ConnectError, ModelConfig, ModelName, connect};
pub use faulty::{Fault, Faults, Faulty};
pub use guarded::{Guards, Settings, guarded};
pub use http::Http;
pub use limited::Limited;
pub use recording::Recording;
pub use replayed::{BadRecording, Replayed};
pub use retrying::{Retries, Retrying};
pub use scripted::{BadScript, Scripted, ScriptedCall, ScriptedError, Step, When};
