//! Every URL there is.

use axum::Router;
use axum::http::Method;
use axum::middleware::{from_fn, from_fn_with_state};
use utoipa::openapi::OpenApi;
use utoipa_axum::routes;

use crate::access::Area::{self, Admin, Approvals, Learning, Library, Memories, Routes, Runs, Stages, Tools, Traces};
use crate::access::Needs::{self, Nothing, Person};
use crate::access::Role;
use crate::app::App;
use crate::error::ApiError;
use crate::learning::{self, experiments, guidelines, lessons};
use crate::library::{self, agents, cohorts, skills};
use crate::openai::{chat, models, responses};
use crate::routes::{self, corrections};
use crate::runs::{self, acts, create, events, export, histogram, list, plans, rate};
use crate::stages::{call, configure, history};
use crate::urls::{Declared, Urls};
use crate::{
    a2a, agui, approvals, audit, dashboard, document, guard, health, intents, keys, mcp, memories, metrics, observe,
    openapi, otlp, overview, people, plain, requests, session, settings, tools, traces,
};

/// Everything that can be asked over HTTP, and by whom. A new resource is a file of its own and a line here.
fn urls() -> Urls {
    Urls::new()
        .open(see(Runs), routes!(list::list))
        .open(ask(Runs), routes!(create::create))
        .open(see(Runs), routes!(overview::show))
        .open(see(Runs), routes!(histogram::histogram))
        .open(see(Runs), routes!(intents::list))
        .open(see(Runs), routes!(runs::show))
        .open(see(Runs), routes!(export::export))
        .open(see(Runs), routes!(events::events))
        .open(see(Runs), routes!(plans::show))
        .open(decide(Approvals), routes!(plans::edit))
        .open(see(Runs), routes!(plans::compare))
        .open(ask(Runs), routes!(acts::cancel))
        .open(ask(Runs), routes!(acts::answer))
        .open(ask(Runs), routes!(acts::resume))
        .open(ask(Runs), routes!(acts::fork))
        .open(see(Runs), routes!(acts::replay))
        .open(see(Approvals), routes!(approvals::list))
        .open(see(Approvals), routes!(approvals::show))
        .open(decide(Approvals), routes!(approvals::decide::decide))
        .open(ask(Runs), routes!(rate::rate))
        .open(see(Runs), routes!(rate::show))
        .open(see(Runs), routes!(models::list))
        .open(see(Runs), routes!(models::show))
        .open(ask(Runs), routes!(chat::complete))
        .open(ask(Runs), routes!(responses::create))
        .open(see(Runs), routes!(responses::show))
        .open(ask(Runs), routes!(agui::run))
        .open(see(Stages), routes!(configure::list))
        .open(see(Stages), routes!(configure::show))
        .open(ask(Stages), routes!(call::call))
        .open(change(Stages), routes!(configure::change))
        .open(change(Stages), routes!(configure::enable))
        .open(change(Stages), routes!(configure::disable))
        .open(see(Stages), routes!(history::list))
        .open(change(Stages), routes!(history::clear))
        .open(see(Runs), routes!(requests::list))
        .open(see(Runs), routes!(requests::show))
        .open(see(Tools), routes!(tools::list))
        .open(see(Tools), routes!(tools::show))
        .open(see(Routes), routes!(routes::pathways::list))
        .open(see(Routes), routes!(routes::explain))
        .open(see(Routes), routes!(routes::roles))
        .open(see(Routes), routes!(routes::quality::show))
        .open(see(Routes), routes!(corrections::list))
        .open(change(Routes), routes!(corrections::correct))
        .open(change(Routes), routes!(corrections::withdraw))
        .open(see(Memories), routes!(memories::list))
        .open(change(Memories), routes!(memories::forget))
        .open(administer(Admin), routes!(settings::show))
        .open(see(Library), routes!(agents::list))
        .open(see(Library), routes!(agents::search))
        .open(see(Library), routes!(agents::show))
        .open(see(Library), routes!(agents::versions))
        .open(see(Library), routes!(agents::uses))
        .open(change(Library), routes!(agents::activate))
        .open(change(Library), routes!(agents::deactivate))
        .open(change(Library), routes!(agents::rollback))
        .open(see(Library), routes!(cohorts::list))
        .open(see(Library), routes!(cohorts::search))
        .open(see(Library), routes!(cohorts::show))
        .open(see(Library), routes!(cohorts::versions))
        .open(see(Library), routes!(cohorts::uses))
        .open(change(Library), routes!(cohorts::activate))
        .open(change(Library), routes!(cohorts::deactivate))
        .open(change(Library), routes!(cohorts::rollback))
        .open(see(Library), routes!(skills::list))
        .open(see(Library), routes!(skills::search))
        .open(see(Library), routes!(skills::show))
        .open(see(Library), routes!(skills::versions))
        .open(see(Library), routes!(skills::uses))
        .open(change(Library), routes!(skills::activate))
        .open(change(Library), routes!(skills::deactivate))
        .open(change(Library), routes!(skills::rollback))
        .open(see(Library), routes!(library::export))
        .open(ask(Traces), routes!(otlp::take_in))
        .open(see(Traces), routes!(traces::list::list))
        .open(ask(Traces), routes!(traces::start::start))
        .open(see(Traces), routes!(traces::show))
        .open(ask(Traces), routes!(traces::tell::call))
        .open(ask(Traces), routes!(traces::tell::thought))
        .open(ask(Traces), routes!(traces::tell::end))
        .open(ask(Traces), routes!(traces::tell::label))
        .open(change(Traces), routes!(traces::revoke::revoke))
        .open(see(Learning), routes!(learning::status))
        .open(change(Learning), routes!(learning::run))
        .open(see(Learning), routes!(learning::cycles))
        .open(see(Learning), routes!(learning::patterns))
        .open(see(Learning), routes!(learning::predict))
        .open(see(Learning), routes!(lessons::list))
        .open(see(Learning), routes!(lessons::show))
        .open(change(Learning), routes!(lessons::accept))
        .open(change(Learning), routes!(lessons::dismiss))
        .open(see(Learning), routes!(guidelines::list))
        .open(see(Learning), routes!(guidelines::versions))
        .open(change(Learning), routes!(guidelines::rollback))
        .open(see(Learning), routes!(experiments::list))
        .open(change(Learning), routes!(experiments::stop))
        .open(Nothing, routes!(session::url::show))
        .open(Nothing, routes!(session::url::begin))
        .open(Person, routes!(session::url::end))
        .open(Person, routes!(session::url::choose))
        .open(administer(Admin), routes!(keys::url::list))
        .open(administer(Admin), routes!(keys::url::create))
        .open(administer(Admin), routes!(keys::url::revoke))
        .open(administer(Admin), routes!(people::url::list))
        .open(administer(Admin), routes!(people::url::add))
        .open(administer(Admin), routes!(people::url::invite))
        .open(administer(Admin), routes!(people::url::remove))
        .open(administer(Admin), routes!(audit::url::list))
        .mount(see(Runs), "/mcp", &mcp::http::METHODS, mcp::http::methods())
        .open(Nothing, routes!(a2a::card::show))
        .mount(ask(Runs), "/a2a", &[Method::POST], a2a::rpc::methods())
        .open(Nothing, routes!(health::alive))
        .open(Nothing, routes!(health::ready))
        .open(see(Admin), routes!(metrics::show))
        .open(Nothing, routes!(document::json))
        .open(Nothing, routes!(document::page))
}

