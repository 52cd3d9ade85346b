//! The only place that names concrete models, tools and stores: from a configuration to parts that fit together.

use std::sync::Arc;

use domain::dispatch::Advance;
use domain::id::RunId;
use domain::request::Request;
use domain::store::Store;
use domain::tool::Toolbox;

use crate::config::Loaded;
use crate::exit::Refusal;

/// Everything that commands act with.
pub struct Parts {
    /// Where ledgers are kept.
    pub store: Arc<dyn Store>,
    /// The tools there are.
    pub tools: Arc<dyn Toolbox>,
    /// What carries runs on.
    pub advance: Arc<dyn Advance>,
}

/// Opens the database.
pub async fn store(_loaded: &Loaded) -> anyhow::Result<Arc<dyn Store>> {
    Err(Refusal::failed("the store is not wired yet").into())
}

/// Gathers the tools.
pub fn tools(_loaded: &Loaded) -> anyhow::Result<Arc<dyn Toolbox>> {
    Err(Refusal::failed("the tools are not wired yet").into())
}

/// Puts everything together.
pub async fn parts(loaded: &Loaded) -> anyhow::Result<Parts> {
    let _store = store(loaded).await?;
    let _tools = tools(loaded)?;
    Err(Refusal::failed("the runtime is not wired yet").into())
}

impl Parts {
    /// Takes a request in. On return it is durable.
    pub async fn accept(&self, _request: Request) -> anyhow::Result<RunId> {
        Err(Refusal::failed("the runtime is not wired yet").into())
    }
}
