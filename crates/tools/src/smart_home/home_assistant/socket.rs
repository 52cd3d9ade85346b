//! The WebSocket side: one connection for some questions, closed with its owner.
//!
//! The handshake goes through the same guarded HTTP client as everything else, so that TLS, timeouts and the refusal to
//! be led elsewhere are the same.

use std::time::Duration;

use futures::{SinkExt, StreamExt};
use reqwest::header::{CONNECTION, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_VERSION, UPGRADE};
use reqwest::{StatusCode, Upgraded};
use serde_json::{Value, json};
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::client::generate_key;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};

use super::rest::Rest;
use crate::http;
use crate::smart_home::house::HouseError;
use crate::words::capped;

/// How long Home Assistant may think about one question.
const PATIENCE: Duration = Duration::from_secs(10);
/// The longest answer: the registries of a very large house.
const LONGEST: usize = 64 << 20;

/// An authenticated connection.
pub(super) struct Socket {
    stream: WebSocketStream<Upgraded>,
    /// The id of the last question.
    last: u64,
}

impl Socket {
    pub(super) async fn open(rest: &Rest) -> Result<Self, HouseError> {
        let opening = async {
            let mut socket = Self { stream: shake_hands(rest).await?, last: 0 };
            socket.introduce(&rest.token).await?;
            Ok(socket)
        };
        timeout(PATIENCE, opening).await.unwrap_or_else(|_| Err(away("it did not answer in time")))
    }

    /// Asks one thing and waits for its result. Events that come meanwhile are not kept.
    pub(super) async fn ask(&mut self, mut question: Value) -> Result<Value, HouseError> {
        self.last += 1;
        question["id"] = json!(self.last);
        let id = self.last;
        let answering = async {
            self.say(&question).await?;
            loop {
                let mut answer = self.hear().await?;
                if answer["type"] == "result" && answer["id"] == id {
                    return match answer["success"] == true {
                        true => Ok(answer["result"].take()),
                        false => Err(no(&answer["error"])),
                    };
                }
            }
        };
        timeout(PATIENCE, answering).await.unwrap_or_else(|_| Err(away("it did not answer in time")))
    }

    /// The next event of what was subscribed to, however long that takes.
    pub(super) async fn event(&mut self) -> Result<Value, HouseError> {
        loop {
            let mut message = self.hear().await?;
            if message["type"] == "event" {
                return Ok(message["event"].take());
            }
        }
    }

    async fn introduce(&mut self, token: &str) -> Result<(), HouseError> {
        loop {
            match self.hear().await?["type"].as_str() {
                Some("auth_required") => self.say(&json!({"type": "auth", "access_token": token})).await?,
                Some("auth_ok") => return Ok(()),
                Some("auth_invalid") => {
                    return Err(HouseError::Refused("Home Assistant does not accept the token".into()));
                }
                _ => return Err(away("it does not speak as Home Assistant does")),
            }
        }
    }

    async fn say(&mut self, message: &Value) -> Result<(), HouseError> {
        let sent = self.stream.send(Message::text(message.to_string())).await;
        sent.map_err(|error| away(&error.to_string()))
    }

    async fn hear(&mut self) -> Result<Value, HouseError> {
        loop {
            match self.stream.next().await {
                Some(Ok(Message::Text(text))) => {
                    return serde_json::from_str(&text).map_err(|_| away("it said something that is not JSON"));
                }
                // Pings are answered by the stream itself.
                Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Binary(_) | Message::Frame(_))) => {}
                Some(Ok(Message::Close(_))) | None => return Err(away("it closed the connection")),
                Some(Err(error)) => return Err(away(&error.to_string())),
            }
        }
    }
}

async fn shake_hands(rest: &Rest) -> Result<WebSocketStream<Upgraded>, HouseError> {
    // An upgrade exists in HTTP/1.1 only; a proxy in front may prefer another version.
    let client = http::guarded().http1_only().build().map_err(|error| away(&error.to_string()))?;
    let key = generate_key();
    let request = client
        .get(rest.address("websocket"))
        .header(CONNECTION, "Upgrade")
        .header(UPGRADE, "websocket")
        .header(SEC_WEBSOCKET_VERSION, "13")
        .header(SEC_WEBSOCKET_KEY, &key);
    let response = request.send().await.map_err(|_| away("it cannot be reached"))?;
    let accepted = response.headers().get(SEC_WEBSOCKET_ACCEPT).map(|value| value.as_bytes());
    let expected = derive_accept_key(key.as_bytes());
    if response.status() != StatusCode::SWITCHING_PROTOCOLS || accepted != Some(expected.as_bytes()) {
        return Err(away(&format!("it answered {} instead of switching protocols", response.status())));
    }
    let upgraded = response.upgrade().await.map_err(|_| away("it did not switch protocols"))?;
    let limits = WebSocketConfig::default().max_message_size(Some(LONGEST)).max_frame_size(Some(LONGEST));
    Ok(WebSocketStream::from_raw_socket(upgraded, Role::Client, Some(limits)).await)
}

fn no(error: &Value) -> HouseError {
    let message = error["message"].as_str().unwrap_or("no");
    HouseError::Refused(format!("Home Assistant says: {}", capped(message, 200)))
}

fn away(detail: &str) -> HouseError {
    HouseError::Away(format!("the WebSocket of Home Assistant: {}", capped(detail, 200)))
}
