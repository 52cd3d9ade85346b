//! What people are asked: how it reads, and what becomes of what they say.

use agentwright::print::Ink;
use agentwright::print::approval::{self, Detail};
use domain::approval::Approval;
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::program::{Project, Said};

fn asked(proposal: Value) -> Approval {
    let whole = json!({
        "id": "apr_0123456789abcdef0123456789abcdef", "run": "run_019a84f0c1d27000800000000000000a",
        "name": "plan/1/approval", "question": "May this be carried out?",
        "hash": "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", "proposal": proposal,
        "asked_at": "2026-05-01T12:00:00Z", "expires_at": "2026-05-01T14:30:00Z", "status": "pending",
    });
    serde_json::from_value(whole).expect("an approval")
}

fn now() -> Timestamp {
    "2026-05-01T12:05:00Z".parse().expect("a moment")
}

fn team() -> Value {
    let prompt = "You find tables.\nYou look at three places at most.\nYou say why.\nYou write down the address.\n\
        You never book.\u{1b}[2J";
    json!({
        "subject": {"kind": "plan", "version": 1, "plan": {"goal": "eat out", "answer": "${tell}", "steps": [
            {"id": "find", "goal": "find a table for four", "agent": "table-finder", "prompt": prompt, "tools": ["search.web"]},
            {"id": "tell", "goal": "tell everybody", "tool": "mail.send",
                "arguments": {"to": "all@example.org", "text": "${find}"}, "depends_on": ["find"]},
        ]}},
        "summary": "Eat out: 2 steps by 1 agent; sends 1 mail",
        "why": "mail leaves this machine", "rule": "the rule for `mail.*`",
        "agents": [{"id": "table-finder", "step": "find", "description": "Finds tables in restaurants", "prompt": prompt,
            "tools": ["search.web"], "decision": "adapt", "why": "it found tables 4 times before", "from": "finder"}],
        "effects": [
            {"step": "tell", "tool": "mail.send", "words": "sends 1 mail to all@example.org", "reversible": false, "external": true},
            {"step": "find", "tool": "search.web", "words": "searches the web", "reversible": true, "external": true}],
        "estimate": {"usd": [0.01, 0.04], "seconds": [4.0, 71.0]},
        "findings": [
            {"code": "AW-PLAN-051", "step": "find", "says": "it always holds", "weight": "notice"},
            {"code": "AW-PLAN-061", "step": "tell", "says": "a person has to agree to `mail.send`", "weight": "approval"}],
        "risk": "high",
    })
}

fn replan() -> Value {
    let mut proposal = team();
    proposal["subject"]["version"] = json!(2);
    proposal["subject"]["base"] = json!(1);
    proposal["subject"]["diff"] = json!([
        {"op": "replace", "path": "/steps/1/arguments/to", "value": "ada@example.org"},
        {"op": "remove", "path": "/steps/2"},
        {"op": "add", "path": "/answer", "value": "${tell}"},
    ]);
    proposal
}

fn call() -> Value {
    json!({
        "subject": {"kind": "call", "step": "tell", "call": {"tool": "mail.send",
            "arguments": {"to": "ada@example.org", "text": "See you \u{202e}at eight"}}},
        "summary": "sends 1 mail to ada@example.org", "why": "it goes where a tool's result says", "risk": "medium",
        "effects": [{"tool": "mail.send", "words": "sends 1 mail to ada@example.org", "reversible": false, "external": true}],
    })
}

#[test]
fn a_plan_is_shown_with_who_does_it_and_what_it_would_do() {
    let team = asked(team());
    insta::assert_snapshot!("plan", approval::review(&team, Detail::Glance, now(), Ink::Plain));
    insta::assert_snapshot!("plan_prompts", approval::prompts(&team, Ink::Plain));
    insta::assert_snapshot!("plan_whole", approval::whole(&team, Ink::Plain));
}

#[test]
fn of_a_replan_only_the_difference_is_shown() {
    let shown = approval::review(&asked(replan()), Detail::Glance, now(), Ink::Plain);
    insta::assert_snapshot!("replan", shown);
    assert!(!shown.contains("Finds tables"), "an agent that nothing is changed about: {shown}");
}

#[test]
fn a_call_is_shown_with_its_arguments() {
    insta::assert_snapshot!("call", approval::review(&asked(call()), Detail::Glance, now(), Ink::Plain));
}

#[test]
fn nothing_that_a_model_wrote_steers_the_terminal() {
    for proposal in [team(), replan(), call()] {
        let asked = asked(proposal);
        let texts = [
            approval::review(&asked, Detail::Glance, now(), Ink::Plain),
            approval::prompts(&asked, Ink::Plain),
            approval::whole(&asked, Ink::Plain),
        ];
        for text in texts {
            assert!(text.chars().all(|c| (!c.is_control() || c == '\n') && c != '\u{202e}'), "{text:?}");
        }
    }
}

/// Counts, then makes a note of it, which a rule wants a person for.
fn project() -> Project {
    let plan = json!({"goal": "count and note", "answer": "There are ${count} words.", "steps": [
        {"id": "count", "goal": "count the words", "tool": "text.count", "arguments": {"text": "one two three"}},
        {"id": "note", "tool": "audit.note", "arguments": {"text": "${count} words"}},
    ]});
    let rule = "[[approval.rule]]\ntool = \"audit.*\"\naction = \"ask\"";
    Project::new().tools().file("agentwright.toml", rule).file("plan.json", &plan.to_string())
}

fn waiting(project: &Project) -> Said {
    let said = project.run(&["run", "--plan", "plan.json", "-q", "count"]);
    assert_eq!(said.code, 4, "{}", said.whole());
    said
}

fn notes(project: &Project) -> String {
    std::fs::read_to_string(project.path().join(".agentwright/audit.jsonl")).unwrap_or_default()
}

#[test]
fn what_is_asked_is_listed_shown_and_approved_once() {
    let project = project();
    let steps: [&[&str]; 6] = [
        &["run", "--plan", "plan.json", "-q", "count"],
        &["approvals", "list"],
        &["approvals", "show", "last"],
        &["approvals", "approve", "last", "-q"],
        &["approvals"],
        &["approvals", "list", "--all"],
    ];
    let said =
        steps.map(|arguments| format!("$ agentwright {}\n{}", arguments.join(" "), project.run(arguments).whole()));
    insta::assert_snapshot!(said.join("\n"));
    assert_eq!(notes(&project).lines().count(), 1);
}
