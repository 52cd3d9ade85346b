//! Plans that are put before a person: what they see, the four things they can say, and what becomes of each.

use domain::approval::{Approval, ApprovalStatus, Risk, Ruling, Subject, Verdict};
use domain::event::Event;
use domain::hash::Hash;
use domain::id::RunId;
use domain::library::Decision;
use domain::plan::Strategy;
use domain::run::{Ending, FailureKind, RunStatus};
use domain::thought::Orchestration;
use domain::tool::{Effect, Repeat};
use runtime::policy::{Action, Rule};
use runtime::{DecideError, Propose};
use serde_json::{Value, json};

use crate::world::{Told, World, echo, gives, refuses, says, write};

/// A rule as it is configured.
pub(crate) fn rule(tool: &str, when: &str, action: Action) -> Rule {
    let when = (!when.is_empty()).then(|| when.parse().expect("a condition"));
    Rule { tool: tool.into(), when, action }
}

/// What a run asks, where it asks one thing.
pub(crate) async fn asked(world: &World, run: RunId) -> Approval {
    let waits = world.store.waits(Some(run), 10).await.expect("waits");
    assert_eq!(waits.len(), 1, "{waits:?}");
    let id = domain::approval::ApprovalId::of(run, &waits[0].wait.name);
    let found = world.store.approval(id, jiff::Timestamp::now()).await.expect("store");
    found.expect("an approval that can be read")
}

/// Says something to what is asked.
pub(crate) async fn say(world: &World, asked: &Approval, decision: Ruling) -> Result<Approval, DecideError> {
    let verdict = Verdict { decision, hash: asked.hash, reason: None };
    world.runtime().decide(asked.id, verdict, Some("kari".into())).await
}

/// Says something, and advances the run.
pub(crate) async fn answered(world: &World, asked: &Approval, decision: Ruling) -> Told {
    say(world, asked, decision).await.expect("taken");
    world.go_on(asked.run).await.expect("advanced");
    world.tell(asked.run).await
}

pub(crate) fn respond(words: &str) -> Ruling {
    Ruling::Respond { message: words.to_owned() }
}

/// A world with a notebook in which writing needs a person.
pub(crate) async fn notebook() -> World {
    World::new()
        .await
        .tool("notes.add", write(Repeat::Never), echo())
        .tool("mail.send", write(Repeat::Never), echo())
        .tool("weather.now", Effect::Read, gives(json!({"sky": "clear"})))
        .set(|settings| settings.rules = vec![rule("notes.*", "effect == 'write'", Action::Ask)])
}

fn note(text: &str) -> Value {
    json!({"goal": "note it", "steps": [{"id": "note", "tool": "notes.add", "arguments": {"text": text}}],
        "answer": "noted ${note.text}"})
}

/// What a planner answers: this plan, for an agent with these tools.
pub(crate) fn planned(plan: Value, tools: &[&str]) -> domain::chat::Reply {
    says(
        &json!({"plan": plan, "system_prompt": "You note things.", "tool_names": tools, "guidance": "",
            "max_iterations": 5, "confidence": 0.7})
        .to_string(),
    )
}

/// A world in which every plan of a planner is proposed.
async fn planner(replies: impl IntoIterator<Item = domain::chat::Reply>) -> World {
    notebook().await.model(replies).set(|settings| {
        settings.orchestration = Some(Orchestration::Simple);
        settings.strategy = Strategy::TaskGraph;
    })
}

fn version(told: &Told) -> u32 {
    match told.events("planned").last() {
        Some(Event::Planned { version, .. }) => *version,
        other => panic!("{other:?}"),
    }
}

fn rejected(told: &Told) -> bool {
    matches!(told.view.ending, Some(Ending::Failed { reason: FailureKind::Rejected, .. }))
}

