//! Tools against the real thing: a socket that answers HTTP, child processes, files.

mod arguments;
mod assistant;
mod broker;
mod builtin;
mod command;
mod described;
mod http;
mod language;
mod notebook;
mod registry;
mod smart_home;
mod smart_home_assistant;
mod smart_home_mqtt;
mod smart_home_words;
