//! A weather service on this machine, with the answers of Open-Meteo: one place, and rain tomorrow or none.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;

use jiff::{ToSpan, Zoned};
use serde_json::{Value, json};

/// Serves for as long as the tests run; the lines of configuration that lead there.
pub(super) fn rains(tomorrow: bool) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let base = format!("http://{}", listener.local_addr().expect("an address"));
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.expect("a connection");
            let mut lines = BufReader::new(stream.try_clone().expect("the same")).lines();
            let first = lines.next().expect("a line").expect("text");
            while lines.next().is_some_and(|line| line.is_ok_and(|line| !line.is_empty())) {}
            let body = if first.contains("/v1/search") { oslo() } else { days(tomorrow) }.to_string();
            let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n";
            let _ = write!(stream, "{head}content-length: {}\r\n\r\n{body}", body.len());
        }
    });
    configured(&base)
}

/// Where nobody answers.
pub(super) fn out_of_reach() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    configured(&format!("http://{}", listener.local_addr().expect("an address")))
}

fn configured(base: &str) -> String {
    format!("[weather]\nforecast_url = \"{base}/v1/forecast\"\ngeocoding_url = \"{base}/v1/search\"\n")
}

fn oslo() -> Value {
    json!({"results": [{"id": 3143244, "name": "Oslo", "latitude": 59.91273, "longitude": 10.74609,
        "country_code": "NO", "timezone": "UTC", "population": 580000, "country": "Norway", "admin1": "Oslo"}]})
}

fn days(rain: bool) -> Value {
    let first = Zoned::now().in_tz("UTC").expect("a zone").date();
    let each = |value: &dyn Fn(i32) -> Value| (0..7).map(value).collect::<Vec<_>>();
    let wet = |n: i32| n == 1 && rain;
    json!({
        "latitude": 59.91, "longitude": 10.75, "utc_offset_seconds": 0, "timezone": "UTC", "elevation": 26.0,
        "current": {"time": format!("{first}T12:00"), "interval": 900, "temperature_2m": 3.6,
            "apparent_temperature": -0.4, "relative_humidity_2m": 81, "precipitation": 0.0, "snowfall": 0.0,
            "weather_code": 3, "wind_speed_10m": 14.4},
        "hourly": {"time": [], "temperature_2m": [], "apparent_temperature": [], "relative_humidity_2m": [],
            "precipitation_probability": [], "precipitation": [], "snowfall": [], "weather_code": [],
            "wind_speed_10m": []},
        "daily": {
            "time": each(&|n| json!(first.checked_add(n.days()).expect("a day"))),
            "weather_code": each(&|n| json!(if wet(n) { 61 } else { 3 })),
            "temperature_2m_max": each(&|_| json!(6.2)),
            "temperature_2m_min": each(&|_| json!(1.6)),
            "precipitation_sum": each(&|n| json!(if wet(n) { 7.2 } else { 0.0 })),
            "snowfall_sum": each(&|_| json!(0.0)),
            "precipitation_probability_max": each(&|n| json!(if wet(n) { 80 } else { 5 })),
            "wind_speed_10m_max": each(&|_| json!(14.2)),
            "sunrise": each(&|_| json!(format!("{first}T07:05"))),
            "sunset": each(&|_| json!(format!("{first}T17:42"))),
        }
    })
}
