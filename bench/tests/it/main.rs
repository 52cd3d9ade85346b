//! Each benchmark once, small, so that none rots. What they measure here means nothing.

use std::path::Path;

use bench::{
    approvals, crash, fsync, http::Server, ingest, ledger, mock, overhead, parallel, process, stream, verifier, waiting,
};
use clap::Parser;
use domain::tool::Repeat;
use tokio::task::JoinSet;

/// A model in this process, gone with the test.
async fn model(mode: &str) -> (JoinSet<()>, String) {
    let server = Server::bind(0).await.expect("a port");
    let base = format!("http://{}/{mode}/v1", server.address().expect("an address"));
    let mut serving = JoinSet::new();
    serving.spawn(mock::serve(server));
    (serving, base)
}

async fn conversations(mode: &str, arguments: &str) -> overhead::Measured {
    let (_serving, base) = model(mode).await;
    let args = overhead::Args::parse_from(format!("overhead {arguments}").split_whitespace());
    overhead::measure(&args, &base).await.expect("measured")
}

#[tokio::test(flavor = "multi_thread")]
async fn conversations_are_whole_however_tools_are_declared() {
    for arguments in
        ["--runs 5 --warmup 1", "--runs 6 --warmup 1 --conc 3 --variant reads", "--runs 5 --warmup 1 --by dispatcher"]
    {
        let measured = conversations("l0", arguments).await;
        assert_eq!((measured.bad, measured.runs > 4), (0, true), "{measured:?}");
        assert!(measured.cpu_ms > 0.0 && measured.json()["peak"].as_f64() > Some(1.0), "{}", measured.json());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn six_calls_of_one_turn_are_made_at_once() {
    let measured = conversations("plan6", "--runs 1 --warmup 0 --task plan6").await;
    assert_eq!(measured.bad, 0);
    assert!(measured.latency.0 < 400.0, "{measured:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ledger_is_measured_at_each_size() {
    let args = ledger::Args::parse_from([
        "ledger",
        "--writers",
        "4",
        "--sizes",
        "100,300",
        "--window",
        "100",
        "--rounds",
        "1",
    ]);
    let measured = ledger::measure(&args, |_| {}).await.expect("measured");
    assert_eq!(measured.len(), 2);
    assert!(measured[1].size >= 300 && measured[1].rate() > 0.0, "{measured:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn six_independent_steps_take_as_long_as_one() {
    let measured = parallel::measure(&parallel::Args { runs: 1 }).await.expect("measured");
    assert!(measured["ratio"].as_f64() < Some(4.0), "{measured}");
}

#[tokio::test(flavor = "multi_thread")]
async fn waiting_runs_have_no_tasks_and_complete_when_they_are_answered() {
    let measured = waiting::measure(&waiting::Args { runs: 40, answers: 5 }).await.expect("measured");
    let tasks = |name: &str| measured[name].as_u64().expect("a number");
    assert_eq!(tasks("tasks_waiting"), tasks("tasks_before") + 1, "{measured}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_done_is_what_was_agreed_to_once_however_answers_race() {
    let measured = approvals::measure(&approvals::Args { races: 60, at_once: 8, seed: 7 }).await.expect("measured");
    assert_eq!((&measured["double_executions"], &measured["other_bytes"]), (&0.into(), &0.into()), "{measured}");
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_follows_a_run_sees_every_event_however_often_they_are_cut_off() {
    let arguments = "stream --clients 20 --cuts 60 --steps 10 --pause 20 --idle 30 --seconds 1";
    let args = stream::Args::parse_from(arguments.split_whitespace());
    let measured = stream::measure(&args, Path::new(env!("CARGO_BIN_EXE_stream"))).await.expect("measured");
    assert!(measured["followed"]["cut_off"].as_u64() > Some(40), "{measured}");
    assert_eq!(measured["idle"]["clients"], 30);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_span_that_was_taken_in_is_there() {
    let args = ingest::Args::parse_from(["ingest", "--spans", "2000", "--batch", "100", "--connections", "3"]);
    let measured = ingest::measure(&args, Path::new(env!("CARGO_BIN_EXE_ingest"))).await.expect("measured");
    assert_eq!((&measured["spans"], &measured["traces"]), (&2000.into(), &200.into()), "{measured}");
}

fn kills(arguments: &str) -> crash::Args {
    crash::Args::parse_from(format!("crash --seconds 30 --replays 20 {arguments}").split_whitespace())
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_or_done_twice_in_a_few_kills() {
    let args = kills("--kills 3 --life 600 --slow 30 --seed 1 --under-way 10");
    let outcome = crash::run(&args, Path::new(env!("CARGO_BIN_EXE_crash"))).await.expect("an outcome");
    assert!(outcome.violations.is_empty(), "{:?}", outcome.violations);
    assert_eq!((&outcome.summary["kills"], &outcome.summary["lost"]), (&3.into(), &0.into()));
    assert!(outcome.summary["resumed"].as_u64() > Some(0), "{}", outcome.summary);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_that_is_wrongly_said_to_be_repeatable_is_caught() {
    let args = kills("--kills 5 --life 600 --slow 200 --seed 2 --under-way 20 --sabotage");
    let outcome = crash::run(&args, Path::new(env!("CARGO_BIN_EXE_crash"))).await.expect("an outcome");
    let caught = outcome.violations.iter().any(|violation| violation.contains("was carried out 2 times"));
    assert!(caught, "{:?}: {}", outcome.violations, outcome.summary);
}

#[test]
fn what_the_desk_describes_are_tools() {
    let described = crash::desk::described("http://127.0.0.1:1", Repeat::Never).expect("described");
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("desk.toml"), described).expect("written");
    let tools = tools::load(folder.path(), &tools::client().expect("a client"), &|_| None).expect("tools");
    assert_eq!(tools.len(), 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_acknowledged_was_flushed() {
    let tracing = process::program(Path::new("strace"), &["-V"]).stdout(std::process::Stdio::null()).status().await;
    let args = fsync::Args { accepts: 5 };
    let counted = fsync::run(&args, Path::new(env!("CARGO_BIN_EXE_fsync"))).await;
    match (tracing, counted) {
        (Ok(_), counted) => {
            let counted = counted.expect("counted");
            assert_eq!((&counted["without_flush"], &counted["without_write"]), (&0.into(), &0.into()), "{counted}");
        }
        (Err(_), counted) => {
            let why = counted.expect_err("there is nothing to trace with").to_string();
            assert!(why.contains("hint: as root, apt-get install strace"), "{why}");
        }
    }
}

#[tokio::test]
async fn planted_defects_are_found_and_plans_without_any_are_not_refused() {
    let toolset = verifier::toolset::everything().await.expect("tools");
    let planted = verifier::plant(&toolset, 300, 2);
    assert_eq!(planted.refused, Vec::<String>::new());
    assert!(planted.share() >= 0.99, "{:?}", planted.missed);
    // A kind that was hardly ever planted says nothing.
    assert_eq!(planted.kinds.len(), verifier::defects::all().count());
    assert!(planted.kinds.values().all(|(tried, _)| *tried >= 50), "{:?}", planted.kinds);
}

#[test]
fn public_plans_that_are_well_formed_are_not_refused() {
    let args = verifier::Args::parse_from(["verifier"]);
    let Some(sets) = verifier::public::measure(&args.data).expect("read") else {
        eprintln!("SKIPPED: there is no data in {}; no public plans were read", args.data.display());
        return;
    };
    for set in sets {
        assert_eq!(set.wrongly, Vec::<String>::new(), "{}", set.name);
    }
}
