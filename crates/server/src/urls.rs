//! URLs and what each of them needs: there is no way to add the one without the other.

use std::collections::HashMap;
use std::sync::Arc;

use axum::Router;
use axum::http::Method;
use axum::routing::MethodRouter;
use utoipa::openapi::extensions::ExtensionsBuilder;
use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::{OpenApi, SecurityRequirement};
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};

use crate::access::Needs;
use crate::app::App;
use crate::openapi;

/// The URLs there are, as they are put together.
pub(crate) struct Urls {
    router: OpenApiRouter<App>,
    needs: HashMap<String, Vec<(Method, Needs)>>,
}

/// What each URL needs, by the path it was declared with.
#[derive(Debug, Clone)]
pub(crate) struct Permissions(Arc<HashMap<String, Vec<(Method, Needs)>>>);

impl Urls {
    pub(crate) fn new() -> Self {
        Self { router: OpenApiRouter::with_openapi(openapi::base()), needs: HashMap::new() }
    }

    /// Adds the URLs of one path, for those who have what it takes.
    pub(crate) fn open(mut self, needs: Needs, (schemas, mut paths, methods): UtoipaMethodRouter<App>) -> Self {
        for (path, item) in &mut paths.paths {
            for (method, operation) in operations(item) {
                declare(operation, needs);
                self.needs.entry(path.clone()).or_default().push((method, needs));
            }
        }
        self.router = self.router.routes((schemas, paths, methods));
        self
    }

    /// Adds a path that speaks a protocol of its own, which the document does not describe.
    pub(crate) fn mount(mut self, needs: Needs, path: &str, methods: &[Method], answer: MethodRouter<App>) -> Self {
        let declared = methods.iter().map(|method| (method.clone(), needs));
        self.needs.entry(path.to_owned()).or_default().extend(declared);
        self.router = self.router.route(path, answer);
        self
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
    match needs {
        Needs::Nothing => operation.security = Some(vec![Default::default()]),
        Needs::Person => {
            operation.security = Some(vec![SecurityRequirement::new(openapi::SESSION, Vec::<String>::new())]);
            let said = ExtensionsBuilder::new().add("x-agentwright-role", "person");
            operation.extensions.get_or_insert_default().merge(said.build());
        }
        Needs::Somebody(area, role) => {
            let said = ExtensionsBuilder::new().add("x-agentwright-area", area.word());
            operation.extensions.get_or_insert_default().merge(said.add("x-agentwright-role", role.word()).build());
        }
    }
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
