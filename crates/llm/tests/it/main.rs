//! Models as those who use them see them: over a real wire, and behind their wrappers.

mod anthropic;
mod asks;
mod broken;
mod connecting;
mod gemini;
mod guards;
mod openai;
mod refusals;
mod server;
mod stand_ins;
