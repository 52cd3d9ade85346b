//! Single stages: what they say is read as it is meant, what they are told, and what happens without them.

use domain::assessment::Next;
use domain::chat::Stop;
use domain::event::Event;
use domain::score::Score;
use domain::thought::Orchestration;
use llm::Step;

use super::{CRITIC, META, PLANNER, THINKER, answers, assessed, critique, gates, told_to, world};

#[tokio::test]
async fn what_a_stage_says_is_read_whatever_it_is_wrapped_in() {
    let good = assessed(0.9).to_string();
    for said in [
        format!("```json\n{good}\n```"),
        format!("Let me see. {good} That is all, {{really}}."),
        r#"{"quality": 0.9, "assessment": "a } brace and a { in a string"}"#.to_owned(),
    ] {
        let world = world(vec![answers(META, None, &said)]).await;
        let told = world.ask("Is it clear in Oslo?").await;
        assert_eq!(told.view.reasoning.assessments[0].1.quality, Score::nearest(0.9), "{said}");
    }
}

#[tokio::test]
async fn a_stage_that_cannot_be_understood_is_replaced_by_its_maker_without_a_model() {
    let cut = Step { stop: Some(Stop::Length), ..answers(META, None, r#"{"quality": 0.9"#) };
    let wrong =
        ["1.7", "\"high\"", "NaN", "null"].map(|quality| answers(META, None, format!("{{\"quality\": {quality}}}")));
    for step in wrong.into_iter().chain([cut]) {
        let said = step.text.clone();
        let world = world(vec![step]).await;
        let told = world.ask("Is it clear in Oslo?").await;
        assert_eq!(told.answer(), "It is clear.", "{said}");
        let assessment = &told.view.reasoning.assessments[0].1;
        assert!(assessment.assessment.contains("what its parts say"), "{said}");
        assert_eq!(told_to(&world, META).len(), 2, "asked once, and once more to repair it: {said}");
    }
}

#[tokio::test]
async fn a_critic_that_is_switched_off_has_no_say() {
    let world = world(vec![answers(CRITIC, None, critique(0.0, "no"))]).await.set(|settings| {
        settings.components.insert("critic".into(), runtime::Component { disabled: true, ..Default::default() });
    });
    let told = world.ask("Look at the weather in Oslo first").await;
    assert_eq!(told.answer(), "It is clear.");
    assert!(told_to(&world, CRITIC).is_empty());
    assert!(told.view.reasoning.critiques.is_empty());
    assert_eq!(gates(&told), [Next::Go]);
}

#[tokio::test]
async fn a_planner_that_is_switched_off_plans_nothing() {
    let off = runtime::Component { disabled: true, ..Default::default() };
    let world = world(vec![]).await.set(|settings| {
        settings.components.insert("planner".into(), off);
    });
    let told = world.ask("Is it clear in Oslo?").await;
    assert!(told.error().contains("`planner` is switched off"), "{}", told.error());
    assert!(told_to(&world, PLANNER).is_empty());
}

#[tokio::test]
async fn memories_and_guidelines_reach_those_who_think_and_plan() {
    let heed = domain::guideline::Point::said("test", "Never trust a cloud.");
    let world = world(vec![]).await.set(|settings| {
        settings.guidelines = vec![domain::guideline::Guideline::new("planner", "1", vec![heed])];
    });
    let memory = domain::store::Memory {
        id: "m".into(),
        text: "Oslo is where Kari lives".into(),
        importance: 0.9,
        run: None,
        at: jiff::Timestamp::now(),
    };
    world.store.remember(&memory).await.expect("remembered");
    let told = world.ask("Is it clear in Oslo?").await;
    let planner = told_to(&world, PLANNER);
    assert!(planner[0].contains("Kari lives") && planner[0].contains("Never trust a cloud."));
    assert!(told_to(&world, THINKER)[0].contains("Kari lives"));
    let guidelines = &told.view.reasoning.guidelines;
    assert_eq!((guidelines[0].agent.as_str(), guidelines[0].version.as_str()), ("planner", "1"));
}

#[tokio::test]
async fn a_forced_orchestration_is_said_to_be_forced() {
    let world = world(vec![]).await.wishing(|wishes| wishes.orchestration = Some(Orchestration::Simple));
    let told = world.ask("Is it clear in Oslo?").await;
    let Some(Event::Weighed { complexity }) = told.events("weighed").first() else { panic!("not weighed") };
    assert_eq!(complexity.orchestration, Orchestration::Simple);
    assert_eq!(complexity.strategy, domain::thought::Teller::Forced);
}
