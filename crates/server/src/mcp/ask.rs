//! Asking people through the client: what a run waits for becomes a form, where the client can show one.

use super::desk::Desk;
use super::standing::Standing;
use crate::error::ApiError;
use domain::id::RunId;
use rmcp::model::InputRequiredResult;

/// What comes next for whoever waits for a run.
pub(super) enum Next {
    /// They are told how it stands.
    Tell,
    /// Somebody at their side is asked; they call again.
    AskFirst(InputRequiredResult),
    /// Somebody was asked and has answered: the run goes on.
    GoOn,
}

/// The run that an earlier call began, with what was answered meanwhile put on record.
pub(super) async fn taken_up(_: &Desk) -> Result<Option<RunId>, ApiError> {
    Ok(None)
}

/// What comes next.
pub(super) async fn next(_: &Desk, _: &Standing) -> Result<Next, ApiError> {
    Ok(Next::Tell)
}
