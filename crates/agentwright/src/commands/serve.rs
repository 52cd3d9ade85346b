//! `agentwright serve`: others are let in over HTTP, and whatever is due is carried on.

use std::fs::{OpenOptions, Permissions};
use std::io::Write;
use std::net::{IpAddr, SocketAddr};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use domain::dispatch::Dispatch;
use domain::shelf::Shelf;
use jiff::Timestamp;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use server::{App, Limits, Person, Role, keys};
use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

use super::{Here, keep_out_of_git, learn};
use crate::args::Serve;
use crate::compose::Parts;
use crate::config::Loaded;
use crate::exit::{Exit, Refusal};

/// The file that holds the first key.
const KEY_FILE: &str = "server.key";
/// How often what nobody needs any more is thrown away.
const TIDY: Duration = Duration::from_secs(3_600);

pub(super) async fn serve(here: &Here, args: Serve) -> anyhow::Result<Exit> {
    let configured = &here.loaded.config.server;
    let host = address(args.host.as_deref().unwrap_or(&configured.host))?;
    let port = args.port.unwrap_or_else(|| u16::try_from(configured.port.get()).unwrap_or(0));
    room_for_connections();
    let parts = here.parts().await?;
    let listener = bind(SocketAddr::new(host, port)).await?;
    let address = listener.local_addr()?;
    let key = first_key(&here.loaded, parts.store.as_ref()).await?;
    // Asked for before anybody is told that we are here.
    let mut signals = Signals::new()?;
    eprintln!("Listening on http://{address}\n{key}");

    let mut app =
        App::new(Arc::clone(&parts.runtime), Arc::clone(&parts.dispatch) as _, person(&here.loaded), limits(here));
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

fn address(host: &str) -> Result<IpAddr, Refusal> {
    let address = match host {
        "localhost" => Some(IpAddr::from([127, 0, 0, 1])),
        host => host.trim_matches(['[', ']']).parse().ok(),
    };
    let hint = "leave `--host` out, and let a proxy with TLS on this machine speak to the others";
    match address {
        Some(address) if address.is_loopback() => Ok(address),
        Some(_) => {
            Err(Refusal::usage(format!("`{host}` can be reached by others, and there is no TLS yet")).hint(hint))
        }
        None => {
            Err(Refusal::usage(format!("`{host}` is not an address of this machine")).hint("use `127.0.0.1` or `::1`"))
        }
    }
}

async fn bind(address: SocketAddr) -> Result<TcpListener, Refusal> {
    TcpListener::bind(address).await.map_err(|error| {
        let hint = match error.kind() {
            std::io::ErrorKind::AddrInUse => "something listens there already; choose another port with `--port`",
            _ => "choose another address with `--host` and `--port`",
        };
        Refusal::failed(format!("cannot listen on {address}")).because(error).hint(hint)
    })
}

/// Makes the first key there ever was, and says where it is. It is never printed: terminals are kept and shared.
async fn first_key(loaded: &Loaded, shelf: &dyn Shelf) -> anyhow::Result<String> {
    let file = loaded.state_directory().join(KEY_FILE);
    let known = keys::list(shelf).await?;
    let valid = known.iter().any(|key| key.revoked_at.is_none());
    Ok(match (known.is_empty(), file.is_file()) {
        (true, _) => {
            // It lies on this machine, where whoever can read it could do anything else with what is learnt as well.
            let name = Some("first".to_owned());
            let wanted = keys::Wanted { name, evidence: true, ..keys::Wanted::new(Role::Admin) };
            let (secret, key) = keys::create(shelf, wanted).await?;
            if let Err(refusal) = keep_key(&file, &secret) {
                // Nobody will ever know this key.
                keys::revoke(shelf, &key.id).await?;
                return Err(refusal.into());
            }
            format!("The key is in {}", file.display())
        }
        (false, true) if valid => format!("The key is in {}", file.display()),
        (false, false) if valid => "`agentwright keys create` makes another key".to_owned(),
        (false, _) => "No key is valid; `agentwright keys create` makes one".to_owned(),
    })
}

fn keep_key(file: &PathBuf, secret: &str) -> Result<(), Refusal> {
    let write = || {
        file.parent().map(keep_out_of_git).transpose()?;
        let mut open = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(file)?;
        // A file that was there keeps the rights it had.
        open.set_permissions(Permissions::from_mode(0o600))?;
        writeln!(open, "{secret}")
    };
    write().map_err(|error: std::io::Error| {
        Refusal::configuration(format!("the first key cannot be kept in `{}`", file.display()))
            .because(error)
            .hint("make the directory writable, or make a key yourself with `agentwright keys create`")
    })
}

fn person(loaded: &Loaded) -> Person {
    Person { name: loaded.person().map(str::to_owned), place: loaded.config.person.place.clone() }
}

fn limits(here: &Here) -> Limits {
    let configured = &here.loaded.config.server;
    let whole = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    Limits {
        body: whole(configured.max_body.get()),
        connections: whole(configured.max_connections.get()),
        request: configured.request_timeout.get(),
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
struct Signals {
    interrupt: Signal,
    terminate: Signal,
}

impl Signals {
    fn new() -> std::io::Result<Self> {
        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}
