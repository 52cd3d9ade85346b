//! `ingest`: spans per second that a server takes in durably.

use std::process::ExitCode;

use bench::ingest::{self, Args};
use clap::Parser;

fn main() -> anyhow::Result<ExitCode> {
    // The server is this file, started again.
    if std::env::args().nth(1).as_deref() == Some("serve") {
        return Ok(agentwright::main());
    }
    let args = Args::parse();
    let measured = bench::block_on(2, ingest::measure(&args, &std::env::current_exe()?))??;
    let number = |name: &str| measured[name].as_f64().unwrap_or_default();
    println!(
        "{} spans of {:.0} bytes in {:.1} s: {:.0} a second, durably; {:.0} µs of the server's CPU each, {:.1} MB of memory",
        number("spans"),
        number("bytes_per_span"),
        number("seconds"),
        number("spans_per_second"),
        number("cpu_us_per_span"),
        number("rss_mb"),
    );
    println!("{measured}");
    Ok(ExitCode::SUCCESS)
}