#[tokio::test]
async fn a_plan_that_a_rule_is_about_is_shown_whole_before_anything_happens() {
    let plan = json!({"goal": "note it", "steps": [
        {"id": "look", "tool": "weather.now"},
        {"id": "note", "tool": "notes.add", "arguments": {"text": "buy milk"}, "depends_on": ["look"]},
    ], "intents": [{"tool": "mail.send", "arguments": {"text": "${look.sky}"}}]});
    let (world, told) = notebook().await.carry_out(plan).await;
    assert_eq!(told.view.status, Some(RunStatus::Waiting));
    assert_eq!(world.called("weather.now").calls(), 0, "not even what only reads has happened");
    let asked = asked(&world, told.run).await;
    let Subject::Plan { version, base, plan, diff, .. } = &asked.proposal.subject else { panic!("a plan") };
    assert_eq!((*version, *base, plan.steps.len(), diff.len()), (1, None, 2, 0));
    assert_eq!(asked.hash, asked.proposal.hash());
    let effects: Vec<&str> = asked.proposal.effects.iter().map(|effect| effect.words.as_str()).collect();
    assert_eq!(effects, ["does notes.add: “buy milk”", "sends a message: what `look` brings"]);
    assert_eq!(asked.proposal.risk, Risk::Medium);
    assert_eq!(asked.proposal.rule.as_deref(), Some("the rule for `notes.*` when `effect == 'write'`"));
    assert!(asked.proposal.findings.iter().any(|finding| finding.code == "AW-PLAN-061"), "{:?}", asked.proposal);

    let told = answered(&world, &asked, Ruling::Approve).await;
    assert_eq!(told.view.status, Some(RunStatus::Completed), "{:?}", told.view.ending);
    assert_eq!(
        (world.called("notes.add").calls(), world.called("mail.send").calls()),
        (1, 1),
        "and nobody is asked again"
    );
    assert_eq!(world.runtime().replay(&told.ledger), Ok(told.ledger.len()));
}

#[tokio::test]
async fn a_rejected_plan_ends_the_run_with_the_reason() {
    let (world, told) = notebook().await.carry_out(note("x")).await;
    let asked = asked(&world, told.run).await;
    let verdict = Verdict { decision: Ruling::Reject, hash: asked.hash, reason: Some("not today".into()) };
    world.runtime().decide(asked.id, verdict, None).await.expect("taken");
    world.go_on(told.run).await.expect("advanced");
    let told = world.tell(told.run).await;
    assert!(rejected(&told));
    assert_eq!(told.error(), "the plan is not carried out: a person said no: not today");
    assert_eq!(world.called("notes.add").calls(), 0);
}

#[tokio::test]
async fn an_edited_plan_is_carried_out_as_it_was_edited_and_nobody_is_asked_again() {
    let (world, told) = notebook().await.carry_out(note("x")).await;
    let asked = asked(&world, told.run).await;
    let edited = json!({"goal": "note both", "steps": [
        {"id": "look", "tool": "weather.now"},
        {"id": "note", "tool": "notes.add", "arguments": {"text": "y"}},
        {"id": "more", "tool": "notes.add", "arguments": {"text": "${look.sky}"}},
    ], "answer": "${note.text} ${more.text}"});
    let told = answered(&world, &asked, Ruling::Edit { plan: edited }).await;
    assert_eq!(told.answer(), "y clear");
    assert_eq!(version(&told), 2);
    let Some(Event::Planned { because, .. }) = told.events("planned").last().copied() else { panic!("planned") };
    assert_eq!(because.as_deref(), Some("a person changed it"));
    assert_eq!(told.events("waiting").len(), 1);
    assert_eq!(world.runtime().replay(&told.ledger), Ok(told.ledger.len()));
}

#[tokio::test]
async fn a_change_that_cannot_be_carried_out_is_refused_and_the_question_stays() {
    let deny = |settings: &mut runtime::Settings| settings.rules.insert(0, rule("mail.*", "", Action::Deny));
    let (world, told) = notebook().await.set(deny).carry_out(note("x")).await;
    let asked = asked(&world, told.run).await;
    for (edited, code) in [
        (json!({"steps": []}), "AW-PLAN-002"),
        (json!({"steps": [{"id": "a", "tool": "mail.send", "arguments": {"text": "x"}}]}), "AW-PLAN-060"),
        (json!({"steps": [{"id": "a", "tool": "notes.burn"}]}), "AW-PLAN-020"),
        (json!({"steps": [{"id": "a", "goal": "x", "depends_on": ["a2"]}]}), "AW-PLAN-005"),
        (json!({"steps": [{"id": "a", "tool": "notes.add", "arguments": {"text": 5}}]}), "AW-PLAN-031"),
        (json!("do something else"), "AW-PLAN-001"),
    ] {
        match say(&world, &asked, Ruling::Edit { plan: edited.clone() }).await {
            Err(DecideError::Unsound { findings, approval }) => {
                assert!(findings.iter().any(|finding| finding.code == code), "{edited}: {findings:?}");
                assert_eq!(approval.status, ApprovalStatus::Pending);
            }
            other => panic!("{edited}: {other:?}"),
        }
    }
    assert!(world.tell(told.run).await.events("answered").is_empty(), "nothing of it is on record");
    assert_eq!(answered(&world, &asked, Ruling::Approve).await.answer(), "noted x");
}

