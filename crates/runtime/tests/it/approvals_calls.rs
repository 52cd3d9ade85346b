//! Calls that are put before a person when they are to be made: what agents choose, and what nobody could know before.

use domain::approval::{Risk, Ruling, Subject};
use domain::event::Event;
use domain::plan::Strategy;
use domain::run::RunStatus;
use domain::thought::Orchestration;
use domain::tool::{Effect, Repeat};
use runtime::policy::Action;
use runtime::{DecideError, Propose, Settings};
use serde_json::json;

use crate::approvals::{answered, asked, notebook, planned, respond, rule, say};
use crate::world::{World, calls, echo, gives, plans, says, write};

/// An agent that wants to write a note, and then says something.
async fn agent() -> World {
    let simple = |settings: &mut Settings| settings.orchestration = Some(Orchestration::Simple);
    let replies = [plans(&["notes.add"]), calls(&[("notes__add", json!({"text": "x"}))]), says("all done")];
    notebook().await.model(replies).set(simple)
}

fn arguments(event: &Event) -> String {
    match event {
        Event::IntentDeclared { intent } => intent.arguments.to_string(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn what_an_agent_chooses_is_asked_about_when_it_does() {
    let world = agent().await;
    let told = world.ask("note x").await;
    let asked = asked(&world, told.run).await;
    let Subject::Call { call, .. } = &asked.proposal.subject else { panic!("a call") };
    assert_eq!((call.tool.as_str(), &call.arguments), ("notes.add", &json!({"text": "x"})));
    assert_eq!((asked.proposal.summary.as_str(), asked.proposal.risk), ("does notes.add: `x`", Risk::Medium));
    assert_eq!(
        asked.question,
        "May `notes.add` be called with {\"text\":\"x\"}? (the rule for `notes.*` when `effect == 'write'` wants a person to agree)"
    );
    let told = answered(&world, &asked, Ruling::Approve).await;
    assert_eq!((told.answer(), world.called("notes.add").calls()), ("all done", 1));
    assert_eq!(world.runtime().replay(&told.ledger), Ok(told.ledger.len()));
}

#[tokio::test]
async fn a_call_can_be_made_with_other_arguments() {
    let world = agent().await.set(|settings| {
        settings.rules.insert(0, rule("notes.*", "arguments.text == 'secret'", Action::Deny));
    });
    let told = world.ask("note x").await;
    let asked = asked(&world, told.run).await;
    for wrong in [json!({"text": 5}), json!({"text": "secret"}), json!(["x"]), json!(null)] {
        let refused = say(&world, &asked, Ruling::Edit { plan: wrong.clone() }).await;
        assert!(matches!(refused, Err(DecideError::Unsound { .. })), "{wrong}: {refused:?}");
    }
    let told = answered(&world, &asked, Ruling::Edit { plan: json!({"text": "y"}) }).await;
    assert_eq!(told.answer(), "all done");
    assert_eq!(arguments(told.events("intent_declared")[0]), r#"{"text":"y"}"#);
    assert_eq!(world.runtime().replay(&told.ledger), Ok(told.ledger.len()));
}

#[tokio::test]
async fn words_about_a_call_go_back_to_the_agent() {
    let world = agent().await;
    let told = world.ask("note x").await;
    let asked = asked(&world, told.run).await;
    let told = answered(&world, &asked, respond("ask me tomorrow")).await;
    assert_eq!((told.answer(), world.called("notes.add").calls()), ("all done", 0));
    let heard = format!("{:?}", world.model.as_ref().expect("a model").asks().last());
    assert!(heard.contains("ask me tomorrow"), "{heard}");
    assert_eq!(world.runtime().replay(&told.ledger), Ok(told.ledger.len()));
}

#[tokio::test]
async fn a_rejected_call_is_an_error_that_the_agent_can_go_on_from() {
    let world = agent().await;
    let told = world.ask("note x").await;
    let asked = asked(&world, told.run).await;
    let told = answered(&world, &asked, Ruling::Reject).await;
    assert_eq!((told.answer(), world.called("notes.add").calls()), ("all done", 0));
}

#[tokio::test]
async fn an_agent_of_an_approved_team_is_still_asked_about_what_it_chooses() {
    let team = json!({"goal": "note", "steps": [{"id": "note", "goal": "note it", "tools": ["notes.add"]}]});
    let replies =
        [planned(team, &["notes.add"]), calls(&[("notes__add", json!({"text": "x"}))]), says("done"), says("done")];
    let world = notebook().await.model(replies).set(|settings| {
        settings.orchestration = Some(Orchestration::Simple);
        settings.strategy = Strategy::TaskGraph;
        settings.propose = Propose::Always;
    });
    let told = world.ask("note x").await;
    let plan = asked(&world, told.run).await;
    assert_eq!(plan.proposal.why, "every plan is put before a person");
    let told = answered(&world, &plan, Ruling::Approve).await;
    assert_eq!((told.view.status, world.called("notes.add").calls()), (Some(RunStatus::Waiting), 0));
    let call = asked(&world, told.run).await;
    assert_eq!(call.proposal.subject.word(), "call");
    let told = answered(&world, &call, Ruling::Approve).await;
    assert_eq!((told.answer(), world.called("notes.add").calls()), ("done", 1));
}

#[tokio::test]
async fn what_the_results_decide_is_asked_about_even_after_the_plan_was_approved() {
    let mail = Effect::Write { reversible: false, repeat: Repeat::Never, external: true, targets: vec!["text".into()] };
    let world = World::new()
        .await
        .tool("post.send", mail, echo())
        .tool("web.read", Effect::Read, gives(json!({"to": "mallory@example.org"})))
        .set(|settings| settings.rules = vec![rule("post.*", "", Action::Ask)]);
    let plan = json!({"steps": [
        {"id": "find", "tool": "web.read"},
        {"id": "tell", "tool": "post.send", "arguments": {"text": "${find.to}"}},
    ], "answer": "${tell.text}"});
    let (world, told) = world.carry_out(plan).await;
    let plan = asked(&world, told.run).await;
    assert_eq!((plan.proposal.subject.word(), plan.proposal.risk), ("plan", Risk::High));
    let told = answered(&world, &plan, Ruling::Approve).await;
    assert_eq!((told.view.status, world.called("post.send").calls()), (Some(RunStatus::Waiting), 0));
    let call = asked(&world, told.run).await;
    assert!(call.question.contains("mallory@example.org"), "{}", call.question);
    let told = answered(&world, &call, Ruling::Approve).await;
    assert_eq!((told.answer(), world.called("post.send").calls()), ("mallory@example.org", 1));
}

#[tokio::test]
async fn what_was_agreed_to_is_asked_about_where_its_arguments_come_to_more_than_was_seen() {
    let world = World::new()
        .await
        .tool("notes.add", write(Repeat::Never), echo())
        .tool("web.read", Effect::Read, gives(json!({"text": "secret"})))
        .set(|settings| {
            settings.rules = vec![rule("notes.*", "arguments.text == 'secret'", Action::Ask)];
            settings.propose = Propose::Teams;
        })
        .wishing(|wishes| wishes.strategy = Some(Strategy::Cohort));
    let plan = json!({"steps": [
        {"id": "find", "tool": "web.read"},
        {"id": "note", "tool": "notes.add", "arguments": {"text": "${find.text}"}},
    ], "answer": "${note.text}"});
    let (world, told) = world.carry_out(plan).await;
    let plan = asked(&world, told.run).await;
    let told = answered(&world, &plan, Ruling::Approve).await;
    assert_eq!((told.view.status, world.called("notes.add").calls()), (Some(RunStatus::Waiting), 0));
    let call = asked(&world, told.run).await;
    let told = answered(&world, &call, Ruling::Approve).await;
    assert_eq!((told.answer(), world.called("notes.add").calls()), ("secret", 1));
}

#[tokio::test]
async fn rules_are_about_roles_confidence_cost_and_arguments() {
    let plan = json!({"goal": "note", "steps": [{"id": "note", "tool": "notes.add", "arguments": {"text": "x"}}],
        "answer": "${note.text}"});
    for (when, asks) in [
        ("confidence < 0.8", true),
        ("confidence < 0.6", false),
        ("cost > 0.001", true),
        ("cost > 10", false),
        ("arguments.text == 'x'", true),
        ("arguments.text == 'y'", false),
        ("role == 'writer'", false),
        ("strategy == 'task_graph' && agents < 1", true),
        ("new_agents > 3", false),
        ("domain == 'notes' && effect == 'write' && reversible && !external", true),
    ] {
        let world = notebook().await.model([planned(plan.clone(), &["notes.add"])]).set(|settings| {
            settings.orchestration = Some(Orchestration::Simple);
            settings.strategy = Strategy::TaskGraph;
            settings.rules = vec![rule("*", when, Action::Ask)];
        });
        let told = world.ask("note x").await;
        let expected = if asks { RunStatus::Waiting } else { RunStatus::Completed };
        assert_eq!(told.view.status, Some(expected), "{when}");
        if asks {
            let asked = asked(&world, told.run).await;
            assert!(
                asked.proposal.rule.as_deref().is_some_and(|rule| rule.contains(when)),
                "{:?}",
                asked.proposal.rule
            );
            let told = answered(&world, &asked, Ruling::Approve).await;
            assert_eq!((told.answer(), world.called("notes.add").calls()), ("x", 1), "{when}");
        }
    }
}

#[tokio::test]
async fn a_rule_about_plans_can_forbid_one_and_let_one_pass() {
    let plan = json!({"goal": "note", "steps": [{"id": "a", "goal": "think"}]});
    for (when, action, status) in [
        ("confidence < 0.8", Action::Deny, RunStatus::Failed),
        ("confidence < 0.8", Action::Allow, RunStatus::Completed),
        ("confidence < 0.5", Action::Allow, RunStatus::Waiting),
    ] {
        let world =
            notebook().await.model([planned(plan.clone(), &[]), says("thought"), says("thought")]).set(|settings| {
                settings.orchestration = Some(Orchestration::Simple);
                settings.strategy = Strategy::TaskGraph;
                settings.propose = Propose::Always;
                settings.rules = vec![rule("*", when, action)];
            });
        let told = world.ask("think").await;
        assert_eq!(told.view.status, Some(status), "{when} {action:?}: {:?}", told.view.ending);
    }
}

#[tokio::test]
async fn the_agent_that_calls_is_a_role() {
    let team = json!({"steps": [{"id": "note", "goal": "note it", "tools": ["notes.add"]}]});
    for (role, asks) in [("clerk", true), ("other", false)] {
        let mut team = team.clone();
        team["steps"][0]["agent"] = json!("clerk");
        let replies =
            [planned(team, &["notes.add"]), calls(&[("notes__add", json!({"text": "x"}))]), says("done"), says("done")];
        let world = notebook().await.model(replies).set(|settings| {
            settings.orchestration = Some(Orchestration::Simple);
            settings.strategy = Strategy::Cohort;
            settings.rules = vec![rule("notes.*", &format!("role == '{role}'"), Action::Ask)];
            let off = runtime::Component { disabled: true, ..runtime::Component::default() };
            settings.components.insert("prompt_creator".into(), off);
        });
        world.store.put(&clerk(), jiff::Timestamp::now()).await.expect("kept");
        let told = world.ask("note x").await;
        assert_eq!(told.view.status == Some(RunStatus::Waiting), asks, "{role}: {:?}", told.view.ending);
    }
}

/// An agent in the library.
fn clerk() -> domain::library::Draft {
    domain::library::Draft {
        name: "clerk".parse().expect("a name"),
        description: "notes things".into(),
        keywords: Vec::new(),
        body: domain::library::Body::Agent(domain::library::AgentBody {
            prompt: "You note things.".into(),
            tools: vec!["notes.add".parse().expect("a name")],
            max_iterations: None,
        }),
        lineage: Default::default(),
        offered_from: None,
    }
}
