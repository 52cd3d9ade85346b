//! The outside world with a good memory: it carries out what it is told, and writes down who came when and how often.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use serde_json::json;

use super::desk;
use crate::dice::Dice;
use crate::http::{Reply, Request, Server};
use crate::mock::{self, Wish};

/// Something that reached us.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arrival {
    /// When it had arrived whole.
    pub at: Timestamp,
    /// From which life of the victim it came.
    pub life: u32,
}

/// Everything about one key.
#[derive(Debug, Clone, Default)]
pub struct Page {
    /// The tool, or `model`.
    pub tool: &'static str,
    /// Who came, in order.
    pub arrivals: Vec<Arrival>,
    /// How often it was carried out.
    pub carried_out: u32,
}

/// What is remembered, by key.
pub struct Receiver {
    pages: Mutex<BTreeMap<String, Page>>,
    dice: Mutex<Dice>,
    slow: u64,
    life: AtomicU32,
}

impl Receiver {
    /// Nobody has come yet. It takes up to `slow` milliseconds to answer.
    pub fn new(seed: u64, slow: u64) -> Self {
        Self { pages: Mutex::default(), dice: Mutex::new(Dice::new(!seed)), slow, life: AtomicU32::new(0) }
    }

    /// From here on it is another process that comes.
    pub fn new_life(&self) {
        self.life.fetch_add(1, Ordering::SeqCst);
    }

    /// Everything that was written down, by key.
    pub fn pages(&self) -> BTreeMap<String, Page> {
        self.lock().clone()
    }

    /// Writes an arrival down and carries out what is to be carried out, before anything else can happen.
    fn arrive(&self, key: String, tool: &'static str) {
        let arrival = Arrival { at: Timestamp::now(), life: self.life.load(Ordering::SeqCst) };
        let mut pages = self.lock();
        let page = pages.entry(key).or_default();
        page.tool = tool;
        page.arrivals.push(arrival);
        match tool {
            desk::NOTE if page.carried_out > 0 => {}
            desk::NOTE | desk::CHARGE | desk::BOOK => page.carried_out += 1,
            _ => {}
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Page>> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn dawdle(&self) {
        let millis = self.dice.lock().unwrap_or_else(PoisonError::into_inner).below(self.slow + 1);
        tokio::time::sleep(Duration::from_millis(millis)).await;
    }

    async fn answer(&self, request: Request) -> Reply {
        let key = request.header("x-key").unwrap_or_default().to_owned();
        let tool = match (request.method.as_str(), request.path.as_str()) {
            ("POST", "/look") => desk::LOOK,
            ("POST", "/note") => desk::NOTE,
            ("POST", "/charge") => desk::CHARGE,
            ("POST", "/book") => desk::BOOK,
            ("POST", "/model/v1/chat/completions") => return self.model(&request.body).await,
            ("GET", path) if path.starts_with("/book/") => {
                self.dawdle().await;
                let booked = self.lock().get(&key).is_some_and(|page| page.carried_out > 0);
                return if booked { Reply::ok(json!({"text": "BK#read back"}).to_string()) } else { Reply::missing() };
            }
            _ => return Reply::missing(),
        };
        // A write goes by the header that makes repetitions recognisable, and by no other.
        let key =
            if tool == desk::LOOK { key } else { request.header("idempotency-key").unwrap_or_default().to_owned() };
        self.arrive(key, tool);
        self.dawdle().await;
        let text = match tool {
            desk::LOOK => "LK#seen",
            desk::NOTE => "NT#noted",
            desk::BOOK => "BK#booked",
            _ => "CH#charged",
        };
        Reply::ok(json!({"text": text}).to_string())
    }

    /// Three turns: look and note, then book, then words.
    async fn model(&self, body: &[u8]) -> Reply {
        let text = String::from_utf8_lossy(body);
        let mark: String = text
            .find("job_")
            .map(|at| text[at..].chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect())
            .unwrap_or_default();
        self.arrive(format!("{mark}/turn/{}", text.matches(r#""role":"assistant""#).count() + 1), "model");
        self.dawdle().await;
        let script = |has: &dyn Fn(&str) -> bool| -> Vec<Wish> {
            match (has("LK#"), has("BK#")) {
                (false, _) => vec![("look", json!({"what": "around"})), ("note", json!({"what": "it"}))],
                (true, false) => vec![("book", json!({"what": "a room"}))],
                (true, true) => Vec::new(),
            }
        };
        Reply::ok(mock::completion(body, script))
    }
}

/// Receives for ever.
pub async fn serve(server: Server, receiver: Arc<Receiver>) {
    let answer = move |request| {
        let receiver = Arc::clone(&receiver);
        async move { receiver.answer(request).await }
    };
    server.serve(answer).await;
}
