//! `load`: obvious requests over HTTP, durably, and what becomes of more than can be done.

use std::process::ExitCode;

use bench::load::{self, Args};
use clap::Parser;
use serde_json::Value;

fn main() -> anyhow::Result<ExitCode> {
    // The server is this file, started again.
    if std::env::args().nth(1).as_deref() == Some("serve") {
        return Ok(agentwright::main());
    }
    let args = Args::parse();
    let measured = bench::block_on(1, load::measure(&args, &std::env::current_exe()?))??;
    let number = |it: &Value, name: &str| it[name].as_f64().unwrap_or_default();
    println!(
        "cold start {:.0} ms of CPU, {:.0} ms until the first answer; {:.1} MB when idle",
        number(&measured["start"], "cpu_ms"),
        number(&measured["start"], "ms"),
        number(&measured["start"], "idle_mb"),
    );
    for at in measured["at"].as_array().into_iter().flatten() {
        println!(
            "{:>4} connections: {:>5.0} requests/s, p50 {:.1} ms, p99 {:.1} ms, {:.2} ms of CPU each, {:.1} MB at most",
            number(at, "connections"),
            number(at, "per_second"),
            number(at, "p50_ms"),
            number(at, "p99_ms"),
            number(at, "cpu_ms"),
            number(at, "rss_mb"),
        );
    }
    let over = &measured["overload"];
    println!(
        "{} connections at once: {} answered, {} refused with `Retry-After`, p99 of refusals {:.1} ms, {} broken off; \
         every accepted run completed: {}; {:.1} MB at most",
        number(over, "connections"),
        number(over, "answered"),
        number(over, "refused"),
        number(over, "refused_p99_ms"),
        number(over, "broken"),
        over["all_completed"],
        number(over, "rss_mb"),
    );
    println!("{measured}");
    Ok(ExitCode::SUCCESS)
}
