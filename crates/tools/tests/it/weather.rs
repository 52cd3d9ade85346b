//! The weather tools against a server with the answers of Open-Meteo.

use std::sync::Arc;

use domain::tool::{CallContext, Effect, ToolError};
use jiff::ToSpan;
use jiff::civil::date;
use serde_json::{Value, json};
use tools::{Registry, Units, Weather};

use crate::declared::as_declared;
use crate::language::{Reply, context, serving};
use crate::notebook::Notebook;

/// The tools of somebody who lives nowhere, over a server at `base`.
pub(crate) fn weather(base: &str, shelf: &Arc<Notebook>) -> Weather {
    let at = |path: &str| format!("{base}{path}").parse().expect("url");
    Weather {
        shelf: shelf.clone(),
        client: tools::client().expect("client"),
        place: None,
        units: Units::Metric,
        forecast_url: at("/v1/forecast"),
        geocoding_url: at("/v1/search"),
    }
}

pub(crate) async fn ask(with: Weather, tool: &str, arguments: Value) -> Result<Value, ToolError> {
    ask_at(with, tool, arguments, "2025-03-01T12:30:00Z").await
}

pub(crate) async fn ask_at(with: Weather, tool: &str, arguments: Value, now: &str) -> Result<Value, ToolError> {
    let registry = Registry::new(tools::weather(with)).expect("no conflict");
    let name = tool.parse().expect("name");
    registry.check(&name, &arguments)?;
    let call = CallContext { now: now.parse().expect("time"), ..context("k1") };
    let tool = registry.get(&name).expect("there");
    as_declared(tool.spec(), tool.call(&arguments, &call).await)
}

/// An address where nobody listens.
pub(crate) async fn nobody() -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("bound");
    format!("http://{}", listener.local_addr().expect("address"))
}

pub(crate) fn oslo() -> Reply {
    Reply::Json(json!({
        "results": [
            {"id": 5040650, "name": "Oslo", "latitude": 48.19498, "longitude": -97.13147, "elevation": 247.0,
             "feature_code": "PPL", "country_code": "US", "timezone": "America/Chicago", "population": 330,
             "country": "United States", "admin1": "Minnesota", "admin2": "Marshall"},
            {"id": 3143244, "name": "Oslo", "latitude": 59.91273, "longitude": 10.74609, "elevation": 26.0,
             "feature_code": "PPLC", "country_code": "NO", "timezone": "Europe/Oslo", "population": 580000,
             "country": "Norway", "admin1": "Oslo"},
        ],
        "generationtime_ms": 0.7
    }))
}

pub(crate) fn only_oslo() -> Reply {
    Reply::Json(json!({"results": [
        {"id": 3143244, "name": "Oslo", "latitude": 59.91273, "longitude": 10.74609, "country_code": "NO",
         "timezone": "Europe/Oslo", "population": 580000, "country": "Norway", "admin1": "Oslo"}]}))
}

