//! Retrying, breaking and limiting, in virtual time.

use std::sync::Arc;
use std::time::Duration;

use domain::chat::{ChatModel, ModelError};
use futures::future::join_all;
use llm::{Breaker, Circuit, Fault, Faults, Faulty, Guards, Limited, Retries, Retrying, Scripted, Settings, Trip};
use tokio::sync::Semaphore;
use tokio::time::Instant;

use crate::asks::{hello, kind, said, streamed, unavailable};

const TRIP: Trip = Trip { failures: 3, pause: Duration::from_secs(30) };

fn seeded() -> Retries {
    Retries { seed: Some(1), ..Retries::default() }
}

fn busy(seconds: u64) -> ModelError {
    ModelError::Busy { model: "m".to_owned(), retry_after: Some(Duration::from_secs(seconds)) }
}

fn script(answers: impl IntoIterator<Item = Result<&'static str, ModelError>>) -> Arc<Scripted> {
    Arc::new(Scripted::replies(answers.into_iter().map(|answer| answer.map(said))))
}

#[tokio::test(start_paused = true)]
async fn errors_that_pass_are_waited_out_longer_and_longer() {
    let model = script([Err(unavailable()), Err(unavailable()), Err(unavailable()), Ok("Hi")]);
    let begun = Instant::now();
    let retrying = Retrying::new(model.clone(), seeded());
    assert_eq!(retrying.reply(&hello()).await.expect("a reply").text, "Hi");
    assert_eq!(model.calls(), 4);
    assert!(begun.elapsed() < Duration::from_millis(500 + 1000 + 2000), "full jitter waits at most so long");
    assert!(begun.elapsed() > Duration::from_millis(100), "but it does wait");
}

#[tokio::test(start_paused = true)]
async fn the_last_attempt_gives_its_error_back() {
    let model = script(std::iter::repeat_n(Err(unavailable()), 9));
    assert_eq!(Retrying::new(model.clone(), seeded()).reply(&hello()).await, Err(unavailable()));
    assert_eq!(model.calls(), 4);
}

#[tokio::test(start_paused = true)]
async fn errors_that_stay_are_not_tried_again() {
    let refused = ModelError::Refused { model: "m".to_owned(), detail: "no".to_owned() };
    let model = script([Err(refused.clone()), Ok("Hi")]);
    assert_eq!(Retrying::new(model, Retries::default()).reply(&hello()).await, Err(refused));
}

