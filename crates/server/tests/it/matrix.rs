//! Who may do what: every URL, asked by everybody.

use reqwest::Method;
use serde_json::Value;
use server::keys::{self, Wanted};
use server::{Area, Declared, Grant, Role};

use crate::world::{Said, World};

/// Whether the document says what is declared.
fn in_document(document: &Value, declared: &Declared) -> bool {
    let operation = &document["paths"][&declared.path][declared.method.as_str().to_lowercase()];
    let said = |name: &str| operation["x-agentwright-access"][name].as_str().map(str::to_owned);
    let (area, role) = (said("area"), said("role"));
    area.as_deref() == declared.area.map(Area::word) && role.as_deref() == declared.needs()
}

async fn key(world: &World, role: Role, scopes: Vec<Area>) -> String {
    let wanted = Wanted { grant: Grant { role, scopes }, ..Wanted::new(role) };
    keys::create(world.store.as_ref(), wanted).await.expect("a key").0
}

/// What is answered to something that fits no handler: only who may come in counts here.
async fn ask(world: &World, declared: &Declared, key: Option<&str>) -> Said {
    let path = declared.path.split('/').map(|part| if part.starts_with('{') { "x" } else { part });
    let path = path.collect::<Vec<_>>().join("/");
    let method: Method = declared.method.as_str().parse().expect("a method");
    let mut request = world.client.request(method.clone(), world.url(&path));
    if let Some(key) = key {
        request = request.bearer_auth(key);
    }
    if !method.is_safe() {
        request = request.header("content-type", "application/json").body("{\"odd\":");
    }
    Said::of(request.send().await.expect("an answer")).await
}

#[tokio::test]
async fn every_url_says_who_may_ask_for_it() {
    let world = World::new().await;
    let document = world.get("/openapi.json").await.body;
    let declared = server::declared();
    let operations = document["paths"].as_object().expect("paths").values();
    let operations: usize = operations.map(|item| item.as_object().expect("operations").len()).sum();
    let described = declared.iter().filter(|it| it.described).count();
    assert_eq!(operations, described, "there are operations without a declared permission");
    for it in declared.iter().filter(|it| it.described) {
        assert!(in_document(&document, it), "the document says something else about {it:?}");
    }
    // Whoever changes who may do what changes this table, where it is seen.
    let table: Vec<String> = declared.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!("permissions", table.join("\n"));
}

#[tokio::test]
async fn everybody_may_do_what_the_table_says_and_nothing_else() {
    let world = World::limited(|limits| limits.failures_per_minute = 0).await;
    let mut keys = Vec::new();
    for role in Role::ALL {
        keys.push((role, key(&world, role, vec![]).await));
    }
    for it in server::declared() {
        let (Some(area), Some(role)) = (it.area, it.role) else { continue };
        let nobody = ask(&world, &it, None).await;
        assert_eq!(nobody.status, 401, "{it}: without a key");
        for (has, key) in &keys {
            let said = ask(&world, &it, Some(key)).await;
            match *has >= role {
                true => assert!(![401, 403].contains(&said.status), "{it}: as {has}: {said:?}"),
                false => assert_eq!(said.status, 403, "{it}: as {has}"),
            }
        }
        let elsewhere = Area::ALL.into_iter().filter(|other| *other != area).collect();
        let elsewhere = key(&world, Role::Admin, elsewhere).await;
        assert_eq!(ask(&world, &it, Some(&elsewhere)).await.status, 403, "{it}: with a key for everything else");
        // What lets people in lets them in everywhere, so that it takes a key for everything.
        if it.path == "/v1/people/{name}/invite" {
            continue;
        }
        let here = key(&world, role, vec![area]).await;
        assert!(![401, 403].contains(&ask(&world, &it, Some(&here)).await.status), "{it}: with a key for just this");
    }
}

#[tokio::test]
async fn what_is_about_oneself_is_for_those_who_have_signed_in() {
    let world = World::new().await;
    let personal: Vec<Declared> = server::declared().into_iter().filter(|it| it.needs() == Some("person")).collect();
    assert!(personal.len() >= 2);
    for it in personal {
        assert_eq!(ask(&world, &it, None).await.code(), "invalid_key", "{it}");
        assert_eq!(ask(&world, &it, Some(&world.key)).await.code(), "session_ended", "{it}");
    }
}
