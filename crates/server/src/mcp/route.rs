//! `explain_route`: how a request would be understood, and why.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::catalogue::{Offered, Reply, Touch};
use super::desk::Desk;
use crate::access::{Area, Role};
use crate::error::ApiError;
use crate::routes;
use crate::schema::Words;

/// `explain_route`
pub(super) struct Explain;

/// A request that is not made.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Supposed {
    /// The request, in plain words.
    #[schemars(with = "String")]
    text: Words,
}

/// How a request would be understood.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Explained {
    /// The judgement, its signals, and what is most like the request.
    route: Value,
}

impl Offered for Explain {
    const NAME: &'static str = "explain_route";
    const WORDS: &'static str = "Says how a request would be understood and which way it would go, and why. Nothing is \
        carried out.";
    const NEEDS: (Area, Role) = (Area::Routes, Role::Viewer);
    const TOUCH: Touch = Touch::Looks;
    type Arguments = Supposed;
    type Answer = Explained;

    async fn call(desk: Desk, Supposed { text }: Supposed) -> Result<Reply<Explained>, ApiError> {
        let understood = routes::understand(&desk.app, &text).await?;
        // Our own types always serialise.
        Ok(Reply::Answer(Explained { route: serde_json::to_value(understood).unwrap_or_default() }))
    }
}
