//! The one HTTP client of all models, so that connections are shared and kept.

use std::time::Duration;

use crate::connect::ConnectError;

/// Opens connections and keeps them for the next call. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Http(pub(crate) reqwest::Client);

impl Http {
    /// A client that follows no redirects, has no time limit of its own, and uses the proxies of `HTTPS_PROXY` and kin.
    pub fn new() -> Result<Self, ConnectError> {
        // Whoever installs one first wins, and ring is the only one compiled in.
        let _ = rustls::crypto::ring::default_provider().install_default();
        reqwest::Client::builder()
            .tcp_nodelay(true)
            .connect_timeout(Duration::from_secs(10))
            .pool_idle_timeout(Duration::from_secs(90))
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!("agentwright/", env!("CARGO_PKG_VERSION")))
            .build()
            .map(Self)
            .map_err(ConnectError::Client)
    }
}