/// Sixteen days from 2025-03-01 on: rain on the second, snow on the third, nothing said about the last.
pub(crate) fn days() -> Value {
    let first = date(2025, 3, 1);
    let each = |value: &dyn Fn(i32) -> Value| (0..16).map(value).collect::<Vec<_>>();
    let day = |n: i32| first.checked_add(n.days()).expect("a day");
    let hours: Vec<(i32, i32)> = (0..16).flat_map(|day| (0..24).map(move |hour| (day, hour))).collect();
    let hourly = |value: &dyn Fn(i32, i32) -> Value| hours.iter().map(|(d, h)| value(*d, *h)).collect::<Vec<_>>();
    let code = |n: i32| [3, 61, 73].get(n as usize).copied().unwrap_or(0);
    let chance = |n: i32| [10, 80, 70].get(n as usize).copied().unwrap_or(0);
    json!({
        "latitude": 59.91, "longitude": 10.75, "generationtime_ms": 0.2, "utc_offset_seconds": 3600,
        "timezone": "Europe/Oslo", "timezone_abbreviation": "GMT+1", "elevation": 26.0,
        "current_units": {"time": "iso8601", "interval": "seconds", "temperature_2m": "°C"},
        "current": {"time": "2025-03-01T13:30", "interval": 900, "temperature_2m": 3.6, "apparent_temperature": -0.4,
                    "relative_humidity_2m": 81, "precipitation": 0.0, "snowfall": 0.0, "weather_code": 3,
                    "wind_speed_10m": 14.4},
        "hourly": {
            "time": hourly(&|d, h| json!(format!("{}T{h:02}:00", day(d)))),
            "temperature_2m": hourly(&|d, h| json!(f64::from(d) + f64::from(h) / 10.0)),
            "apparent_temperature": hourly(&|_, _| json!(1.0)),
            "relative_humidity_2m": hourly(&|_, _| json!(70)),
            "precipitation_probability": hourly(&|d, h| json!(if h < 6 { 0 } else { chance(d) })),
            "precipitation": hourly(&|d, _| json!(if d == 1 { 0.3 } else { 0.0 })),
            "snowfall": hourly(&|_, _| json!(0.0)),
            "weather_code": hourly(&|d, h| json!(if h < 6 { 1 } else { code(d) })),
            "wind_speed_10m": hourly(&|_, h| json!(h)),
        },
        "daily": {
            "time": each(&|n| json!(day(n))),
            "weather_code": each(&|n| if n == 15 { Value::Null } else { json!(code(n)) }),
            "temperature_2m_max": each(&|n| if n == 15 { Value::Null } else { json!(5.2 + f64::from(n)) }),
            "temperature_2m_min": each(&|n| if n == 15 { Value::Null } else { json!(0.6 + f64::from(n)) }),
            "precipitation_sum": each(&|n| json!(if n == 1 { 7.2 } else { 0.0 })),
            "snowfall_sum": each(&|n| json!(if n == 2 { 4.0 } else { 0.0 })),
            "precipitation_probability_max": each(&|n| if n == 15 { Value::Null } else { json!(chance(n)) }),
            "wind_speed_10m_max": each(&|n| if n == 15 { Value::Null } else { json!(14.2) }),
            "sunrise": each(&|n| json!(format!("{}T07:05", day(n)))),
            "sunset": each(&|n| json!(format!("{}T17:42", day(n)))),
        }
    })
}

#[tokio::test]
async fn tomorrow_is_told_in_a_sentence_and_in_values_that_conditions_can_test() {
    let shelf = Arc::default();
    let (told, requests) = serving(vec![only_oslo(), Reply::Json(days())], async |base| {
        ask(weather(&base, &shelf), "weather.forecast", json!({"place": "oslo", "from": "2025-03-02"})).await
    })
    .await;
    let told = told.expect("a forecast");
    assert_eq!(told["said"], "In Oslo tomorrow: light rain, 2 to 6 °C, 80 % chance of rain, wind 14 km/h.");
    for (name, value) in [
        ("rain", json!(true)),
        ("snow", json!(false)),
        ("rain_probability", json!(80)),
        ("temperature", json!(6.2)),
        ("temperature_min", json!(1.6)),
        ("temperature_max", json!(6.2)),
        ("wind", json!(14.2)),
        ("precipitation", json!(7.2)),
        ("description", json!("light rain")),
        ("place", json!("Oslo, Norway")),
        ("day", json!("2025-03-02")),
    ] {
        assert_eq!(told[name], value, "{name}");
    }
    assert_eq!(told["days"][0]["sunrise"], "07:05");
    assert_eq!(told["days"].as_array().map(Vec::len), Some(1));
    assert!(requests[0].starts_with("GET /v1/search?name=oslo&count=20&language=en&format=json "), "{}", requests[0]);
    assert!(requests[1].starts_with("GET /v1/forecast?latitude=59.91273&longitude=10.74609&current="));
    assert!(requests[1].contains("&timezone=auto&forecast_days=16 "), "{}", requests[1]);
}

#[tokio::test]
async fn now_is_told_with_how_it_feels() {
    let shelf = Arc::default();
    let (told, _) = serving(vec![oslo(), Reply::Json(days())], async |base| {
        let with = Weather { place: Some("Oslo".into()), ..weather(&base, &shelf) };
        ask(with, "weather.current", json!({})).await
    })
    .await;
    let told = told.expect("the weather");
    assert_eq!(told["said"], "In Oslo, Norway it is now 4 °C (feels like 0 °C), overcast, wind 14 km/h.");
    assert_eq!((&told["temperature"], &told["rain"], &told["humidity"]), (&json!(3.6), &json!(false), &json!(81)));
    assert_eq!((&told["temperature_max"], &told["time"]), (&json!(5.2), &json!("13:30")));
}

