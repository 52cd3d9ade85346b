//! A socket and its connections: how many, how slow, and how they end.

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::response::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;
use tower::Service;
use tower::util::MapRequest;

use crate::app::{App, Limits};
use crate::error::turned_away;
use crate::impatient::Impatient;
use crate::router::router;
use crate::site::Connected;

/// How long nothing is accepted when the machine has no more room for connections.
const PAUSE: Duration = Duration::from_millis(100);
/// How many are told at once that there is no place.
const DOORWAY: usize = 1_024;
/// How long somebody who is turned away may take to notice.
const NOTICE: Duration = Duration::from_secs(1);
/// How much more than what is allowed is read of a head, to say in our words that it is too much.
const SLACK: usize = 2;

/// Answers whoever connects until `stop` resolves; then accepts nobody any more, ends streams, gives requests under way
/// the time they have, and returns.
pub async fn listen(listener: TcpListener, app: App, stop: impl Future<Output = ()>) -> io::Result<()> {
    let (limits, closing) = (app.limits.clone(), app.closing.clone());
    let http = http(&limits);
    let places = Arc::new(Semaphore::new(limits.connections));
    let tls = app.site.tls.clone().map(TlsAcceptor::from);
    let finishing = app.finishing.clone();
    let doorway = Arc::new(Semaphore::new(DOORWAY));
    let urls = router(app);
    let mut connections: JoinSet<()> = JoinSet::new();
    let mut stop = pin!(stop);
    loop {
        tokio::select! {
            biased;
            () = &mut stop => break,
            Some(_) = connections.join_next() => {}
            accepted = listener.accept() => match accepted {
                Ok((socket, peer)) => {
                    let Ok(place) = Arc::clone(&places).try_acquire_owned() else {
                        // When too many are being told already, hanging up says it too. So it does where TLS is spoken.
                        if tls.is_none() && let Ok(place) = Arc::clone(&doorway).try_acquire_owned() {
                            connections.spawn(async move {
                                turn_away(socket).await;
                                drop(place);
                            });
                        }
                        continue;
                    };
                    let (http, urls, closing) = (http.clone(), urls.clone(), closing.clone());
                    let (tls, limits) = (tls.clone(), limits.clone());
                    connections.spawn(async move {
                        greet(&http, socket, peer, tls, urls, closing, &limits).await;
                        drop(place);
                    });
                }
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
    }
    drop(listener);
    closing.cancel();
    finishing.close();
    let leaving = async {
        while connections.join_next().await.is_some() {}
        finishing.wait().await;
    };
    if tokio::time::timeout(limits.farewell, leaving).await.is_err() {
        tracing::warn!("requests were still under way when the server stopped");
    }
    connections.shutdown().await;
    Ok(())
}

/// Says that there is no place, and listens until whoever came has heard it: hanging up on words that are still under way
/// would lose ours.
async fn turn_away(mut socket: TcpStream) {
    let telling = async {
        let mut ignored = [0_u8; 1024];
        // Clients take an answer to what they have not asked yet for noise.
        if socket.read(&mut ignored).await? == 0 {
            return Ok(());
        }
        socket.write_all(&turned_away()).await?;
        socket.shutdown().await?;
        while socket.read(&mut ignored).await? > 0 {}
        Ok::<_, io::Error>(())
    };
    // Whoever is gone or does not listen needs no answer.
    let _ = tokio::time::timeout(NOTICE, telling).await;
}

fn http(limits: &Limits) -> http1::Builder {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(limits.head)
        .max_headers(limits.header_fields * SLACK)
        .max_header_size(limits.header_bytes * SLACK)
        .max_buf_size((limits.header_bytes * SLACK).max(16 * 1024));
    http
}

/// Takes a connection in: says what it is to say at once, agrees on TLS where that is spoken, and answers.
async fn greet(
    http: &http1::Builder,
    socket: TcpStream,
    peer: SocketAddr,
    tls: Option<TlsAcceptor>,
    urls: Router,
    closing: CancellationToken,
    limits: &Limits,
) {
    // Events are small and wanted now.
    if let Err(error) = socket.set_nodelay(true) {
        tracing::debug!(%error, "a connection was gone before it began");
    }
    let local = socket.local_addr().map_or_else(|_| peer.ip(), |local| local.ip());
    let connected = Connected { peer: peer.ip().to_canonical(), local: local.to_canonical() };
    let urls = MapRequest::new(urls, move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(connected);
        request
    });
    let socket = Impatient::new(socket, limits.stall);
    let Some(tls) = tls else { return serve(http, socket, urls, closing).await };
    // Whoever takes longer than for the head of a request holds a place for nothing.
    match tokio::time::timeout(limits.head, tls.accept(socket)).await {
        Ok(Ok(socket)) => serve(http, socket, urls, closing).await,
        Ok(Err(error)) => tracing::debug!(%error, "a connection could not agree on TLS"),
        Err(_) => tracing::debug!("a connection took too long to agree on TLS"),
    }
}

async fn serve<S, I>(http: &http1::Builder, socket: I, urls: S, closing: CancellationToken)
where
    S: Service<Request<Incoming>, Response = Response, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send,
    I: AsyncRead + AsyncWrite + Unpin,
{
    let io = TokioIo::new(socket);
    let mut connection = pin!(http.serve_connection(io, TowerToHyperService::new(urls)));
    let served = tokio::select! {
        served = connection.as_mut() => served,
        () = closing.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = served {
        tracing::debug!(%error, "a connection broke off");
    }
}
