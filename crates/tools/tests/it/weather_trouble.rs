//! The weather tools where something is missing: a place, a network, sense.

use std::sync::Arc;

use domain::tool::ToolError;
use serde_json::json;
use tools::Weather;

use crate::language::{Reply, serving};
use crate::notebook::Notebook;
use crate::weather::{ask, ask_at, days, nobody, only_oslo, oslo, weather};

#[tokio::test]
async fn without_a_place_it_says_what_to_do() {
    let nowhere = Weather { place: Some(String::new()), ..weather(&nobody().await, &Arc::default()) };
    let error = ask(nowhere, "weather.current", json!({"place": " "})).await;
    let error = error.expect_err("no place").to_string();
    assert_eq!(
        error,
        "arguments of `weather.current`: `place` is missing and no place is configured: name one, such as `Oslo`, \
         or set `weather.place`"
    );
}

#[tokio::test]
async fn of_places_with_one_name_the_most_populous_is_meant_unless_another_is_named() {
    let shelf = Arc::default();
    let (told, _) = serving(vec![oslo(), Reply::Json(days()), oslo(), Reply::Json(days())], async |base| {
        let mut told = Vec::new();
        for place in ["Oslo", "Oslo, Minnesota"] {
            let asked = json!({"place": place, "from": "2025-03-02"});
            told.push(ask(weather(&base, &shelf), "weather.forecast", asked).await.expect("a forecast"));
        }
        told
    })
    .await;
    assert_eq!(told[0]["place"], "Oslo, Norway");
    assert!(told[0]["said"].as_str().is_some_and(|said| said.starts_with("In Oslo, Norway tomorrow: ")));
    assert_eq!(told[1]["place"], "Oslo, Minnesota, United States");
}

#[tokio::test]
async fn a_last_word_may_say_where() {
    let shelf = Arc::default();
    let none = || Reply::Json(json!({"generationtime_ms": 0.3}));
    let (told, requests) = serving(vec![none(), oslo(), Reply::Json(days())], async |base| {
        ask(weather(&base, &shelf), "weather.current", json!({"place": "Oslo Norway"})).await
    })
    .await;
    assert_eq!(told.expect("found")["place"], "Oslo, Norway");
    assert!(requests[1].starts_with("GET /v1/search?name=Oslo&"), "{}", requests[1]);
}

#[tokio::test]
async fn an_unknown_place_is_refused_with_names_like_it() {
    let shelf = Arc::default();
    let none = || Reply::Json(json!({"generationtime_ms": 0.3}));
    let (error, _) = serving(vec![none(), oslo(), none(), none()], async |base| {
        let near = ask(weather(&base, &shelf), "weather.current", json!({"place": "Osloo"})).await;
        let nothing = ask(weather(&base, &shelf), "weather.current", json!({"place": "Qwxzzy"})).await;
        (near.expect_err("unknown").to_string(), nothing.expect_err("unknown").to_string())
    })
    .await;
    assert_eq!(
        error.0,
        "`weather.current`: no place called `Osloo` is known; did you mean Oslo, Norway or Oslo, United States?"
    );
    assert_eq!(
        error.1,
        "`weather.current`: no place called `Qwxzzy` is known; name a town, perhaps with its country, such as \
         `Oslo, Norway`"
    );
}

#[tokio::test]
async fn the_past_and_the_far_future_are_refused_and_days_that_do_not_exist_ask_nobody() {
    let shelf = Arc::default();
    let (errors, requests) = serving(vec![only_oslo(), Reply::Json(days())], async |base| {
        let mut errors = Vec::new();
        for from in ["2025-02-30", "", "next week", "2025-02-20", "2025-04-01"] {
            let asked = json!({"place": "Oslo", "from": from});
            let error = ask(weather(&base, &shelf), "weather.forecast", asked).await.expect_err("refused");
            errors.push(error.to_string());
        }
        errors
    })
    .await;
    assert!(errors[0].ends_with("or a moment such as `2025-03-01T08:00`, got `2025-02-30`"), "{}", errors[0]);
    assert!(errors[3].contains("which is past"), "{}", errors[3]);
    assert!(errors[4].ends_with("forecasts reach 16 days, until 2025-03-16; 2025-04-01 is too far away"));
    assert_eq!(requests.len(), 2);
}

