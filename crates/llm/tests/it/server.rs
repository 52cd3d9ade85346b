//! A provider of our own: HTTP/1.1 by hand, so that it can misbehave in every way there is.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::task::JoinSet;

/// One thing done in answering.
#[derive(Clone)]
pub(crate) enum Act {
    Send(Vec<u8>),
    Wait(Duration),
    /// Waits until the other side hangs up.
    Hang,
    Close,
}

/// A request as it arrived.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) head: String,
    pub(crate) body: Value,
}

/// A server that ends with its test.
pub(crate) struct Server {
    pub(crate) url: String,
    heard: Arc<Heard>,
    _tasks: JoinSet<()>,
}

#[derive(Default)]
struct Heard {
    requests: Mutex<Vec<Request>>,
    connections: Mutex<usize>,
    hung_up: Notify,
}

impl Server {
    /// Answers so many requests, in this order and over however many connections.
    pub(crate) async fn start(answers: impl IntoIterator<Item = Vec<Act>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("http://{}/v1", listener.local_addr().expect("address"));
        let answers: Arc<Mutex<VecDeque<Vec<Act>>>> = Arc::new(Mutex::new(answers.into_iter().collect()));
        let heard = Arc::new(Heard::default());
        let mut tasks = JoinSet::new();
        let shared = Arc::clone(&heard);
        tasks.spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((socket, _)) = listener.accept().await {
                *shared.connections.lock().expect("lock") += 1;
                connections.spawn(serve(socket, Arc::clone(&answers), Arc::clone(&shared)));
            }
        });
        Self { url, heard, _tasks: tasks }
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        self.heard.requests.lock().expect("lock").clone()
    }

    /// The last body, its keys in order whatever `serde_json` was told about that.
    pub(crate) fn body(&self) -> Value {
        let mut body = self.requests().pop().expect("a request").body;
        body.sort_all_objects();
        body
    }

    pub(crate) fn connections(&self) -> usize {
        *self.heard.connections.lock().expect("lock")
    }

    /// Comes back once a hanging answer was given up by the other side.
    pub(crate) async fn hung_up(&self) {
        self.heard.hung_up.notified().await;
    }
}

async fn serve(mut socket: TcpStream, answers: Arc<Mutex<VecDeque<Vec<Act>>>>, heard: Arc<Heard>) {
    socket.set_nodelay(true).expect("nodelay");
    while let Some(request) = read(&mut socket).await {
        heard.requests.lock().expect("lock").push(request);
        let answer = answers.lock().expect("lock").pop_front().unwrap_or_else(|| status(500, "no more answers"));
        for act in answer {
            match act {
                Act::Send(bytes) => {
                    if socket.write_all(&bytes).await.is_err() {
                        return;
                    }
                }
                Act::Wait(pause) => tokio::time::sleep(pause).await,
                Act::Hang => {
                    let mut rest = [0; 64];
                    while socket.read(&mut rest).await.is_ok_and(|read| read > 0) {}
                    heard.hung_up.notify_one();
                    return;
                }
                Act::Close => return,
            }
        }
    }
}

async fn read(socket: &mut TcpStream) -> Option<Request> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break end + 4;
        }
        if socket.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let head = String::from_utf8(bytes[..end].to_vec()).expect("a head of text").to_lowercase();
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "))
        .map_or(0, |length| length.trim().parse::<usize>().expect("a length"));
    while bytes.len() < end + length {
        socket.read_buf(&mut bytes).await.ok()?;
    }
    Some(Request { head, body: serde_json::from_slice(&bytes[end..]).expect("a body of JSON") })
}

/// A whole answer that is well.
pub(crate) fn json(body: &Value) -> Vec<Act> {
    sized(200, "application/json", &[], body.to_string().as_bytes())
}

/// An answer that is an error, in words.
pub(crate) fn status(status: u16, message: &str) -> Vec<Act> {
    let body = serde_json::json!({"error": {"message": message, "type": "some_error"}});
    sized(status, "application/json", &[], body.to_string().as_bytes())
}

/// An answer that announces its length.
pub(crate) fn sized(status: u16, kind: &str, headers: &[(&str, &str)], body: &[u8]) -> Vec<Act> {
    vec![Act::Send(head(status, kind, headers, &format!("content-length: {}", body.len()))), Act::Send(body.to_vec())]
}

fn head(status: u16, kind: &str, headers: &[(&str, &str)], framing: &str) -> Vec<u8> {
    let more: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    format!("HTTP/1.1 {status} X\r\ncontent-type: {kind}\r\n{more}{framing}\r\n\r\n").into_bytes()
}

/// A stream of these events, in one chunk each, that ends as it should.
pub(crate) fn sse(events: &[&str]) -> Vec<Act> {
    let mut acts = cut_sse(events);
    acts.pop();
    acts.push(Act::Send(b"0\r\n\r\n".to_vec()));
    acts
}

/// A stream of these events after which the connection is closed.
pub(crate) fn cut_sse(events: &[&str]) -> Vec<Act> {
    let mut acts = vec![Act::Send(head(200, "text/event-stream", &[], "transfer-encoding: chunked"))];
    acts.extend(events.iter().map(|event| Act::Send(chunk(format!("data: {event}\n\n").as_bytes()))));
    acts.push(Act::Close);
    acts
}

/// The same acts with every byte on its own, a pause before each.
pub(crate) fn dripped(acts: Vec<Act>, pause: Duration) -> Vec<Act> {
    let drops = |bytes: Vec<u8>| bytes.into_iter().flat_map(move |byte| [Act::Wait(pause), Act::Send(vec![byte])]);
    acts.into_iter()
        .flat_map(|act| match act {
            Act::Send(bytes) => drops(bytes).collect(),
            other => vec![other],
        })
        .collect()
}

fn chunk(bytes: &[u8]) -> Vec<u8> {
    let mut chunk = format!("{:x}\r\n", bytes.len()).into_bytes();
    chunk.extend_from_slice(bytes);
    chunk.extend_from_slice(b"\r\n");
    chunk
}
