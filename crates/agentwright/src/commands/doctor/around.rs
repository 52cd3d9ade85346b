//! Checks of what is around: the port, those who are told and asked, the clock, and who can read our files. What is as it
//! should be is passed over.

use std::net::{IpAddr, SocketAddr};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use domain::shelf::Shelf;
use domain::store::{RunFilter, Store};
use futures::future::join_all;
use jiff::{SignedDuration, Timestamp};
use server::keys;
use tokio::net::TcpListener;

use super::Check;
use crate::compose::probe;
use crate::config::{Database, Loaded, redacted};

/// How far the newest run may lie ahead of the clock.
const AHEAD: SignedDuration = SignedDuration::from_secs(60);

pub(super) async fn checks(loaded: &Loaded) -> Vec<Check> {
    let mut checks = Vec::new();
    checks.extend(port(loaded).await);
    checks.extend(telemetry(loaded).await);
    checks.extend(bases(loaded).await);
    checks.extend(zone());
    checks.extend(rights(loaded));
    checks
}

/// What the database gives away about the rest.
pub(super) async fn told_by(loaded: &Loaded, store: &dyn Store) -> Vec<Check> {
    [reach(loaded, store).await, clock(store).await].into_iter().flatten().collect()
}

/// Whether the server could listen, or listens already.
async fn port(loaded: &Loaded) -> Option<Check> {
    let server = &loaded.config.server;
    let port = u16::try_from(server.port.get()).ok().filter(|port| *port > 0)?;
    let host: IpAddr = if server.host == "localhost" { [127, 0, 0, 1].into() } else { server.host.parse().ok()? };
    let address = SocketAddr::new(host, port);
    let error = TcpListener::bind(address).await.err()?;
    let words = format!("cannot listen on {address}: {error}");
    if error.kind() != std::io::ErrorKind::AddrInUse {
        return Some(Check::warn("server", words).hint("choose another with `server.host` and `server.port`"));
    }
    match probe::answers(&format!("http://{address}/healthz")).await {
        // Most likely it is ours.
        Ok(200) => None,
        _ => Some(
            Check::warn("server", format!("something else listens on {address}"))
                .hint("stop it, or choose another port with `server.port`"),
        ),
    }
}

/// Whether others could reach the server without showing anything.
async fn reach(loaded: &Loaded, shelf: &dyn Shelf) -> Option<Check> {
    let host = &loaded.config.server.host;
    let address: Option<IpAddr> = host.trim_matches(['[', ']']).parse().ok();
    if host == "localhost" || address.is_some_and(|address| address.is_loopback()) {
        return None;
    }
    let valid = keys::list(shelf).await.ok()?.iter().any(|key| key.revoked_at.is_none());
    let words = format!(
        "`server.host` is `{host}`, which others can reach{}",
        if valid { "" } else { ", and there is no key" }
    );
    let check = if valid { Check::warn("server", words) } else { Check::fail("server", words) };
    let check = if valid { check } else { check.hint("`agentwright keys create` makes a key") };
    Some(check.hint("leave `server.host` out, and let a proxy with TLS on this machine speak to the others"))
}

/// Whether spans arrive.
async fn telemetry(loaded: &Loaded) -> Vec<Check> {
    let name = "telemetry";
    let Some(otlp) = loaded.otlp() else { return Vec::new() };
    let url = redacted(&otlp.url);
    let mut checks = Vec::new();
    if let Some(protocol) = loaded.foreign_protocol() {
        let words = format!("`{protocol}` was asked for; spans are sent as `http/protobuf`");
        checks.push(Check::warn(name, words).hint("name the receiver's port for HTTP, usually 4318"));
    }
    checks.push(match probe::takes_spans(&otlp).await {
        Ok(200..=299) => Check::ok(name, format!("{url} takes spans")),
        Ok(status @ (401 | 403)) => Check::warn(name, format!("{url} refuses us: {status}"))
            .hint("put the key into `OTEL_EXPORTER_OTLP_HEADERS`: `authorization=Bearer%20KEY`"),
        Ok(404) => Check::warn(name, format!("nothing takes spans at {url}")).hint(
            "`telemetry.endpoint` is what comes before `/v1/traces`; `telemetry.traces_endpoint` is used as it is",
        ),
        Ok(status) => Check::warn(name, format!("{url} answered {status}")).hint("look into the log of the receiver"),
        Err(why) => Check::warn(name, format!("{url} does not answer: {why}"))
            .hint("start the receiver, or correct `telemetry.endpoint`; `OTEL_SDK_DISABLED=true` sends nothing"),
    });
    checks
}

/// Whether model servers of one's own are there. Those that everybody knows are not asked.
async fn bases(loaded: &Loaded) -> Vec<Check> {
    let models = &loaded.config.models;
    let named = models.all().into_iter().chain(loaded.config.components.values().filter_map(|it| it.model.as_ref()));
    let mut bases: Vec<(&str, String)> =
        named.filter_map(|model| Some((model.provider(), loaded.access(model.provider()).base_url?))).collect();
    bases.sort();
    bases.dedup();
    let checks = bases.iter().map(|(provider, url)| async move {
        let why = probe::answers(url).await.err()?;
        let words = format!("{provider}: `{}` does not answer: {why}", redacted(url));
        Some(Check::warn("models", words).hint(format!("start it, or correct `providers.{provider}.base_url`")))
    });
    join_all(checks).await.into_iter().flatten().collect()
}

/// Whether it is known what time it is here.
fn zone() -> Option<Check> {
    if jiff::tz::TimeZone::system().iana_name().is_some() {
        return None;
    }
    let words = "the time zone of this machine is not known; UTC is meant where nobody says otherwise";
    Some(
        Check::warn("clock", words)
            .hint("set `TZ`, for example to `Europe/Oslo`, or install the time zones (`tzdata`)"),
    )
}

/// Whether the clock was set back: runs are never newer than now.
async fn clock(store: &dyn Store) -> Option<Check> {
    let newest = store.runs(&RunFilter::default(), None, 1).await.ok()?.runs.pop()?;
    let ahead = newest.created_at.duration_since(Timestamp::now());
    (ahead > AHEAD).then(|| {
        let words = format!("{} was accepted {} seconds from now: the clock was set back", newest.run, ahead.as_secs());
        Check::warn("clock", words).hint("have the clock kept by NTP: timers and expiries go by it")
    })
}

/// Whether others on this machine can read what is kept here.
fn rights(loaded: &Loaded) -> Option<Check> {
    let directory = loaded.state_directory();
    let mode = |path: &Path| std::fs::metadata(path).map(|about| about.permissions().mode()).ok();
    let Database::Sqlite(file) = &loaded.database else { return None };
    let within = file.parent() == Some(directory);
    let open = mode(directory)? & 0o005 == 0o005 && mode(file)? & 0o004 != 0;
    (within && open).then(|| {
        Check::warn("files", format!("everybody on this machine can read `{}`", file.display()))
            .hint(format!("`chmod 700 {}`", directory.display()))
    })
}
