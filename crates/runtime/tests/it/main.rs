//! Whole runs over a scripted model, real tools and a real SQLite, asserted by their ledgers.

mod agents;
mod agents_as_tools;
mod approvals;
mod approvals_calls;
mod brittle;
mod budgets;
mod cast;
mod dispatch;
mod intents;
mod invariants;
mod library;
mod messages;
mod messages_stall;
mod planning;
mod reflexes;
mod replays;
mod reuse;
mod runs;
mod steps;
mod thinking;
mod timers;
mod verify;
mod verify_conditions;
mod verify_docs;
mod waits;
mod world;