#[tokio::test]
async fn without_a_network_the_last_answer_is_used_for_six_hours_and_its_age_is_said() {
    let shelf: Arc<Notebook> = Arc::default();
    let asked = json!({"place": "Oslo", "from": "2025-03-02"});
    let (told, _) = serving(vec![only_oslo(), Reply::Json(days())], async |base| {
        ask(weather(&base, &shelf), "weather.forecast", asked.clone()).await
    })
    .await;
    told.expect("a forecast");
    let away = nobody().await;
    let later = async |now: &str| ask_at(weather(&away, &shelf), "weather.forecast", asked.clone(), now).await;
    let fresh = later("2025-03-01T12:44:00Z").await.expect("fresh");
    assert!(fresh["said"].as_str().is_some_and(|said| said.ends_with("wind 14 km/h.")), "{}", fresh["said"]);
    let old = later("2025-03-01T15:30:00Z").await.expect("kept");
    assert_eq!(
        old["said"],
        "In Oslo tomorrow: light rain, 2 to 6 °C, 80 % chance of rain, wind 14 km/h. The weather service cannot be \
         reached; this is what it said 3 hours ago."
    );
    let now = ask_at(weather(&away, &shelf), "weather.current", json!({"place": "Oslo"}), "2025-03-01T13:30:00Z").await;
    let now = now.expect("kept");
    assert_eq!(now["temperature"], json!(1.4), "what was forecast for this hour, not what was measured an hour ago");
    assert!(now["said"].as_str().is_some_and(|said| said.ends_with("60 minutes ago.")), "{}", now["said"]);
    let error = later("2025-03-01T18:31:00Z").await.expect_err("too old");
    assert!(matches!(error, ToolError::Unavailable { .. }));
    assert!(error.to_string().contains("the weather service cannot be reached (no connection: "), "{error}");
}

#[tokio::test]
async fn a_place_is_looked_up_once_and_a_forecast_again_after_a_quarter_of_an_hour() {
    let shelf: Arc<Notebook> = Arc::default();
    let replies = vec![only_oslo(), Reply::Json(days()), Reply::Json(days())];
    let ((), requests) = serving(replies, async |base| {
        for now in ["2025-03-01T12:00:00Z", "2025-03-01T12:14:59Z", "2025-03-01T12:15:00Z"] {
            let with = Weather { place: Some(" OSLO ".into()), ..weather(&base, &shelf) };
            ask_at(with, "weather.forecast", json!({}), now).await.expect("a forecast");
        }
    })
    .await;
    assert_eq!(requests.len(), 3);
    assert!(requests[2].starts_with("GET /v1/forecast"), "{}", requests[2]);
}

#[tokio::test]
async fn what_the_service_refuses_or_garbles_is_said() {
    let refusal = r#"{"error":true,"reason":"Latitude must be in range of -90 to 90°."}"#;
    for (reply, words) in [
        (Reply::Text("400 Bad Request", refusal.into()), "Latitude must be"),
        (Reply::Text("200 OK", "<html>captive portal</html>".into()), "not JSON"),
        (Reply::Json(json!({"hourly": 5})), "answered oddly"),
        (Reply::Text("429 Too Many Requests", "slow down".into()), "cannot be reached"),
        (Reply::Raw(String::new()), "cannot be reached"),
    ] {
        let shelf = Arc::default();
        let (error, _) = serving(vec![only_oslo(), reply], async |base| {
            ask(weather(&base, &shelf), "weather.current", json!({"place": "Oslo"})).await
        })
        .await;
        let error = error.expect_err("refused").to_string();
        assert!(error.contains(words), "{error}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_service_that_says_nothing_is_given_up() {
    let shelf = Arc::default();
    let (error, _) = serving(vec![Reply::Silence], async |base| {
        ask(weather(&base, &shelf), "weather.current", json!({"place": "Oslo"})).await
    })
    .await;
    let error = error.expect_err("silence").to_string();
    assert!(error.contains("the weather service cannot be reached"), "{error}");
}

#[tokio::test]
async fn odd_names_of_places_do_no_harm() {
    let shelf = Arc::default();
    let none = || Reply::Json(json!({}));
    let (errors, requests) = serving((0..20).map(|_| none()).collect(), async |base| {
        let mut errors = Vec::new();
        for place in ["x", ",,,", "🌧🌧🌧", "אוסלו", "a&name=b#c", &"very long ".repeat(1000)] {
            let error = ask(weather(&base, &shelf), "weather.current", json!({"place": place})).await;
            errors.push(error.expect_err("no such place").to_string());
        }
        errors
    })
    .await;
    assert_eq!(errors.len(), 6);
    assert!(errors.iter().all(|error| error.len() < 400), "{errors:?}");
    assert!(requests.iter().any(|request| request.contains("name=a%26name%3Db%23c&")), "{requests:?}");
}

#[tokio::test]
async fn a_broken_shelf_costs_only_another_question() {
    let shelf = Arc::new(Notebook { broken: true, ..Notebook::default() });
    let (told, _) = serving(vec![only_oslo(), Reply::Json(days())], async |base| {
        ask(weather(&base, &shelf), "weather.current", json!({"place": "Oslo"})).await
    })
    .await;
    assert!(told.is_ok(), "{told:?}");
}
