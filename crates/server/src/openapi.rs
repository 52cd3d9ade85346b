//! The document that describes the API, made from the code: what every route has in common is added here.

use serde::Deserialize;
use utoipa::openapi::path::{Parameter, ParameterIn, ParameterStyle};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{
    Components, ContentBuilder, OpenApi, Ref, RefOr, Required, Response, ResponseBuilder, Schema, SecurityRequirement,
};
use utoipa::{OpenApi as _, ToSchema};

use crate::caller::SESSION_COOKIE;
use crate::error::Problem;
use crate::plain::{Refusal, is_plain};
use crate::urls::operations;

/// What the document calls being signed in.
pub(crate) const SESSION: &str = "session";

/// No parameters: everything after a `?` is refused.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Nothing {}

/// What every request can be answered with.
const ALWAYS: &[(&str, &str)] = &[
    ("400", "the request is wrong; `param` says where"),
    ("403", "a page of somebody else asks, or whoever asks may not do this"),
    ("421", "the header `Host` names another server"),
    ("429", "too many requests: `Retry-After` says when to come back"),
    ("431", "too many headers, or too long ones"),
    ("500", "something broke; the log says more"),
    ("503", "not now: `Retry-After` says when to come back"),
];
/// What requests can be answered with that need a key.
const WITH_KEY: &[(&str, &str)] = &[("401", "there is no valid key, and nobody is signed in")];
/// What requests can be answered with that have a body.
const WITH_BODY: &[(&str, &str)] =
    &[("408", "the body did not arrive in time"), ("413", "the body is too large"), ("415", "the body is not JSON")];

#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "Agentwright",
        description = "Requests become runs; everything that happens to a run is an event in its ledger. Keys are made \
            with `agentwright keys create`; people who have signed in come with the cookie `aw_session` instead, and with the \
            header `X-CSRF-Token` where something is changed. Cursors are opaque. What a schema does not name is refused.",
        license(name = "Apache-2.0", identifier = "Apache-2.0")
    ),
    components(schemas(Problem, Refusal)),
    tags(
        (name = "runs", description = "Requests and everything that comes of them"),
        (name = "approvals", description = "What people are asked, and what they say to it"),
        (name = "agents", description = "Stages of reasoning, called one by one; errors are `{\"error\": \"…\"}`"),
        (name = "tools", description = "What can be called"),
        (name = "routes", description = "Which ways requests go"),
        (name = "library", description = "Agents, cohorts and skills that are kept and used again"),
        (name = "memories", description = "What is remembered"),
        (name = "traces", description = "What agents did, ours and others'"),
        (name = "access", description = "Who may come in, and what they may do"),
        (name = "openai", description = "As OpenAI's clients ask: what is not named here is passed over"),
        (name = "agui", description = "As clients of AG-UI watch runs"),
        (name = "operations", description = "For whoever watches over the server")
    )
)]
struct Base;

/// The document without its paths.
pub(crate) fn base() -> OpenApi {
    let mut document = Base::openapi();
    let scheme = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).bearer_format("aw_<id>_<secret>").build();
    let components = document.components.get_or_insert_with(Components::new);
    components.add_security_scheme("key", SecurityScheme::Http(scheme));
    let cookie = ApiKey::Cookie(ApiKeyValue::new(SESSION_COOKIE));
    components.add_security_scheme(SESSION, SecurityScheme::ApiKey(cookie));
    document.security = Some(vec![SecurityRequirement::new("key", Vec::<String>::new())]);
    document
}

/// Adds to each operation what it can be answered with besides what it says itself.
pub(crate) fn complete(document: &mut OpenApi) {
    for (path, item) in &mut document.paths.paths {
        let shape = if is_plain(path) { Refusal::name() } else { Problem::name() };
        for (_, operation) in operations(item) {
            let keyless = operation.security.as_ref().is_some_and(|it| it.contains(&SecurityRequirement::default()));
            let body = operation.request_body.is_some();
            let also = [(!keyless).then_some(WITH_KEY), body.then_some(WITH_BODY)];
            let also = also.into_iter().flatten().flatten();
            operation.parameters.iter_mut().flatten().for_each(exactly);
            for (status, words) in ALWAYS.iter().chain(also) {
                let responses = &mut operation.responses.responses;
                responses.entry((*status).to_owned()).or_insert_with(|| RefOr::T(problem(words, &shape)));
            }
        }
    }
}

/// Says about a parameter what its type alone does not: paths are whole, and lists are written with commas.
fn exactly(parameter: &mut RefOr<Parameter>) {
    let RefOr::T(parameter) = parameter else { return };
    if parameter.parameter_in == ParameterIn::Path {
        parameter.required = Required::True;
    }
    if matches!(parameter.schema, Some(RefOr::T(Schema::Array(_)))) {
        (parameter.style, parameter.explode) = (Some(ParameterStyle::Form), Some(false));
    }
}

fn problem(words: &str, shape: &str) -> Response {
    let content = ContentBuilder::new().schema(Some(Ref::from_schema_name(shape))).build();
    ResponseBuilder::new().description(words).content("application/json", content).build()
}
