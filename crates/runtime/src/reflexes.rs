//! The seam to what is known about requests without a model: it changes when roles, outcomes or names do.

use std::sync::Arc;

use async_trait::async_trait;
use domain::name::Name;
use reflex::Router;

/// Whoever keeps what is known up to date.
#[async_trait]
pub trait Reflexes: Send + Sync {
    /// What is known now, with what is particular to this person.
    async fn router(&self, user: Option<&str>) -> Arc<Router>;

    /// What is known now, without what is particular to anybody: nothing is waited for.
    fn roles(&self) -> Arc<Router>;

    /// Has everything looked at anew that was looked at a moment ago: somebody has corrected it.
    fn refresh(&self);

    /// What people call the things that tools deal with.
    async fn names(&self) -> Arc<Vec<Name>>;
}
