//! What people are asked: how it reads, and what becomes of what they say.

use agentwright::print::approval::{self, Detail};
use agentwright::print::{Ink, approvals};
use domain::approval::Approval;
use domain::store::Cursor;
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
fn the_inbox_has_one_line_a_question() {
    let of = |id: &str, proposal: Value| Approval { id: id.repeat(32).parse().expect("an id"), ..asked(proposal) };
    let inbox = [of("1", team()), of("2", call())];
    let next = Cursor("abc".into());
    insta::assert_snapshot!("inbox", approvals::listing(&inbox, Some(&next), now(), Ink::Plain));
    assert_eq!(approvals::listing(&[], None, now(), Ink::Plain), "nothing to decide\n");
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
fn what_is_asked_is_shown_and_approved_once() {
    let project = project();
    let steps: [&[&str]; 5] = [
        &["run", "--plan", "plan.json", "-q", "count"],
        &["approvals", "show", "last"],
        &["runs", "show", "last"],
        &["approvals", "approve", "last", "-q"],
        &["approvals"],
    ];
    let said =
        steps.map(|arguments| format!("$ agentwright {}\n{}", arguments.join(" "), project.run(arguments).whole()));
    insta::assert_snapshot!(said.join("\n"));
    assert_eq!(notes(&project).lines().count(), 1);
}

/// What would be carried out, changed.
fn changed(project: &Project, change: impl FnOnce(&mut Value)) -> String {
    let mut plan = project.run(&["approvals", "show", "last", "-o", "json"]).fine().json()["plan"].clone();
    change(&mut plan);
    plan.to_string()
}

#[test]
fn an_approval_as_json_has_every_field_it_is_documented_with() {
    let project = project();
    waiting(&project);
    let one = project.run(&["approvals", "show", "last", "-o", "json"]).fine().json();
    let fields: Vec<&str> = one.as_object().expect("an object").keys().map(String::as_str).collect();
    insta::assert_snapshot!(fields.join(" "));
    let listed = project.run(&["approvals", "list", "--run", "last", "-o", "json"]).fine().json();
    assert_eq!(listed["approvals"], json!([one]));
    assert_eq!((&one["kind"], &one["status"], &one["risk"]), (&json!("plan"), &json!("pending"), &json!("high")));
}

#[test]
fn the_first_decision_counts_and_the_second_hears_of_it() {
    let project = project();
    waiting(&project);
    let id = project.run(&["approvals", "list", "-o", "json"]).fine().json()["approvals"][0]["id"].clone();
    assert_eq!(id, json!("apr_1"));
    let rejected = project.run(&["approvals", "reject", "last", "--reason", "not today", "-q"]);
    assert_eq!(rejected.code, 1, "{}", rejected.whole());
    assert!(rejected.err.contains("not today"), "{}", rejected.err);
    let list = project.run(&["approvals", "list", "--status", "decided"]).fine();
    assert!(list.out.contains("decided"), "{}", list.out);
    let start =
        list.out.lines().nth(1).and_then(|row| row.split_whitespace().next()).map(str::to_owned).expect("an id");
    assert_eq!(start, "apr_1");
    assert_eq!(notes(&project), "");
}

#[test]
fn what_stands_in_a_file_is_carried_out_instead() {
    let project = project();
    waiting(&project);
    let edit = changed(&project, |plan| plan["steps"][1]["arguments"]["text"] = json!("${count} in all"));
    let said = project.run_with(edit.as_bytes(), &["approvals", "edit", "last", "--file", "-", "-q"]).fine();
    assert_eq!(said.out, "There are 3 words.\n");
    assert!(notes(&project).contains("3 in all"), "{}", notes(&project));
    let by_whom = project.run(&["runs", "show", "last", "--events"]).fine();
    assert!(by_whom.out.contains("answered"), "{}", by_whom.out);
}

#[test]
fn an_edit_that_cannot_be_carried_out_changes_nothing() {
    let project = project();
    waiting(&project);
    let no_steps = changed(&project, |plan| plan["steps"] = json!([]));
    let unknown_tool = changed(&project, |plan| plan["steps"][1]["tool"] = json!("mail.send"));
    let no_answer = changed(&project, |plan| plan["steps"] = json!([plan["steps"][1]]));
    let unchanged = changed(&project, |_| {});
    let try_it = |text: &str| {
        let said = project.run_with(text.as_bytes(), &["approvals", "edit", "last", "--file", "-"]);
        format!("{}\n", said.whole())
    };
    let said = [no_steps, unknown_tool, no_answer, unchanged, "goal = ".into(), "{".into()].map(|text| try_it(&text));
    insta::assert_snapshot!(said.concat());
    assert_eq!(project.run(&["approvals", "approve", "last", "-q"]).fine().out, "There are 3 words.\n");
}

#[test]
fn what_is_not_asked_any_more_cannot_be_decided() {
    let project = project();
    waiting(&project);
    let other = format!("sha256:{}", "0".repeat(64));
    let stale = project.run(&["approvals", "approve", "last", "--hash", &other, "-q"]);
    assert_eq!(stale.code, 1, "{}", stale.whole());
    assert!(stale.err.contains("May this plan be carried out?") && stale.err.contains("--hash sha256:HASH"));
    let foreign = format!("apr_{}", "0".repeat(32));
    for unknown in [foreign.as_str(), "apr_00", "nonsense"] {
        let said = project.run(&["approvals", "approve", unknown]);
        assert_eq!(said.code, 2, "{}", said.whole());
    }
    project.run(&["runs", "cancel", "last"]).fine();
    let said = project.run(&["approvals", "list", "--all", "-o", "json"]).fine().json();
    assert_eq!(said["approvals"][0]["status"], json!("withdrawn"));
    assert_eq!(
        project.run(&["approvals", "approve", "last"]).err.lines().next(),
        Some("error: there is nothing to decide")
    );
    assert_eq!(notes(&project), "");
}

#[test]
fn a_yes_given_beforehand_does_not_reach_what_a_rule_wants_a_person_for() {
    let said = project().run(&["run", "--yes", "--plan", "plan.json", "-q", "count"]);
    assert_eq!(said.code, 4, "{}", said.whole());
    let plan = json!({"plan": {"goal": "count", "answer": "There are ${count} words.", "steps": [
        {"id": "count", "tool": "text.count", "arguments": {"text": "one two three"}}]},
        "system_prompt": "You count.", "tool_names": ["text.count"]});
    let always = "[models]\ndefault = \"scripted:script.json\"\n[approval]\nplans = \"always\"\n";
    let project = project().script(&json!([{"text": plan.to_string()}])).file("agentwright.toml", always);
    let run = ["run", "--strategy", "task_graph", "-q", "count the words"];
    assert_eq!(project.run(&run).code, 4);
    let agreed = project.run(&[&run[..], &["--yes"]].concat()).fine();
    assert_eq!(agreed.out, "There are 3 words.\n");
}

#[test]
fn nobody_is_asked_where_nobody_is() {
    let project = project();
    waiting(&project);
    let said = project.run(&["approvals", "review"]);
    assert_eq!((said.code, said.err.lines().next()), (2, Some("error: nobody is at the terminal who could be asked")));
    let left = project.run(&["approvals", "approve", "last", "--no-wait"]).fine();
    assert_eq!(left.out, "apr_1: approve\n");
    assert_eq!(notes(&project), "");
    project.run(&["work"]).fine();
    assert_eq!(notes(&project).lines().count(), 1);
}

const KEYS: &str = "[?]";

#[test]
fn a_person_reads_and_presses_a_key() {
    let project = project();
    let keys = [(KEYS, "x"), (KEYS, "?"), (KEYS, "p"), (KEYS, "d"), (KEYS, "f"), (KEYS, "e"), (KEYS, "a")];
    let said = project.at_terminal(&keys, &["run", "--plan", "plan.json", "-q", "count"]);
    insta::assert_snapshot!(said.out);
    assert_eq!(said.code, 0);
    assert_eq!(notes(&project).lines().count(), 1);
}

#[test]
fn a_person_leaves_it_for_later_and_goes_through_the_inbox() {
    let project = project();
    let later = project.at_terminal(&[(KEYS, "l")], &["run", "--plan", "plan.json", "-q", "count"]);
    assert_eq!(later.code, 4, "{}", later.out);
    waiting(&project);
    let said = project.at_terminal(&[(KEYS, "r"), (KEYS, "\u{3}")], &["approvals"]);
    assert_eq!(said.code, 4, "{}", said.out);
    assert!(said.out.contains("1 question left to decide"), "{}", said.out);
    let resumed = project.at_terminal(&[(KEYS, "a")], &["approvals", "review", "last", "-q"]);
    assert_eq!(resumed.code, 0, "{}", resumed.out);
    assert!(resumed.out.contains("There are 3 words."), "{}", resumed.out);
    assert_eq!(notes(&project).lines().count(), 1);
}

#[test]
fn a_plan_is_changed_in_the_persons_editor_until_it_can_be_carried_out() {
    // The first time it breaks the plan, the second time it mends it.
    let editor = "#!/bin/sh\nif grep -q 'mail.send' \"$2\"; then sed -i 's/mail.send/audit.note/; s/ words\"/ in all\"/' \"$2\"\n\
        else sed -i 's/audit.note/mail.send/' \"$2\"; fi\n";
    let project = project().file("editor.sh", editor).variable("VISUAL", "sh ./editor.sh --wait");
    let keys = [(KEYS, "e"), ("[e]dit again", "e")];
    let said = project.at_terminal(&keys, &["run", "--plan", "plan.json", "-q", "count"]);
    insta::assert_snapshot!(said.out);
    assert!(notes(&project).contains("3 in all"), "{}", notes(&project));
    assert_eq!(std::fs::read_dir(project.path().join(".agentwright/edits")).expect("a folder").count(), 0);
}

#[test]
fn what_was_written_is_kept_until_it_can_be_carried_out() {
    let editor = "#!/bin/sh\nsed -i 's/audit.note/mail.send/' \"$1\"\n";
    let project = project().file("editor.sh", editor).variable("EDITOR", "sh ./editor.sh");
    waiting(&project);
    let said = project.run(&["approvals", "edit", "last"]);
    assert_eq!(said.code, 6, "{}", said.whole());
    assert!(said.err.contains("what you wrote is in `~/work/.agentwright/edits/apr_1"), "{}", said.err);
    project.write("editor.sh", "#!/bin/sh\nsed -i 's/mail.send/audit.note/' \"$1\"\n");
    let again = project.run(&["approvals", "edit", "last"]);
    assert_eq!(again.code, 4, "{}", again.whole());
    assert!(again.err.contains("which was left there") && again.err.contains("nothing was changed"), "{}", again.err);
    project.write("editor.sh", "#!/bin/sh\n: > \"$1\"\n");
    let emptied = project.run(&["approvals", "edit", "last"]);
    assert!(emptied.code == 4 && emptied.err.contains("nothing was changed"), "{}", emptied.whole());
}
