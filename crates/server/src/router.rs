//! Every URL there is.

use axum::Router;
use axum::http::{Method, Uri};
use axum::middleware::{from_fn, from_fn_with_state};
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::error::ApiError;
use crate::learning::{self, experiments, guidelines, lessons};
use crate::library::{self, agents, cohorts, skills};
use crate::runs::{self, acts, create, events, list, plans, rate};
use crate::stages::{call, configure, history};
use crate::{approvals, document, guard, health, openapi, otlp, pathways, plain, requests, tools, traces};

/// Everything that can be asked over HTTP. A new resource is a file of its own and a line here.
fn urls() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(openapi::base())
        .routes(routes!(list::list, create::create))
        .routes(routes!(runs::show))
        .routes(routes!(events::events))
        .routes(routes!(plans::show, plans::edit))
        .routes(routes!(plans::compare))
        .routes(routes!(acts::cancel))
        .routes(routes!(acts::answer))
        .routes(routes!(acts::resume))
        .routes(routes!(acts::fork))
        .routes(routes!(acts::replay))
        .routes(routes!(approvals::list))
        .routes(routes!(approvals::show))
        .routes(routes!(approvals::decide::decide))
        .routes(routes!(rate::rate, rate::show))
        .routes(routes!(configure::list))
        .routes(routes!(configure::show, call::call, configure::change))
        .routes(routes!(configure::enable))
        .routes(routes!(configure::disable))
        .routes(routes!(history::list, history::clear))
        .routes(routes!(requests::list))
        .routes(routes!(requests::show))
        .routes(routes!(tools::list))
        .routes(routes!(tools::show))
        .routes(routes!(pathways::list))
        .routes(routes!(agents::list))
        .routes(routes!(agents::search))
        .routes(routes!(agents::show))
        .routes(routes!(agents::versions))
        .routes(routes!(agents::uses))
        .routes(routes!(agents::activate))
        .routes(routes!(agents::deactivate))
        .routes(routes!(agents::rollback))
        .routes(routes!(cohorts::list))
        .routes(routes!(cohorts::search))
        .routes(routes!(cohorts::show))
        .routes(routes!(cohorts::versions))
        .routes(routes!(cohorts::uses))
        .routes(routes!(cohorts::activate))
        .routes(routes!(cohorts::deactivate))
        .routes(routes!(cohorts::rollback))
        .routes(routes!(skills::list))
        .routes(routes!(skills::search))
        .routes(routes!(skills::show))
        .routes(routes!(skills::versions))
        .routes(routes!(skills::uses))
        .routes(routes!(skills::activate))
        .routes(routes!(skills::deactivate))
        .routes(routes!(skills::rollback))
        .routes(routes!(library::export))
        .routes(routes!(otlp::take_in))
        .routes(routes!(traces::list::list, traces::start::start))
        .routes(routes!(traces::show))
        .routes(routes!(traces::tell::call))
        .routes(routes!(traces::tell::thought))
        .routes(routes!(traces::tell::end))
        .routes(routes!(traces::tell::label))
        .routes(routes!(traces::revoke::revoke))
        .routes(routes!(learning::status))
        .routes(routes!(learning::run))
        .routes(routes!(learning::cycles))
        .routes(routes!(learning::patterns))
        .routes(routes!(learning::predict))
        .routes(routes!(lessons::list))
        .routes(routes!(lessons::show))
        .routes(routes!(lessons::accept))
        .routes(routes!(lessons::dismiss))
        .routes(routes!(guidelines::list))
        .routes(routes!(guidelines::versions))
        .routes(routes!(guidelines::rollback))
        .routes(routes!(experiments::list))
        .routes(routes!(experiments::stop))
        .routes(routes!(health::alive))
        .routes(routes!(health::ready))
        .routes(routes!(document::json))
        .routes(routes!(document::page))
}

/// Answers every URL, to those who may come in.
pub fn router(app: App) -> Router {
    let (urls, _) = urls().split_for_parts();
    urls.fallback(nowhere)
        .method_not_allowed_fallback(wrong_method)
        .layer(from_fn_with_state(app.clone(), guard::let_in))
        .layer(from_fn_with_state(app.clone(), guard::in_time))
        .layer(from_fn_with_state(app.clone(), guard::head))
        .layer(from_fn(guard::unbroken))
        .layer(from_fn(plain::errors))
        .with_state(app)
}

/// The document that describes all of them.
pub(crate) fn described() -> OpenApi {
    let (_, mut document) = urls().split_for_parts();
    openapi::complete(&mut document);
    document
}

async fn nowhere(uri: Uri) -> ApiError {
    ApiError::not_found(format!("there is nothing at `{}`", uri.path()))
}

async fn wrong_method(method: Method) -> ApiError {
    ApiError::WrongMethod { method: method.to_string() }
}
