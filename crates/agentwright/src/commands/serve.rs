//! `agentwright serve`: others are let in over HTTP, and whatever is due is carried on.

mod door;
mod welcome;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use domain::dispatch::Dispatch;
use domain::shelf::Shelf;
use jiff::Timestamp;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use server::{About, App, Limits, Person, Setting};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

use super::{Here, learn};
use crate::args::Serve;
use crate::compose::Parts;
use crate::config::Loaded;
use crate::exit::{Exit, Refusal};

pub(super) use welcome::welcome_link;

/// How often what nobody needs any more is thrown away.
const TIDY: Duration = Duration::from_secs(3_600);

pub(super) async fn serve(here: &Here, args: Serve) -> anyhow::Result<Exit> {
    let configured = &here.loaded.config.server;
    let host = door::address(args.host.as_deref().unwrap_or(&configured.host))?;
    let port = args.port.unwrap_or_else(|| u16::try_from(configured.port.get()).unwrap_or(0));
    let site = door::site(&here.loaded, &args)?;
    room_for_connections();
    let parts = here.parts().await?;
    door::check(host, &site, parts.store.as_ref()).await?;
    let listener = door::bind(SocketAddr::new(host, port)).await?;
    let address = listener.local_addr()?;
    let key = welcome::first_key(here, parts.store.as_ref()).await?;
    let link = welcome::link(here, parts.store.as_ref(), &site, address).await?;
    // Asked for before anybody is told that we are here.
    let mut signals = Signals::new()?;
    let scheme = if site.tls.is_some() { "https" } else { "http" };
    let open = link.map(|link| format!("\nOpen {link}")).unwrap_or_default();
    // All at once: whoever started us may read as far as they care, and no further.
    eprintln!("Listening on {scheme}://{address}\n{key}{open}");

    let (runtime, dispatch) = (Arc::clone(&parts.runtime), Arc::clone(&parts.dispatch) as _);
    let mut app = App::new(runtime, dispatch, person(&here.loaded), limits(here)).about(about(&here.loaded)).at(site);
    app.metrics = Arc::clone(&parts.metrics);
    let (stop, served) = (CancellationToken::new(), CancellationToken::new());
    let serving = async {
        let listened = server::listen(listener, app, stop.cancelled()).await;
        // Runs are let go once nobody asks for them any more.
        served.cancel();
        listened
    };
    let working = parts.dispatch.work(parts.advance(), Box::pin(served.cancelled()));
    let mut going =
        std::pin::pin!(async { tokio::try_join!(async { Ok(serving.await?) }, async { Ok(working.await?) }) });
    let store = parts.store.as_ref();
    let besides = async { tokio::join!(parts.keep_in_step(), keep_tidy(store), keep_learning(&here.loaded, &parts)) };
    let going = tokio::select! {
        ended = going.as_mut() => ended,
        _ = besides => Ok(((), ())),
        () = signals.next() => {
            eprintln!("Stopping; once more to stop at once.");
            stop.cancel();
            tokio::select! {
                ended = going => ended,
                () = signals.next() => return Err(Refusal::failed("stopped at once").into()),
            }
        }
    };
    going.map(|_| Exit::Done)
}

/// Has the kernel allow as many open files as it would if asked: each connection is one.
fn room_for_connections() {
    let now = getrlimit(Resource::Nofile);
    if let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: now.maximum, ..now }) {
        tracing::warn!(%error, "the number of open files could not be raised");
    }
}

fn about(loaded: &Loaded) -> About {
    let setting = |(key, value, origin)| Setting { key, value, origin };
    About {
        settings: loaded.shown().values().into_iter().map(setting).collect(),
        database: loaded.database.kind(),
        learning: loaded.config.learning.enabled,
        since: Timestamp::now(),
    }
}

pub(super) fn person(loaded: &Loaded) -> Person {
    Person { name: loaded.person().map(str::to_owned), place: loaded.config.person.place.clone() }
}

pub(super) fn limits(here: &Here) -> Limits {
    let configured = &here.loaded.config.server;
    let whole = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    Limits {
        body: whole(configured.max_body.get()),
        connections: whole(configured.max_connections.get()),
        request: configured.request_timeout.get(),
        per_minute: u32::try_from(configured.rate_per_minute.get()).unwrap_or(u32::MAX),
        ..Limits::default()
    }
}

async fn keep_tidy(shelf: &dyn Shelf) {
    loop {
        if let Err(error) = server::forget_old(shelf, Timestamp::now()).await {
            tracing::warn!(%error, "old keys of requests could not be forgotten");
        }
        tokio::time::sleep(TIDY).await;
    }
}

/// Learns from what has ended, again and again; whichever process comes first does it for all.
async fn keep_learning(loaded: &Loaded, parts: &Parts) {
    let (store, wordsmith) = (parts.store.as_ref(), parts.runtime.wordsmith());
    let learning = &loaded.config.learning;
    if !learning.enabled {
        return std::future::pending().await;
    }
    let interval = learning.interval.get();
    loop {
        let last = store.reports(1).await.ok().and_then(|mut reports| reports.pop());
        let due = last.map(|last| last.ended_at + interval).filter(|due| *due > Timestamp::now());
        if let Some(due) = due {
            let wait = due.duration_since(Timestamp::now()).try_into().unwrap_or_default();
            tokio::time::sleep(wait).await;
            continue;
        }
        if let Err(error) = learn::learn_once(loaded, store, wordsmith.as_ref()).await {
            tracing::warn!(%error, "nothing was learnt");
            tokio::time::sleep(interval).await;
        }
    }
}

/// The wish that we stop, from a person or from whoever watches over us.
pub(super) struct Signals {
    interrupt: Signal,
    terminate: Signal,
}

impl Signals {
    pub(super) fn new() -> std::io::Result<Self> {
        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    pub(super) async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}
