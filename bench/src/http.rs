//! A web server in a page: HTTP/1.1 with connections that are kept, and nothing between a request and its answer. Model
//! and receiver are made of it, so that what is measured is never the server.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

/// A request that has arrived whole.
#[derive(Debug)]
pub struct Request {
    /// `GET`, `POST`, …
    pub method: String,
    /// As it stood in the first line, query included.
    pub path: String,
    /// What came with it.
    pub body: Vec<u8>,
    headers: String,
}

impl Request {
    /// A header's value, whatever the case of its name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.trim().eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }
}

/// What a request is answered with: a status and JSON.
#[derive(Debug)]
pub struct Reply {
    /// `200` and kin.
    pub status: u16,
    /// JSON.
    pub body: String,
}

impl Reply {
    /// It worked, and this came of it.
    pub fn ok(body: impl Into<String>) -> Self {
        Self { status: 200, body: body.into() }
    }

    /// There is no such thing.
    pub fn missing() -> Self {
        Self { status: 404, body: "{}".into() }
    }
}

/// A place to be reached at, and how many are connected to it.
pub struct Server {
    listener: TcpListener,
    open: Arc<watch::Sender<usize>>,
}

impl Server {
    /// Listens on a port of this machine; 0 takes a free one.
    pub async fn bind(port: u16) -> std::io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", port)).await?;
        Ok(Self { listener, open: Arc::new(watch::Sender::new(0)) })
    }

    /// Where it is reached.
    pub fn address(&self) -> std::io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// How many connections are open, now and from now on.
    pub fn connections(&self) -> watch::Receiver<usize> {
        self.open.subscribe()
    }

    /// Answers for ever. Dropping the future closes every connection.
    pub async fn serve<F>(self, answer: impl Fn(Request) -> F + Clone + Send + 'static)
    where
        F: Future<Output = Reply> + Send,
    {
        let mut connections = JoinSet::new();
        loop {
            tokio::select! {
                accepted = self.listener.accept() => {
                    let Ok((stream, _)) = accepted else { continue };
                    let (answer, open) = (answer.clone(), Arc::clone(&self.open));
                    open.send_modify(|count| *count += 1);
                    connections.spawn(async move {
                        // A client that vanishes is what some of the benchmarks are about.
                        let _ = converse(stream, answer).await;
                        open.send_modify(|count| *count -= 1);
                    });
                }
                Some(_) = connections.join_next() => {}
            }
        }
    }
}

async fn converse<F>(mut stream: TcpStream, answer: impl Fn(Request) -> F) -> std::io::Result<()>
where
    F: Future<Output = Reply>,
{
    stream.set_nodelay(true)?;
    let mut received: Vec<u8> = Vec::with_capacity(8 << 10);
    let mut reply: Vec<u8> = Vec::new();
    loop {
        while let Some(request) = take(&mut received) {
            let answered = answer(request).await;
            reply.clear();
            let head = format!(
                "HTTP/1.1 {} {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
                answered.status,
                if answered.status == 200 { "OK" } else { "No" },
                answered.body.len()
            );
            reply.extend_from_slice(head.as_bytes());
            reply.extend_from_slice(answered.body.as_bytes());
            stream.write_all(&reply).await?;
        }
        if stream.read_buf(&mut received).await? == 0 {
            return Ok(());
        }
    }
}

/// The first request of what was received, once it is whole.
fn take(received: &mut Vec<u8>) -> Option<Request> {
    let end = received.windows(4).position(|window| window == b"\r\n\r\n")? + 4;
    let head = String::from_utf8_lossy(&received[..end]).into_owned();
    let (first, headers) = head.split_once("\r\n")?;
    let mut words = first.split(' ').map(str::to_owned);
    let mut request = Request {
        method: words.next().unwrap_or_default(),
        path: words.next().unwrap_or_default(),
        body: Vec::new(),
        headers: headers.to_owned(),
    };
    let length = request.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    if received.len() < end + length {
        return None;
    }
    let rest = received.split_off(end + length);
    request.body = std::mem::replace(received, rest).split_off(end);
    Some(request)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_taken_when_it_is_whole_and_the_next_one_stays() {
        let mut received = b"POST /a HTTP/1.1\r\nContent-Length: 3\r\nx-key: k\r\n\r\nab".to_vec();
        assert!(take(&mut received).is_none());
        received.extend_from_slice(b"cGET /b HTTP/1.1\r\n\r\n");
        let first = take(&mut received).expect("whole");
        assert_eq!((first.method.as_str(), first.path.as_str(), first.body.as_slice()), ("POST", "/a", &b"abc"[..]));
        assert_eq!(first.header("X-Key"), Some("k"));
        assert_eq!(take(&mut received).expect("whole").path, "/b");
        assert!(take(&mut received).is_none());
    }
}
