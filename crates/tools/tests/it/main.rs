//! Tools against the real thing: a socket that answers HTTP, child processes, files.

mod arguments;
mod builtin;
mod command;
mod described;
mod http;
mod language;
mod notebook;
mod registry;
mod search;
mod search_note_web;
mod search_trouble;
mod summarization;
mod weather;
mod weather_trouble;