#[tokio::test]
async fn words_go_to_the_planner_and_what_it_makes_of_them_is_proposed_again() {
    let world = planner([planned(note("x"), &["notes.add"]), planned(note("milk"), &["notes.add"])]).await;
    let told = world.ask("note something").await;
    let first = asked(&world, told.run).await;
    let told = answered(&world, &first, respond("it should say milk")).await;
    assert_eq!(told.view.status, Some(RunStatus::Waiting));
    let heard = format!("{:?}", world.model.as_ref().expect("a model").asks().last());
    assert!(heard.contains("it should say milk"), "{heard}");
    let second = asked(&world, told.run).await;
    assert_ne!((first.id, first.hash), (second.id, second.hash));
    // The first question is decided; who still answers it hears what was said.
    match say(&world, &first, Ruling::Approve).await {
        Err(DecideError::Already(decided)) => assert!(decided.decided.is_some()),
        other => panic!("{other:?}"),
    }
    let told = answered(&world, &second, Ruling::Approve).await;
    assert_eq!(told.answer(), "noted milk");
    assert_eq!(world.runtime().replay(&told.ledger), Ok(told.ledger.len()));
}

#[tokio::test]
async fn words_are_heard_as_often_as_plans_may_be_replaced() {
    let replies = (0..9).map(|n| planned(note(&format!("try {n}")), &["notes.add"]));
    let world = planner(replies).await.set(|settings| settings.max_replans = 2);
    let mut told = world.ask("note something").await;
    let mut times = 0;
    while told.view.status == Some(RunStatus::Waiting) {
        let asked = asked(&world, told.run).await;
        told = answered(&world, &asked, respond("no, another one")).await;
        times += 1;
    }
    assert_eq!(times, 3);
    assert!(rejected(&told), "{:?}", told.view.ending);
    assert_eq!(world.called("notes.add").calls(), 0);
}

#[tokio::test]
async fn without_a_model_there_is_nobody_to_respond_to() {
    let (world, told) = notebook().await.carry_out(note("x")).await;
    let asked = asked(&world, told.run).await;
    assert!(matches!(say(&world, &asked, respond("hm")).await, Err(DecideError::Unheard(_))));
    assert_eq!(answered(&world, &asked, Ruling::Approve).await.answer(), "noted x");
}

#[tokio::test]
async fn an_answer_to_something_else_is_refused() {
    let (world, told) = notebook().await.carry_out(note("x")).await;
    let asked = asked(&world, told.run).await;
    let runtime = world.runtime();
    let approve = |hash| Verdict { decision: Ruling::Approve, hash, reason: None };
    match runtime.decide(asked.id, approve(Hash::of(b"another plan")), None).await {
        Err(DecideError::Stale(current)) => assert_eq!(current.hash, asked.hash),
        other => panic!("{other:?}"),
    }
    let nobody = domain::approval::ApprovalId::of(told.run, "plan/9/approval");
    assert!(matches!(runtime.decide(nobody, approve(asked.hash), None).await, Err(DecideError::Unknown(_))));
    runtime.cancel(told.run, None).await.expect("cancelled");
    world.go_on(told.run).await.expect("advanced");
    assert!(matches!(runtime.decide(asked.id, approve(asked.hash), None).await, Err(DecideError::Withdrawn(_))));
    assert_eq!(world.called("notes.add").calls(), 0);
}

