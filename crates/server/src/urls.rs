//! URLs and what each of them needs: there is no way to add the one without the other.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use axum::Router;
use axum::http::Method;
use axum::routing::MethodRouter;
use serde_json::json;
use utoipa::openapi::extensions::ExtensionsBuilder;
use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::{OpenApi, SecurityRequirement};
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};

use crate::access::{Area, Needs, Role};
use crate::app::App;
use crate::openapi;

/// The URLs there are, as they are put together.
pub(crate) struct Urls {
    router: OpenApiRouter<App>,
    needs: HashMap<String, Vec<(Method, Needs)>>,
    declared: Vec<Declared>,
}

/// What a URL was declared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declared {
    /// The method.
    pub method: Method,
    /// The path, with names where ids stand.
    pub path: String,
    /// What it belongs to.
    pub area: Option<Area>,
    /// What it takes.
    pub role: Option<Role>,
    /// Whether the document describes it.
    pub described: bool,
    personal: bool,
}

impl Declared {
    fn new(method: &Method, path: &str, needs: Needs, described: bool) -> Self {
        let (area, role, personal) = match needs {
            Needs::Nothing => (None, None, false),
            Needs::Person => (None, None, true),
            Needs::Somebody(area, role) => (Some(area), Some(role), false),
        };
        Self { method: method.clone(), path: path.to_owned(), area, role, described, personal }
    }

    /// Who may ask for it, in a word: a role, or `person` for those who have signed in; nothing for everybody.
    pub fn needs(&self) -> Option<&'static str> {
        if self.personal { Some("person") } else { self.role.map(Role::word) }
    }
}

impl fmt::Display for Declared {
    /// A line of the table of permissions.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (area, needs) = (self.area.map_or("-", Area::word), self.needs().unwrap_or("anybody"));
        write!(f, "{:<7}{:<52}{area:<11}{needs}", self.method.as_str(), self.path)
    }
}

/// What each URL needs, by the path it was declared with.
#[derive(Debug, Clone)]
pub(crate) struct Permissions(Arc<HashMap<String, Vec<(Method, Needs)>>>);

impl Urls {
    pub(crate) fn new() -> Self {
        Self { router: OpenApiRouter::with_openapi(openapi::base()), needs: HashMap::new(), declared: Vec::new() }
    }

    /// Adds the URLs of one path, for those who have what it takes.
    pub(crate) fn open(mut self, needs: Needs, (schemas, mut paths, methods): UtoipaMethodRouter<App>) -> Self {
        for (path, item) in &mut paths.paths {
            for (method, operation) in operations(item) {
                declare(operation, needs);
                self.declared.push(Declared::new(&method, path, needs, true));
                self.needs.entry(path.clone()).or_default().push((method, needs));
            }
        }
        self.router = self.router.routes((schemas, paths, methods));
        self
    }

    /// Adds a path that speaks a protocol of its own, which the document does not describe.
    pub(crate) fn mount(mut self, needs: Needs, path: &str, methods: &[Method], answer: MethodRouter<App>) -> Self {
        self.declared.extend(methods.iter().map(|method| Declared::new(method, path, needs, false)));
        let declared = methods.iter().map(|method| (method.clone(), needs));
        self.needs.entry(path.to_owned()).or_default().extend(declared);
        self.router = self.router.route(path, answer);
        self
    }

    /// What each of them needs, by path.
    pub(crate) fn declared(mut self) -> Vec<Declared> {
        self.declared.sort_by(|one, other| (&one.path, one.method.as_str()).cmp(&(&other.path, other.method.as_str())));
        self.declared
    }

    /// What answers, what describes it, and what it takes.
    pub(crate) fn parts(self) -> (Router<App>, OpenApi, Permissions) {
        let (router, document) = self.router.split_for_parts();
        (router, document, Permissions(Arc::new(self.needs)))
    }
}

impl Permissions {
    /// What a declared path needs. `HEAD` is `GET` without its answer.
    pub(crate) fn of(&self, path: &str, method: &Method) -> Option<Needs> {
        let method = if method == Method::HEAD { &Method::GET } else { method };
        self.0.get(path)?.iter().find(|(declared, _)| declared == method).map(|(_, needs)| *needs)
    }
}

/// Says in the document what an operation needs.
fn declare(operation: &mut Operation, needs: Needs) {
    let access = match needs {
        Needs::Nothing => {
            operation.security = Some(vec![Default::default()]);
            return;
        }
        Needs::Person => {
            operation.security = Some(vec![SecurityRequirement::new(openapi::SESSION, Vec::<String>::new())]);
            json!({"role": "person"})
        }
        Needs::Somebody(area, role) => json!({"area": area.word(), "role": role.word()}),
    };
    // One extension, because several come in any order.
    let said = ExtensionsBuilder::new().add("x-agentwright-access", access);
    operation.extensions.get_or_insert_default().merge(said.build());
}

/// The operations of a path, each with its method.
pub(crate) fn operations(item: &mut PathItem) -> impl Iterator<Item = (Method, &mut Operation)> {
    let all = [
        (Method::GET, &mut item.get),
        (Method::PUT, &mut item.put),
        (Method::POST, &mut item.post),
        (Method::DELETE, &mut item.delete),
        (Method::PATCH, &mut item.patch),
    ];
    all.into_iter().filter_map(|(method, operation)| operation.as_mut().map(|operation| (method, operation)))
}