#[tokio::test]
async fn an_hour_and_a_part_of_a_day_have_their_own_values() {
    let shelf = Arc::default();
    let (told, requests) = serving(vec![only_oslo(), Reply::Json(days())], async |base| {
        let mut told = Vec::new();
        for arguments in [
            json!({"place": "Oslo", "from": "2025-03-02T08:20:00+01:00"}),
            json!({"place": "Oslo", "from": "2025-03-02T02:00", "to": "2025-03-02T06:00"}),
            json!({"place": "Oslo", "from": "2025-03-02T08:00", "units": "imperial"}),
        ] {
            told.push(ask(weather(&base, &shelf), "weather.forecast", arguments).await.expect("a forecast"));
        }
        told
    })
    .await;
    assert_eq!(told[0]["said"], "In Oslo tomorrow at 08:00: light rain, 2 °C, 80 % chance of rain, wind 8 km/h.");
    assert_eq!((&told[0]["temperature"], &told[0]["time"]), (&json!(1.8), &json!("08:00")));
    assert_eq!(
        told[1]["said"],
        "In Oslo tomorrow from 02:00 to 06:00: mostly clear, 1 to 2 °C, 0 % chance of rain, wind 5 km/h."
    );
    assert_eq!(told[1]["rain"], false);
    assert_eq!(told[1]["hours"].as_array().map(Vec::len), Some(4));
    assert_eq!(told[2]["said"], "In Oslo tomorrow at 08:00: light rain, 35 °F, 80 % chance of rain, wind 5 mph.");
    assert_eq!(told[2]["units"]["precipitation"], "inch");
    assert_eq!(requests.len(), 2, "the second and the third come from the shelf");
}

#[tokio::test]
async fn several_days_are_lines_and_none_named_are_three_of_which_today_counts() {
    let shelf = Arc::default();
    let (told, _) = serving(vec![only_oslo(), Reply::Json(days())], async |base| {
        let mut told = Vec::new();
        for arguments in [
            json!({"place": "Oslo"}),
            json!({"place": "Oslo", "from": "2025-03-02", "to": "2025-03-04"}),
            json!({"place": "Oslo", "from": "2025-03-16"}),
            json!({"place": "Oslo", "to": "2025-03-12"}),
            json!({"place": "Oslo", "from": "2025-03-15", "to": "2025-04-15"}),
        ] {
            told.push(ask(weather(&base, &shelf), "weather.forecast", arguments).await.expect("a forecast"));
        }
        told
    })
    .await;
    assert_eq!(
        told[0]["said"],
        "In Oslo:\nToday: overcast, 1 to 5 °C, 10 % chance of rain, wind 14 km/h.\n\
         Tomorrow: light rain, 2 to 6 °C, 80 % chance of rain, wind 14 km/h.\n\
         Monday, 3 March: snow, 3 to 7 °C, 70 % chance of snow, wind 14 km/h."
    );
    assert_eq!((&told[0]["rain"], &told[0]["day"]), (&json!(false), &json!("2025-03-01")));
    assert_eq!((&told[1]["rain"], &told[1]["snow"]), (&json!(true), &json!(true)));
    assert_eq!((&told[1]["temperature_min"], &told[1]["temperature_max"]), (&json!(1.6), &json!(8.2)));
    assert_eq!(told[2]["said"], "In Oslo on Sunday, 16 March: unknown weather.");
    assert_eq!(told[2]["temperature"], Value::Null);
    assert!(told[3]["said"].as_str().is_some_and(|said| said.ends_with("And 5 more days.")), "{}", told[3]["said"]);
    let cut = told[4]["said"].as_str().expect("text");
    assert!(cut.ends_with("\nForecasts reach no further than 2025-03-16."), "{cut}");
}

#[tokio::test]
async fn the_tools_say_that_data_leaves_and_how_long_they_take() {
    for tool in tools::weather(weather("http://127.0.0.1:1", &Arc::default())) {
        assert_eq!(tool.spec().effect, Effect::Egress);
        assert!(tool.spec().timeout.is_some());
    }
}
