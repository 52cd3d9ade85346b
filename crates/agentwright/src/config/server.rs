//! The section about the server: where it listens, and how much one client can have.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::values::{Count, Period, Within};

/// `[server]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Server {
    /// The address it listens on. Where others can reach it there must be keys, and TLS or a proxy.
    pub host: String,
    /// The port; 0 for any that is free.
    pub port: Within<0, 65_535>,
    /// The longest body that is read, in bytes.
    pub max_body: Count,
    /// The most connections at once.
    pub max_connections: Count,
    /// How long an answer may take that is not a stream.
    pub request_timeout: Period,
    /// What it is called besides the names of this machine itself.
    pub names: Vec<String>,
    /// A certificate in PEM, with those that vouch for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tls_cert: Option<PathBuf>,
    /// The key of the certificate, in PEM.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tls_key: Option<PathBuf>,
    /// Whether all requests come through a proxy that speaks TLS and says for whom.
    pub behind_proxy: bool,
    /// How many requests one caller may make in a minute; 0 for any number.
    pub rate_per_minute: Within<0, 1_000_000>,
}

impl Default for Server {
    fn default() -> Self {
        Self {
            host: "127.0.0.1".to_owned(),
            port: Within::clamped(7878),
            max_body: Count::clamped(1024 * 1024),
            max_connections: Count::clamped(2_048),
            request_timeout: Period::seconds(60),
            names: Vec::new(),
            tls_cert: None,
            tls_key: None,
            behind_proxy: false,
            rate_per_minute: Within::clamped(0),
        }
    }
}
