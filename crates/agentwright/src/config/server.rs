//! The section about the server: where it listens, and how much one client can have.

use serde::{Deserialize, Serialize};

use super::values::{Count, Period, Within};

/// `[server]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Server {
    /// The address it listens on: one of this machine's own.
    pub host: String,
    /// The port; 0 for any that is free.
    pub port: Within<0, 65_535>,
    /// The longest body that is read, in bytes.
    pub max_body: Count,
    /// The most connections at once.
    pub max_connections: Count,
    /// How long an answer may take that is not a stream.
    pub request_timeout: Period,
}

impl Default for Server {
    fn default() -> Self {
        Self {
            host: "127.0.0.1".to_owned(),
            port: Within::clamped(7878),
            max_body: Count::clamped(1024 * 1024),
            max_connections: Count::clamped(2_048),
            request_timeout: Period::seconds(60),
        }
    }
}