#[tokio::test]
async fn of_two_answers_at_once_one_counts_and_the_other_hears_which() {
    let (world, told) = notebook().await.carry_out(note("x")).await;
    let asked = asked(&world, told.run).await;
    let (yes, no) = tokio::join!(say(&world, &asked, Ruling::Approve), say(&world, &asked, Ruling::Reject));
    assert_eq!(yes.is_ok(), no.is_err(), "{yes:?} {no:?}");
    let late = yes.as_ref().err().or(no.as_ref().err()).expect("one was late");
    assert!(matches!(late, DecideError::Already(_)), "{late:?}");
    world.go_on(told.run).await.expect("advanced");
    let told = world.tell(told.run).await;
    assert_eq!((yes.is_ok(), no.is_ok()), (world.called("notes.add").calls() == 1, rejected(&told)));
}

#[tokio::test]
async fn what_expires_is_not_carried_out_however_late_the_answer_is() {
    let patience = |settings: &mut runtime::Settings| settings.patience = Some(std::time::Duration::from_nanos(1));
    let (world, told) = notebook().await.set(patience).carry_out(note("x")).await;
    let asked = asked(&world, told.run).await;
    assert_eq!(asked.status, ApprovalStatus::Expired);
    assert!(matches!(say(&world, &asked, Ruling::Approve).await, Err(DecideError::Expired(_))));
    // Nor is a plain yes, which is told so by being too late.
    let late = world.runtime().answer(told.run, &asked.name, json!("yes"), None).await.expect("store");
    assert!(matches!(late, domain::store::Signalled::Late(_)), "{late:?}");
    world.go_on(told.run).await.expect("advanced");
    let told = world.tell(told.run).await;
    assert!(rejected(&told));
    assert_eq!(told.error(), "the plan is not carried out: nobody agreed in time");
    assert_eq!(world.called("notes.add").calls(), 0);
}

#[tokio::test]
async fn an_answer_that_was_recorded_after_the_expiry_does_not_count() {
    let patience = |settings: &mut runtime::Settings| settings.patience = Some(std::time::Duration::from_nanos(1));
    let (world, told) = notebook().await.set(patience).carry_out(note("x")).await;
    let asked = asked(&world, told.run).await;
    let verdict = Verdict { decision: Ruling::Approve, hash: asked.hash, reason: None };
    let answer = serde_json::to_value(verdict).expect("JSON");
    let event = Event::Answered { name: asked.name.clone(), answer, by: None };
    let key = format!("answer/{}", asked.name);
    let entry = domain::event::Entry { key, input: None, at: jiff::Timestamp::now(), event };
    world.store.signal(told.run, entry).await.expect("recorded");
    world.go_on(told.run).await.expect("advanced");
    assert!(rejected(&world.tell(told.run).await));
    assert_eq!(world.called("notes.add").calls(), 0);
}

#[tokio::test]
async fn a_yes_that_came_before_the_question_agrees_to_nothing() {
    let world = notebook().await.wishing(|wishes| wishes.plan = Some(note("x")));
    let runtime = world.runtime();
    let run = runtime.accept(world.request("do it")).await.expect("accepted");
    runtime.answer(run, "plan/1/approval", json!("yes"), None).await.expect("filed");
    world.go_on(run).await.expect("advanced");
    assert_eq!(world.called("notes.add").calls(), 0);
    let asked = asked(&world, run).await;
    assert_eq!(asked.name, "plan/1/approval~2");
    assert_eq!(answered(&world, &asked, Ruling::Approve).await.answer(), "noted x");
}

#[tokio::test]
async fn a_question_survives_the_processes_that_asked_it() {
    let (world, told) = notebook().await.carry_out(note("x")).await;
    let before = asked(&world, told.run).await;
    for _ in 0..3 {
        world.go_on(told.run).await.expect("advanced");
    }
    let after = asked(&world, told.run).await;
    assert_eq!((before.id, before.hash, before.asked_at), (after.id, after.hash, after.asked_at));
    assert_eq!(world.tell(told.run).await.events("waiting").len(), 1);
    let told = answered(&world, &after, Ruling::Approve).await;
    assert_eq!((told.answer(), world.called("notes.add").calls()), ("noted x", 1));
}

#[tokio::test]
async fn who_only_tries_or_plans_is_not_asked() {
    let (world, told) = notebook().await.wishing(|wishes| wishes.dry = true).carry_out(note("x")).await;
    assert_eq!((told.view.status, world.called("notes.add").calls()), (Some(RunStatus::Completed), 0));
    let (_, told) = notebook().await.wishing(|wishes| wishes.plan_only = true).carry_out(note("x")).await;
    assert_eq!(told.view.status, Some(RunStatus::Completed));
}

