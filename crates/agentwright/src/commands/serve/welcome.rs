//! How the first one comes in: with the key that the first start makes, or with a link.

use std::fs::{OpenOptions, Permissions};
use std::io::Write;
use std::net::SocketAddr;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::PathBuf;

use domain::store::Store;
use server::{Role, Site, keys, people};

use crate::commands::{Here, audit, keep_out_of_git};
use crate::config::Loaded;
use crate::exit::Refusal;

/// The file that holds the first key.
const KEY_FILE: &str = "server.key";

/// Makes the first key there ever was, and says where it is. It is never printed: terminals are kept and shared.
pub(super) async fn first_key(here: &Here, store: &dyn Store) -> anyhow::Result<String> {
    let file = here.loaded.state_directory().join(KEY_FILE);
    let known = keys::list(store).await?;
    let valid = known.iter().any(|key| key.revoked_at.is_none());
    Ok(match (known.is_empty(), file.is_file()) {
        (true, _) => {
            // It lies on this machine, where whoever can read it could do anything else with what is learnt as well.
            let name = Some("first".to_owned());
            let wanted = keys::Wanted { name, evidence: true, ..keys::Wanted::new(Role::Admin) };
            let (secret, key) = keys::create(store, wanted).await?;
            if let Err(refusal) = keep_key(&file, &secret) {
                // Nobody will ever know this key.
                keys::revoke(store, &key.id).await?;
                return Err(refusal.into());
            }
            audit::note(here, store, "serve", [("id", key.id)]).await?;
            format!("The key is in {}", file.display())
        }
        (false, true) if valid => format!("The key is in {}", file.display()),
        (false, false) if valid => "`agentwright keys create` makes another key".to_owned(),
        (false, _) => "No key is valid; `agentwright keys create` makes one".to_owned(),
    })
}

/// The link for whoever comes first, as long as nobody has a password. It is good for once, so it may be printed.
pub(super) async fn link(
    here: &Here,
    store: &dyn Store,
    site: &Site,
    address: SocketAddr,
) -> anyhow::Result<Option<String>> {
    let name = here.loaded.person().unwrap_or("admin");
    let Some(token) = people::welcome(store, name).await? else { return Ok(None) };
    let names = if address.ip().is_loopback() && !site.behind_proxy { &[][..] } else { &site.names };
    let base = base(names, site.tls.is_some(), site.behind_proxy, &address.ip().to_string(), address.port());
    Ok(Some(format!("{base}/welcome#{token}")))
}

/// The link for somebody who was invited, going by what is configured.
pub(crate) fn welcome_link(loaded: &Loaded, token: &str) -> String {
    let server = &loaded.config.server;
    let port = u16::try_from(server.port.get()).unwrap_or(0);
    let base = base(&server.names, server.tls_cert.is_some(), server.behind_proxy, &server.host, port);
    format!("{base}/welcome#{token}")
}

/// Where others find the server: by its first name, if it has any.
fn base(names: &[String], tls: bool, behind_proxy: bool, host: &str, port: u16) -> String {
    let scheme = if tls { "https" } else { "http" };
    match names.first() {
        // What a proxy is reached by is its own affair: usually the usual port.
        Some(name) if behind_proxy => format!("https://{name}"),
        Some(name) => format!("{scheme}://{name}:{port}"),
        None if host.contains(':') && !host.starts_with('[') => format!("{scheme}://[{host}]:{port}"),
        None => format!("{scheme}://{host}:{port}"),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_leads_to_where_the_server_is_found() {
        let names = ["aw.example.org".to_owned()];
        assert_eq!(base(&[], false, false, "127.0.0.1", 7878), "http://127.0.0.1:7878");
        assert_eq!(base(&[], true, false, "::1", 7878), "https://[::1]:7878");
        assert_eq!(base(&names, true, false, "0.0.0.0", 443), "https://aw.example.org:443");
        assert_eq!(base(&names, false, true, "0.0.0.0", 7878), "https://aw.example.org");
    }
}
