//! Where a server listens, over what, and whether others may be able to reach it there.

use std::net::{IpAddr, SocketAddr};
use std::path::Path;

use domain::shelf::Shelf;
use jiff::Timestamp;
use server::{Site, TlsError, keys, people};
use tokio::net::TcpListener;

use crate::args::Serve;
use crate::config::Loaded;
use crate::exit::Refusal;

/// The address that is meant.
pub(super) fn address(host: &str) -> Result<IpAddr, Refusal> {
    let address = match host {
        "localhost" => Some(IpAddr::from([127, 0, 0, 1])),
        host => host.trim_matches(['[', ']']).parse().ok(),
    };
    address.ok_or_else(|| {
        let words = format!("`{host}` is not an address of this machine");
        Refusal::usage(words).hint("use `127.0.0.1` or `::1`; names go into `server.names`")
    })
}

/// Under which names it is reached, and over what.
pub(super) fn site(loaded: &Loaded, args: &Serve) -> Result<Site, Refusal> {
    let configured = &loaded.config.server;
    let directory = loaded.surroundings().directory();
    let named = |flag: &Option<_>, key: &Option<_>| flag.as_ref().or(key.as_ref()).map(|path| directory.join(path));
    let files = (named(&args.tls_cert, &configured.tls_cert), named(&args.tls_key, &configured.tls_key));
    let tls = match files {
        (Some(certificate), Some(key)) => Some((certificate, key)),
        (None, None) => None,
        _ => {
            let words = "TLS needs a certificate and its key";
            return Err(Refusal::configuration(words).hint("name both: `server.tls_cert` and `server.tls_key`"));
        }
    };
    let tls = tls.map(|(certificate, key)| {
        let tls = server::tls(&read(&certificate)?, &read(&key)?);
        tls.map_err(|error| match error {
            TlsError::NoCertificate(_) => unusable(&certificate, error),
            TlsError::NoKey(_) | TlsError::Mismatch(_) => unusable(&key, error),
        })
    });
    let behind_proxy = args.behind_proxy || configured.behind_proxy;
    Ok(Site { names: configured.names.clone(), behind_proxy, tls: tls.transpose()? })
}

/// Refuses an address that others can reach where nobody has a key, or where what is said could be read on the way.
pub(super) async fn check(address: IpAddr, site: &Site, shelf: &dyn Shelf) -> anyhow::Result<()> {
    if address.is_loopback() {
        return Ok(());
    }
    let reached = format!("`{address}` can be reached by others");
    if site.tls.is_none() && !site.behind_proxy {
        let hint =
            "name a certificate with `--tls-cert` and `--tls-key`, or say `--behind-proxy` where a proxy speaks TLS";
        return Err(Refusal::usage(format!("{reached}, and there is no TLS")).hint(hint).into());
    }
    let now = Timestamp::now();
    let key = keys::list(shelf).await?.iter().any(|key| key.is_valid(now));
    let password = people::list(shelf).await?.iter().any(people::Account::has_password);
    if !key && !password {
        let hint = "make a key with `agentwright keys create --role admin`, or start once without `--host`";
        return Err(Refusal::usage(format!("{reached}, and there is no key yet")).hint(hint).into());
    }
    Ok(())
}

pub(super) async fn bind(address: SocketAddr) -> Result<TcpListener, Refusal> {
    TcpListener::bind(address).await.map_err(|error| {
        let hint = match error.kind() {
            std::io::ErrorKind::AddrInUse => "something listens there already; choose another port with `--port`",
            _ => "choose another address with `--host` and `--port`",
        };
        Refusal::failed(format!("cannot listen on {address}")).because(error).hint(hint)
    })
}

fn read(file: &Path) -> Result<Vec<u8>, Refusal> {
    let unreadable = |error| Refusal::configuration(format!("`{}` cannot be read", file.display())).because(error);
    std::fs::read(file).map_err(unreadable)
}

fn unusable(file: &Path, error: TlsError) -> Refusal {
    let hint = "both files are PEM: the certificate first and then those that vouch for it, and its key unencrypted";
    Refusal::configuration(format!("`{}` cannot be used for TLS", file.display())).because(error).hint(hint)
}
