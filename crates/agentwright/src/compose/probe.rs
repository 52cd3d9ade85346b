//! Whether somebody answers at a URL, for those who look for what is wrong.

use std::time::Duration;

use crate::config::Otlp;

/// How long somebody may take to say that they are there.
const PATIENCE: Duration = Duration::from_secs(3);

/// The status that a URL is answered with, whatever it is; or why there is no answer.
pub async fn answers(url: &str) -> Result<u16, String> {
    let client = ::tools::client().map_err(|error| error.to_string())?;
    let answered = client.get(url).timeout(PATIENCE).send().await;
    answered.map(|answer| answer.status().as_u16()).map_err(|error| words(&error.without_url()))
}

/// The status that a batch without spans is answered with; or why there is no answer.
pub async fn takes_spans(otlp: &Otlp) -> Result<u16, String> {
    let client = ::tools::client().map_err(|error| error.to_string())?;
    let mut request = client.post(&otlp.url).header("content-type", "application/x-protobuf").body(Vec::new());
    for (name, value) in &otlp.headers {
        request = request.header(name, value.expose());
    }
    let answered = request.timeout(PATIENCE).send().await;
    answered.map(|answer| answer.status().as_u16()).map_err(|error| words(&error.without_url()))
}

/// The innermost cause says most.
fn words(error: &dyn std::error::Error) -> String {
    let mut innermost = error;
    while let Some(cause) = innermost.source() {
        innermost = cause;
    }
    innermost.to_string()
}
