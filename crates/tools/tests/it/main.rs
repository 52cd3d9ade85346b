//! Tools against the real thing: a socket that answers HTTP, child processes, files.

mod arguments;
mod builtin;
mod calendar;
mod calendar_files;
mod calendar_move;
mod calendar_time;
mod command;
mod described;
mod diary;
mod http;
mod language;
mod notebook;
mod notifications;
mod registry;
mod search;
mod search_note_web;
mod search_trouble;
mod smart_home;
mod smart_home_words;
mod summarization;
mod timer;
mod timer_changes;
mod timer_world;
mod weather;
mod weather_trouble;
