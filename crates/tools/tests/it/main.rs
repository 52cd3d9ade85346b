//! Tools against the real thing: a socket that answers HTTP, child processes, files.

mod arguments;
mod builtin;
mod calendar;
mod calendar_files;
mod calendar_move;
mod calendar_odd;
mod calendar_sync;
mod calendar_time;
mod command;
mod described;
mod diary;
mod http;
mod language;
mod notebook;
mod radicale;
mod registry;
