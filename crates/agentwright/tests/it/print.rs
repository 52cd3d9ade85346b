//! Pages that people read, made from a ledger with something of everything.

use agentwright::print::run::RunPage;
use agentwright::print::{Ink, events, run};
use domain::event::Event;
use domain::intent::{IntentStatus, IntentView};
use domain::run::{Flags, RunStatus, RunSummary};
use domain::store::PendingWait;
use domain::view::fold;

use crate::progress::ledger;

fn page() -> RunPage {
    let ledger = ledger();
    let (first, last) = (&ledger[0].entry, &ledger[ledger.len() - 1].entry);
    let view = fold(&ledger);
    let Event::Received { request, .. } = &first.event else { panic!("not a ledger") };
    let run = "run_019a84f0c1d27000800000000000000a".parse().expect("a run");
    let declared = ledger.iter().filter_map(|recorded| match &recorded.entry.event {
        Event::IntentDeclared { intent } => Some(intent.clone()),
        _ => None,
    });
    let settled = |key: &str| {
        ledger.iter().find_map(|recorded| match &recorded.entry.event {
            Event::IntentSettled { intent, settlement } if intent == key => Some(settlement.clone()),
            _ => None,
        })
    };
    let intents = declared.map(|intent| {
        let settlement = settled(&intent.key);
        let status = settlement.as_ref().map_or(IntentStatus::Sending, |settlement| settlement.status());
        IntentView { run, intent, status, attempts: 1, settlement, updated_at: last.at }
    });
    RunPage {
        run: RunSummary {
            run,
            status: view.status.unwrap_or(RunStatus::Pending),
            text: request.text.as_str().to_owned(),
            answer: None,
            error: None,
            failure: None,
            strategy: view.strategy,
            role: None,
            quality: None,
            session: None,
            user: Some("ada".into()),
            parent: None,
            flags: Flags::default(),
            spent: view.spent,
            events: ledger.len() as u64,
            created_at: first.at,
            updated_at: last.at,
        },
        intents: intents.collect(),
        waits: view.waits.iter().map(|wait| PendingWait { run, wait: wait.clone(), since: last.at }).collect(),
        view,
    }
}

#[test]
fn a_run_is_shown_with_its_doubts_and_how_to_answer_it() {
    let page = page();
    insta::assert_snapshot!(run::page(&page, page.run.updated_at, Ink::Plain));
}

#[test]
fn events_are_shown_one_a_line_and_cannot_steer_a_terminal() {
    let listing = events::listing(&ledger(), Ink::Plain);
    assert!(listing.chars().all(|c| !c.is_control() || c == '\n'));
    insta::assert_snapshot!(listing);
}

#[test]
fn colours_come_and_go_without_changing_a_word() {
    let page = page();
    let coloured = run::page(&page, page.run.updated_at, Ink::Colour);
    assert!(coloured.contains("\u{1b}[31mUNKNOWN\u{1b}[0m"));
    let mut bare = String::new();
    let mut rest = coloured.as_str();
    while let Some(at) = rest.find('\u{1b}') {
        bare.push_str(&rest[..at]);
        rest = &rest[at + rest[at..].find('m').expect("the end of a colour") + 1..];
    }
    bare.push_str(rest);
    assert_eq!(bare, run::page(&page, page.run.updated_at, Ink::Plain));
}