#[tokio::test]
async fn a_team_is_proposed_with_its_agents_and_a_changed_agent_is_a_new_version_by_that_person() {
    let team = json!({"goal": "tell", "steps": [
        {"id": "look", "goal": "find out how the sky is", "tools": ["weather.now"]},
        {"id": "tell", "goal": "say it kindly", "tools": [], "depends_on": ["look"]},
    ]});
    let world = planner([planned(team, &["weather.now"]), says("clear"), says("It is clear, dear."), says("Clear.")])
        .await
        .set(|settings| {
            settings.rules.clear();
            settings.propose = Propose::Teams;
            settings.strategy = Strategy::Cohort;
            let off = runtime::Component { disabled: true, ..runtime::Component::default() };
            settings.components.insert("prompt_creator".into(), off);
        });
    let told = world.ask("how is the sky?").await;
    let asked = asked(&world, told.run).await;
    assert_eq!(asked.proposal.why, "a team of agents carries it out");
    assert_eq!(asked.proposal.agents.len(), 2, "{:?}", asked.proposal.agents);
    let looker = &asked.proposal.agents[0];
    assert!(!looker.prompt.is_empty() && looker.decision == Some(Decision::Create), "{looker:?}");
    assert!(asked.proposal.estimate.is_some());
    let Subject::Plan { plan, .. } = &asked.proposal.subject else { panic!("a plan") };
    let mut edited = serde_json::to_value(plan).expect("JSON");
    edited["steps"][0]["prompt"] = json!("Look up, and say what you see.");
    let told = answered(&world, &asked, Ruling::Edit { plan: edited }).await;
    assert_eq!(told.view.status, Some(RunStatus::Completed), "{:?}", told.view.ending);
    let Some(Event::Staffed { version: 2, members }) = told.events("staffed").last().copied() else {
        panic!("{:?}", told.events("staffed"));
    };
    let changed = members.iter().find(|member| member.step.as_str() == "look").expect("the looker");
    assert_eq!((changed.choice.decision, changed.by.as_deref()), (Decision::Adapt, Some("kari")));
    assert_eq!(changed.draft().lineage.by.as_deref(), Some("kari"));
    let kept = members.iter().find(|member| member.step.as_str() == "tell").expect("the teller");
    assert_eq!((kept.choice.decision, kept.by.as_deref()), (Decision::Create, None));
    let forged = told.events("forged");
    assert!(format!("{:?}", forged[0]).contains("Look up, and say what you see."), "{forged:?}");
}

#[tokio::test]
async fn a_new_plan_asks_only_about_what_is_new_and_not_at_all_where_nothing_is() {
    let plan = |way: Value| {
        json!({"goal": "note", "steps": [
            {"id": "note", "tool": "notes.add", "arguments": {"text": "x"}}, way], "answer": "${note.text}"})
    };
    let bad = json!({"id": "look", "tool": "a.bad", "depends_on": ["note"]});
    let read = json!({"id": "look", "tool": "weather.now", "depends_on": ["note"]});
    let more = json!({"id": "more", "tool": "notes.add", "arguments": {"text": "y"}, "depends_on": ["note"]});
    for (second, asks) in [(read, 1), (more, 2)] {
        let replies = [planned(plan(bad.clone()), &["notes.add"]), planned(plan(second.clone()), &["notes.add"])];
        let world = planner(replies).await.tool("a.bad", Effect::Read, refuses("a.bad"));
        let told = world.ask("note something").await;
        let first = asked(&world, told.run).await;
        let mut told = answered(&world, &first, Ruling::Approve).await;
        if asks == 2 {
            assert_eq!(told.view.status, Some(RunStatus::Waiting));
            let next = asked(&world, told.run).await;
            let Subject::Plan { base, diff, .. } = &next.proposal.subject else { panic!("a plan") };
            assert_eq!(*base, Some(1));
            assert!(diff.iter().all(|patch| patch.path.starts_with("/steps/1")), "{diff:?}");
            told = answered(&world, &next, Ruling::Approve).await;
        }
        assert_eq!(told.answer(), "x");
        assert_eq!(told.events("waiting").len(), asks, "{second}");
        assert_eq!(world.called("notes.add").calls(), asks as u32);
    }
}
