//! A model without a mind: OpenAI's chat completions, not streamed, answered at once from a script of three turns. Which
//! turn it is shows in the tool results that the request carries: `WX#` weather, `TM#` timer, `EV#` event, `ST#n` step.
//!
//! The path says how: `/l0/v1` at once, `/lat50/v1` after 50 ms, `/plan6/v1` with six calls at once instead of three.
//! Flags can be joined with `+`, and those it does not know change nothing.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::http::{Reply, Request, Server};

/// What the last answer says.
pub const FAREWELL: &str = "All set: it is sunny in Paris, the timer runs, and the picnic is in the calendar.";

/// Answers for ever. Dropping the future ends the model.
pub async fn serve(server: Server) {
    server.serve(answer).await;
}

async fn answer(request: Request) -> Reply {
    let flags = request.path.split('/').nth(1).unwrap_or_default();
    if !request.path.ends_with("/chat/completions") {
        return Reply::missing();
    }
    let millis = flags.split('+').find_map(|flag| flag.strip_prefix("lat")?.parse().ok()).unwrap_or(0);
    if millis > 0 {
        tokio::time::sleep(Duration::from_millis(millis)).await;
    }
    let six = flags.split('+').any(|flag| flag == "plan6");
    Reply::ok(completion(&request.body, if six { six_steps } else { trip }))
}

/// A call the model wants: a tool by the end of its name, and the arguments.
pub type Wish = (&'static str, Value);

/// The body of a chat completion: the calls that a script wants next, or its last words where it wants none.
pub fn completion(body: &[u8], script: impl Fn(&dyn Fn(&str) -> bool) -> Vec<Wish>) -> String {
    let has = |marker: &str| body.windows(marker.len()).any(|window| window == marker.as_bytes());
    let names = tool_names(body);
    let calls: Vec<Value> = script(&has)
        .iter()
        .enumerate()
        .map(|(at, (short, arguments))| {
            let name = names.iter().find(|name| name.ends_with(short)).map_or(*short, String::as_str);
            json!({"id": format!("call_{short}_{at}"), "type": "function",
                   "function": {"name": name, "arguments": arguments.to_string()}})
        })
        .collect();
    let (message, reason) = if calls.is_empty() {
        (json!({"role": "assistant", "content": FAREWELL}), "stop")
    } else {
        (json!({"role": "assistant", "content": null, "tool_calls": calls}), "tool_calls")
    };
    json!({
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1_760_000_000, "model": "mock",
        "choices": [{"index": 0, "message": message, "finish_reason": reason}],
        "usage": {"prompt_tokens": 120, "completion_tokens": 30, "total_tokens": 150},
    })
    .to_string()
}

fn trip(has: &dyn Fn(&str) -> bool) -> Vec<Wish> {
    if has("EV#") {
        return Vec::new();
    }
    let mut wishes = Vec::new();
    if !has("WX#") {
        wishes.push(("get_weather", json!({"city": "Paris"})));
    }
    if !has("TM#") {
        wishes.push(("set_timer", json!({"minutes": 15})));
    }
    if wishes.is_empty() {
        wishes.push(("add_event", json!({"title": "Picnic", "date": "2026-05-01"})));
    }
    wishes
}

fn six_steps(has: &dyn Fn(&str) -> bool) -> Vec<Wish> {
    (1..=6).filter(|n| !has(&format!("ST#{n}"))).map(|n| ("slow_step", json!({"n": n}))).collect()
}

/// The names under which the request offers its tools.
fn tool_names(body: &[u8]) -> Vec<String> {
    #[derive(Default, Deserialize)]
    struct Body {
        #[serde(default)]
        tools: Vec<Offer>,
    }
    #[derive(Deserialize)]
    struct Offer {
        function: Function,
    }
    #[derive(Deserialize)]
    struct Function {
        name: String,
    }
    let body: Body = serde_json::from_slice(body).unwrap_or_default();
    body.tools.into_iter().map(|offer| offer.function.name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls(body: &str) -> String {
        let reply: Value = serde_json::from_str(&completion(body.as_bytes(), trip)).expect("json");
        let message = &reply["choices"][0]["message"];
        match message["tool_calls"].as_array() {
            Some(calls) => {
                calls.iter().filter_map(|call| call["function"]["name"].as_str()).collect::<Vec<_>>().join(" ")
            }
            None => message["content"].as_str().unwrap_or_default().to_owned(),
        }
    }

    #[test]
    fn the_results_say_which_turn_it_is() {
        let offers = r#""tools":[{"type":"function","function":{"name":"trip__get_weather"}}]"#;
        assert_eq!(calls(&format!("{{{offers}}}")), "trip__get_weather set_timer");
        assert_eq!(calls(r#"{"messages":["WX#ok"]}"#), "set_timer");
        assert_eq!(calls(r#"{"messages":["WX#ok TM#ok"]}"#), "add_event");
        assert_eq!(calls(r#"{"messages":["WX#ok TM#ok EV#ok"]}"#), FAREWELL);
    }
}
