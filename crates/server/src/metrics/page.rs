//! Every figure there is, with its name and what it says.

use std::sync::atomic::Ordering;

use domain::store::Vitals;

use super::Metrics;
use super::process::process;
use super::text::Page;

/// What was looked up for this page.
pub(super) struct Seen {
    pub(super) vitals: Vitals,
    pub(super) points: usize,
    pub(super) experiments: usize,
}

pub(super) fn written(metrics: &Metrics, seen: &Seen) -> String {
    let mut page = Page::default();
    page.gauge("agentwright_build_info", "The version of the program, as a label.")
        .with(&[("version", env!("CARGO_PKG_VERSION"))], 1);
    runs(&mut page, metrics, &seen.vitals);
    models(&mut page, metrics);
    tools(&mut page, metrics);
    page.gauge("agentwright_guideline_points", "Points that agents are told to heed.").is(seen.points);
    page.gauge("agentwright_experiments_open", "Experiments under way.").is(seen.experiments);
    http(&mut page, metrics);
    store(&mut page, &seen.vitals);
    kernel(&mut page, metrics);
    page.text()
}

fn runs(page: &mut Page, metrics: &Metrics, vitals: &Vitals) {
    page.counter("agentwright_runs_accepted_total", "Requests that this process took in.").is(metrics.accepted.get());
    let mut ended =
        page.counter("agentwright_runs_ended_total", "Runs that ended in this process, by status and route.");
    for ([status, route], count) in metrics.ended.all() {
        ended.with(&[("status", status), ("route", route)], count.get());
    }
    let help = "From a request to its answer, for runs that did not wait, by route.";
    let mut took = page.durations("agentwright_run_duration_seconds", help);
    for (route, durations) in metrics.took.all() {
        took.took(&[("route", route)], &durations);
    }
    let open = [("pending", vitals.pending), ("running", vitals.running), ("waiting", vitals.waiting)];
    let mut gauge = page.gauge("agentwright_runs", "Runs in the database that have not ended, by status.");
    for (status, count) in open {
        gauge.with(&[("status", status)], count);
    }
    page.gauge("agentwright_runs_due", "Runs that could be advanced now and that nobody advances.").is(vitals.due);
    page.gauge("agentwright_approvals_pending", "Approvals that nobody has decided.").is(vitals.approvals);
    page.counter("agentwright_approvals_asked_total", "Approvals that runs of this process asked for.")
        .is(metrics.approvals.get());
    page.gauge("agentwright_intents_in_doubt", "Intents of which nobody can tell whether they happened.")
        .is(vitals.in_doubt);
    let mut settled =
        page.counter("agentwright_intents_settled_total", "Intents that this process settled, by outcome.");
    for (status, count) in metrics.intents.all() {
        settled.with(&[("status", status)], count.get());
    }
}

fn models(page: &mut Page, metrics: &Metrics) {
    let models = metrics.models.all();
    let mut calls = page.counter("agentwright_model_calls_total", "Questions to models.");
    for (model, figures) in &models {
        calls.with(&[("model", model)], figures.calls.get());
    }
    let mut failed = page.counter("agentwright_model_failures_total", "Questions that models did not answer.");
    for (model, figures) in &models {
        failed.with(&[("model", model)], figures.failed.get());
    }
    let mut tokens = page.counter("agentwright_model_tokens_total", "Tokens that models read and wrote.");
    for (model, figures) in &models {
        tokens.with(&[("model", model), ("direction", "input")], figures.input.get());
        tokens.with(&[("model", model), ("direction", "output")], figures.output.get());
    }
    let mut cost = page.counter("agentwright_model_cost_dollars_total", "What models cost, by the configured prices.");
    for (model, figures) in &models {
        cost.with(&[("model", model)], figures.micros.get() as f64 / 1e6);
    }
    let mut took = page.durations("agentwright_model_duration_seconds", "How long models took to answer.");
    for (model, figures) in &models {
        took.took(&[("model", model)], &figures.took);
    }
}

fn tools(page: &mut Page, metrics: &Metrics) {
    let tools = metrics.tools.all();
    let mut calls = page.counter("agentwright_tool_calls_total", "Calls of tools, reads and writes.");
    for (tool, figures) in &tools {
        calls.with(&[("tool", tool)], figures.calls.get());
    }
    let mut failed = page.counter("agentwright_tool_failures_total", "Calls of tools that failed.");
    for (tool, figures) in &tools {
        failed.with(&[("tool", tool)], figures.failed.get());
    }
    let mut took = page.durations("agentwright_tool_duration_seconds", "How long calls of tools took that only read.");
    for (tool, figures) in &tools {
        took.took(&[("tool", tool)], &figures.took);
    }
}

fn http(page: &mut Page, metrics: &Metrics) {
    let requests = metrics.requests.all();
    let help = "How long answers took until their first byte, by method, declared path and status.";
    let mut took = page.durations("agentwright_http_request_duration_seconds", help);
    for ((method, path, status), durations) in &requests {
        let status = status.to_string();
        took.took(&[("method", method), ("path", path), ("status", &status)], durations);
    }
    let streams = metrics.streams.load(Ordering::Relaxed).max(0);
    page.gauge("agentwright_event_streams_open", "Streams of events that somebody reads.").is(streams);
}

fn store(page: &mut Page, vitals: &Vitals) {
    page.counter("agentwright_store_commits_total", "Transactions that this process committed.").is(vitals.commits);
    page.gauge("agentwright_store_queue", "What this process wants written and has not been.").is(vitals.queued);
    page.gauge("agentwright_workers", "Processes that advance runs in this database.").is(vitals.workers);
}

/// The usual names, so that the usual dashboards find them.
fn kernel(page: &mut Page, metrics: &Metrics) {
    let seen = process();
    if let Some(bytes) = seen.resident_bytes {
        page.gauge("process_resident_memory_bytes", "Memory that is in use.").is(bytes);
    }
    if let Some(seconds) = seen.cpu_seconds {
        page.counter("process_cpu_seconds_total", "Time of processors that was used.").is(seconds);
    }
    if let Some(threads) = seen.threads {
        page.gauge("process_threads", "Threads.").is(threads);
    }
    if let Some(files) = seen.open_files {
        page.gauge("process_open_fds", "Open files and connections.").is(files);
    }
    page.gauge("agentwright_uptime_seconds", "How long the server has been there.")
        .is(metrics.begun.elapsed().as_secs());
}
