//! Lets others in: HTTP, and streams of events.