/// Answers every URL, to those who may come in.
pub fn router(app: App) -> Router {
    let (urls, _, permissions) = urls().parts();
    urls.fallback(dashboard::page)
        .method_not_allowed_fallback(wrong_method)
        .layer(from_fn_with_state((app.clone(), permissions), guard::let_in))
        .layer(from_fn_with_state(app.clone(), guard::in_time))
        .layer(from_fn_with_state(app.clone(), guard::head))
        .layer(from_fn(guard::unbroken))
        .layer(from_fn(plain::errors))
        .layer(from_fn_with_state(app.clone(), observe::request))
        .with_state(app)
}

/// Every URL, with who may ask for it.
pub fn declared() -> Vec<Declared> {
    urls().declared()
}

/// The document that describes all of them.
pub(crate) fn described() -> OpenApi {
    let (_, mut document, _) = urls().parts();
    openapi::complete(&mut document);
    document
}

/// For those who may look.
const fn see(area: Area) -> Needs {
    Needs::Somebody(area, Role::Viewer)
}

/// For those who may ask for something.
const fn ask(area: Area) -> Needs {
    Needs::Somebody(area, Role::Runner)
}

/// For those who may decide what runs do.
const fn decide(area: Area) -> Needs {
    Needs::Somebody(area, Role::Approver)
}

/// For those who may change how things are done.
const fn change(area: Area) -> Needs {
    Needs::Somebody(area, Role::Editor)
}

/// For those who may say who may do what.
const fn administer(area: Area) -> Needs {
    Needs::Somebody(area, Role::Admin)
}

async fn wrong_method(method: Method) -> ApiError {
    ApiError::WrongMethod { method: method.to_string() }
}
