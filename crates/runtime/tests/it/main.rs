//! Whole runs over a scripted model, real tools and a real SQLite, asserted by their ledgers.

mod agents;
mod approvals;
mod approvals_calls;
mod brittle;
mod budgets;
mod dispatch;
mod intents;
mod invariants;
mod planning;
mod reflexes;
mod replays;
mod runs;
mod steps;
mod thinking;
mod timers;
mod verify;
mod verify_conditions;
mod verify_docs;
mod waits;
mod world;