#[tokio::test(start_paused = true)]
async fn a_provider_that_names_its_time_gets_it_unless_it_is_too_long() {
    let begun = Instant::now();
    let retrying = Retrying::new(script([Err(busy(20)), Ok("Hi")]), Retries::default());
    retrying.reply(&hello()).await.expect("a reply");
    assert!((Duration::from_secs(20)..Duration::from_secs(21)).contains(&begun.elapsed()));
    let model = script([Err(busy(61)), Ok("Hi")]);
    assert_eq!(Retrying::new(model.clone(), seeded()).reply(&hello()).await, Err(busy(61)));
    assert_eq!(model.calls(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_stream_is_tried_again_only_before_its_first_word() {
    let cut = |after| Some(Fault::Cut { after });
    let model = script(std::iter::repeat_n(Ok("Hello there"), 4));
    let faults = Faults::schedule([cut(0), Some(Fault::Fail(unavailable())), None, cut(1)]);
    let retrying = Retrying::new(Arc::new(Faulty::new(model, faults)), Retries::default());
    let (texts, end) = streamed(&retrying, &hello()).await;
    assert_eq!((texts.concat().as_str(), end), ("Hello there", Some(Ok(said("Hello there")))));
    assert_eq!(streamed(&retrying, &hello()).await, (vec!["Hello ".to_owned()], None));
}

#[tokio::test(start_paused = true)]
async fn a_provider_that_keeps_failing_is_left_alone_and_then_probed() {
    let answers = [Err(unavailable()), Ok("Hi"), Err(unavailable()), Err(unavailable()), Err(unavailable())];
    let model = script(answers.into_iter().chain([Err(unavailable()), Ok("Back"), Ok("Well")]));
    let breaker = Breaker::new(model.clone(), Circuit::new(TRIP));
    for _ in 0..5 {
        let _ = breaker.reply(&hello()).await;
    }
    let refused = breaker.reply(&hello()).await.expect_err("an error").to_string();
    assert!(refused.contains("after 3 failures in a row it is left alone until 20"), "{refused}");
    assert_eq!(model.calls(), 5, "an answer in between starts the count anew, and then nobody is asked");
    tokio::time::advance(Duration::from_secs(31)).await;
    assert_eq!(breaker.reply(&hello()).await, Err(unavailable()), "the probe fails");
    assert_eq!(kind(&breaker.reply(&hello()).await.expect_err("an error")), "unavailable");
    assert_eq!(model.calls(), 6);
    tokio::time::advance(Duration::from_secs(31)).await;
    assert_eq!(breaker.reply(&hello()).await, Ok(said("Back")));
    assert_eq!(streamed(&breaker, &hello()).await.1, Some(Ok(said("Well"))));
}

#[tokio::test(start_paused = true)]
async fn only_one_call_probes_and_one_that_is_dropped_makes_room() {
    let model = script(std::iter::repeat_n(Ok("Hi"), 9));
    let down = std::iter::repeat_n(Some(Fault::Fail(unavailable())), 3);
    let faults = Faults::schedule(down.chain([Some(Fault::Hang)]));
    let breaker = Breaker::new(Arc::new(Faulty::new(model, faults)), Circuit::new(TRIP));
    for _ in 0..3 {
        let _ = breaker.reply(&hello()).await;
    }
    tokio::time::advance(Duration::from_secs(31)).await;
    let ask = hello();
    let mut probe = Box::pin(breaker.reply(&ask));
    assert!(futures::poll!(&mut probe).is_pending());
    assert_eq!(kind(&breaker.reply(&ask).await.expect_err("an error")), "unavailable");
    drop(probe);
    assert_eq!(breaker.reply(&ask).await, Ok(said("Hi")));
}

#[tokio::test(start_paused = true)]
async fn busy_and_refusing_providers_are_alive() {
    let breaker = Breaker::new(script(std::iter::repeat_n(Err(busy(1)), 9)), Circuit::new(TRIP));
    for _ in 0..9 {
        assert_eq!(breaker.reply(&hello()).await, Err(busy(1)));
    }
}

#[tokio::test(start_paused = true)]
async fn only_so_many_calls_are_under_way_at_once() {
    let text = r#"[{"when": {}, "text": "Hi", "millis": 1000}]"#;
    let model = Arc::new(Scripted::from_json("scripted:slow", text).expect("a script"));
    let limited = Limited::new(model, Arc::new(Semaphore::new(2)));
    let begun = Instant::now();
    let ask = hello();
    join_all((0..6).map(|_| limited.reply(&ask))).await;
    assert_eq!(begun.elapsed().as_millis() / 100, 30);
}

#[tokio::test(start_paused = true)]
async fn a_stream_keeps_its_place_until_it_is_dropped() {
    let limited = Limited::new(script([Ok("one"), Ok("two")]), Arc::new(Semaphore::new(1)));
    let stream = limited.stream(&hello()).await.expect("a stream");
    let ask = hello();
    let mut second = Box::pin(limited.reply(&ask));
    assert!(futures::poll!(&mut second).is_pending());
    drop(stream);
    assert_eq!(second.await, Ok(said("two")));
}

#[tokio::test(start_paused = true)]
async fn models_of_one_provider_share_its_guards() {
    let settings = Settings { trip: TRIP, retries: Retries { attempts: 1, ..Retries::default() }, concurrency: 1 };
    let guards = Guards::new(settings);
    let failing = |name: &str| {
        Arc::new(Scripted::from_json(name, r#"[{"when": {}, "error": "unavailable"}]"#).expect("a script"))
    };
    let (one, other) = (failing("acme:one"), failing("acme:other"));
    for _ in 0..3 {
        let _ = guards.around(one.clone()).reply(&hello()).await;
    }
    let _ = guards.around(other.clone()).reply(&hello()).await;
    assert_eq!((one.calls(), other.calls()), (3, 0));
}
