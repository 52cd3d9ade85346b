//! The REST side: all states, and calls of services.

use std::time::Duration;

use reqwest::{Client, RequestBuilder, Response, StatusCode, Url};
use serde_json::Value;

use super::calls::Call;
use crate::smart_home::house::HouseError;
use crate::words::capped;

/// How long one request may take. A service answers once it is done, which for a slow cover takes a while.
const PATIENCE: Duration = Duration::from_secs(20);

/// Where Home Assistant is and how it knows us.
pub(super) struct Rest {
    pub(super) url: Url,
    pub(super) token: String,
    pub(super) client: Client,
}

impl Rest {
    /// An address below `/api`.
    pub(super) fn address(&self, path: &str) -> String {
        format!("{}/api/{path}", self.url.as_str().trim_end_matches('/'))
    }

    /// Every entity's state.
    pub(super) async fn states(&self) -> Result<Vec<Value>, HouseError> {
        let response = self.send(self.client.get(self.address("states"))).await.map_err(never_mind)?;
        let odd = |_| HouseError::Away("Home Assistant answered something that is not a list of states".into());
        response.json().await.map_err(odd)
    }

    /// Calls a service. The states that it has changed until it was done come back.
    pub(super) async fn call(&self, call: &Call) -> Result<Vec<Value>, HouseError> {
        let address = self.address(&format!("services/{}/{}", call.domain, call.service));
        let response = match self.send(self.client.post(address).json(&call.data())).await {
            // Home Assistant says no more than that about services it does not have and values it does not take.
            Err(HouseError::Refused(detail)) if detail.contains("400") => {
                let Call { domain, service, .. } = call;
                let detail = format!("Home Assistant has no `{domain}.{service}` that takes this ({detail})");
                return Err(HouseError::Refused(detail));
            }
            other => other?,
        };
        // It is done; what was changed is only good to know.
        Ok(response.json().await.unwrap_or_default())
    }

    async fn send(&self, request: RequestBuilder) -> Result<Response, HouseError> {
        let response = request.bearer_auth(&self.token).timeout(PATIENCE).send().await;
        let response = response.map_err(|error| match (error.is_builder(), error.is_connect()) {
            (true, _) => HouseError::Refused("the address or the token of Home Assistant cannot be used".into()),
            (false, true) => HouseError::Away("Home Assistant cannot be reached".into()),
            (false, false) => HouseError::Lost("Home Assistant did not answer".into()),
        })?;
        let status = response.status();
        if status.is_success() {
            return Ok(response);
        }
        let body = response.text().await.unwrap_or_default();
        Err(refusal(status, &body))
    }
}

fn refusal(status: StatusCode, body: &str) -> HouseError {
    let body = capped(body.trim(), 200);
    let detail = format!("Home Assistant answered {status}{}{body}", if body.is_empty() { "" } else { ": " });
    match status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
            HouseError::Refused("Home Assistant does not accept the token".into())
        }
        StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS => HouseError::Away(detail),
        status if status.is_server_error() => HouseError::Lost(detail),
        _ => HouseError::Refused(detail),
    }
}

/// A read that was lost has done nothing.
fn never_mind(error: HouseError) -> HouseError {
    match error {
        HouseError::Lost(detail) => HouseError::Away(detail),
        other => other,
    }
}
