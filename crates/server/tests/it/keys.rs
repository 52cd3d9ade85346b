//! Who may come in.

use reqwest::header::AUTHORIZATION;
use server::Role;
use server::keys::Wanted;

use crate::world::{Said, World};

async fn with(world: &World, authorization: Option<&str>) -> Said {
    let mut request = world.client.get(world.url("/v1/runs"));
    if let Some(authorization) = authorization {
        request = request.header(AUTHORIZATION, authorization);
    }
    Said::of(request.send().await.expect("an answer")).await
}

#[tokio::test]
async fn without_a_valid_key_nobody_comes_in_and_nobody_learns_why() {
    let world = World::new().await;
    let (revoked, key) = server::keys::create(world.store.as_ref(), Wanted::new(Role::Admin)).await.expect("a key");
    server::keys::revoke(world.store.as_ref(), &key.id).await.expect("revoked").expect("there");
    let wrong = format!("{}0", &world.key[..world.key.len() - 1]);
    let wrong = if wrong == world.key { format!("{}1", &world.key[..world.key.len() - 1]) } else { wrong };
    let shown = [
        None,
        Some("Basic eDp5".to_owned()),
        Some("Bearer".to_owned()),
        Some("Bearer x".to_owned()),
        Some("Bearer aw_unknown_0".to_owned()),
        Some(format!("Bearer {wrong}")),
        Some(format!("Bearer {revoked}")),
    ];
    let mut words = Vec::new();
    for authorization in shown {
        let said = with(&world, authorization.as_deref()).await;
        assert_eq!((said.status, said.code()), (401, "invalid_key"), "{authorization:?}");
        assert_eq!(said.headers["www-authenticate"], "Bearer realm=\"agentwright\"");
        words.push(said.body);
    }
    words.dedup();
    assert_eq!(words.len(), 1, "all are told the same: {words:?}");
    assert_eq!(with(&world, Some(&format!("bearer {}", world.key))).await.status, 200);
}

#[tokio::test]
async fn a_key_that_is_revoked_is_of_no_use_at_once() {
    let world = World::new().await;
    assert_eq!(world.get("/v1/runs").await.status, 200);
    let id = world.key.split('_').nth(1).expect("an id").to_owned();
    let revoked = server::keys::revoke(world.store.as_ref(), &id).await.expect("revoked").expect("there");
    assert!(revoked.revoked_at.is_some());
    assert_eq!(world.get("/v1/runs").await.status, 401);
    let again = server::keys::revoke(world.store.as_ref(), &id).await.expect("revoked").expect("there");
    assert_eq!(again.revoked_at, revoked.revoked_at, "it was revoked when it was");
    assert!(server::keys::revoke(world.store.as_ref(), "nobody").await.expect("looked").is_none());
}

#[tokio::test]
async fn only_the_hash_of_a_key_is_kept() {
    let world = World::new().await;
    let secret = world.key.split('_').nth(2).expect("a secret");
    assert_eq!(secret.len(), 64);
    let kept = world.store.shelf("keys").await.expect("a shelf");
    assert_eq!(kept.len(), 1);
    assert!(!kept[0].value.to_string().contains(secret), "{}", kept[0].value);
    let listed = server::keys::list(world.store.as_ref()).await.expect("keys");
    assert_eq!(listed[0].name.as_deref(), Some("tests"));
}

#[tokio::test]
async fn health_and_the_document_need_no_key() {
    let world = World::new().await;
    for path in ["/healthz", "/readyz", "/openapi.json", "/docs"] {
        let said = Said::of(world.client.get(world.url(path)).send().await.expect("an answer")).await;
        assert_eq!(said.status, 200, "{path}: {said:?}");
    }
}
