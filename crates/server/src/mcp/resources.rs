//! Runs as resources: `run://` and the id is everything that is on record about it.

use domain::id::RunId;
use domain::store::RunFilter;
use rmcp::model::{
    ErrorData, ListResourceTemplatesResult, ListResourcesResult, ReadResourceResult, Resource, ResourceContents,
    ResourceTemplate,
};
use serde_json::json;

use crate::access::{Area, Role};
use crate::app::App;
use crate::error::ApiError;
use crate::guard::Caller;
use crate::runs::export;

const SCHEME: &str = "run://";
const JSON: &str = "application/json";
/// How many runs are listed; the others can be read by their id.
const LISTED: usize = 20;
/// The most of a request that stands in a listing, in characters.
const TITLE: usize = 80;

/// The newest runs.
pub(super) async fn list(app: &App, caller: &Caller) -> Result<ListResourcesResult, ErrorData> {
    if !may_read(caller) {
        return Ok(ListResourcesResult::default());
    }
    let page = app.store.runs(&RunFilter::default(), None, LISTED).await.map_err(|error| trouble(error.into()))?;
    let resource = |run: domain::run::RunSummary| {
        let mut resource = Resource::new(format!("{SCHEME}{}", run.run), run.run.to_string());
        resource.title = Some(run.text.chars().take(TITLE).collect());
        resource.mime_type = Some(JSON.to_owned());
        resource
    };
    Ok(ListResourcesResult::with_all_items(page.runs.into_iter().map(resource).collect()))
}

/// How runs are named.
pub(super) fn templates(caller: &Caller) -> ListResourceTemplatesResult {
    let mut template = ResourceTemplate::new(format!("{SCHEME}{{run}}"), "run");
    template.description = Some("Everything that is on record about a run.".to_owned());
    template.mime_type = Some(JSON.to_owned());
    ListResourceTemplatesResult::with_all_items(may_read(caller).then_some(template).into_iter().collect())
}

/// A run and its ledger.
pub(super) async fn read(app: &App, caller: &Caller, uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let unknown = || ErrorData::resource_not_found(format!("there is no `{uri}`"), Some(json!({ "uri": uri })));
    let run: RunId = uri.strip_prefix(SCHEME).and_then(|run| run.parse().ok()).ok_or_else(unknown)?;
    if !may_read(caller) {
        return Err(unknown());
    }
    let exported = match export::whole(app, run).await {
        Ok(exported) => exported,
        Err(ApiError::NotFound { .. }) => return Err(unknown()),
        Err(error) => return Err(trouble(error)),
    };
    // Our own types always serialise.
    let text = serde_json::to_string(&exported).unwrap_or_default();
    let contents = ResourceContents::TextResourceContents {
        uri: uri.to_owned(),
        mime_type: Some(JSON.to_owned()),
        text,
        meta: None,
    };
    Ok(ReadResourceResult::new(vec![contents]))
}

fn may_read(caller: &Caller) -> bool {
    caller.grant.allows(Area::Runs, Role::Viewer).is_ok()
}

fn trouble(error: ApiError) -> ErrorData {
    error.log();
    ErrorData::internal_error(error.to_string(), None)
}
