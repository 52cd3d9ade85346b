//! `stream`: many clients on one run's stream, cut off at random.

use std::process::ExitCode;

use bench::stream::{self, Args};
use clap::Parser;

fn main() -> anyhow::Result<ExitCode> {
    // The server is this file, started again.
    if std::env::args().nth(1).as_deref() == Some("serve") {
        return Ok(agentwright::main());
    }
    let args = Args::parse();
    let measured = bench::block_on(2, stream::measure(&args, &std::env::current_exe()?))??;
    let number = |pointer: &str| measured.pointer(pointer).and_then(serde_json::Value::as_f64).unwrap_or_default();
    println!(
        "{} clients, {} events each, cut off {} times: every event once and in order; {:.1} MB more memory ({:.1} to {:.1}), \
         {:.1} s of CPU in {:.1} s, {:.1} µs a delivery",
        number("/followed/clients"),
        number("/followed/events"),
        number("/followed/cut_off"),
        number("/followed/growth_mb"),
        number("/followed/rss_before_mb"),
        number("/followed/rss_most_mb"),
        number("/followed/cpu_seconds"),
        number("/followed/seconds"),
        number("/followed/cpu_us_per_delivery"),
    );
    println!(
        "{} idle clients for {:.0} s: {:.1} kB each, {:.1} % of one processor",
        number("/idle/clients"),
        number("/idle/seconds"),
        number("/idle/kb_per_client"),
        100.0 * number("/idle/cpu_share"),
    );
    println!("{measured}");
    Ok(ExitCode::SUCCESS)
}
