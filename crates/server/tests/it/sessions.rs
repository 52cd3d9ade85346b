//! People sign in: what their browser is given, what it is good for, and how it ends.

use reqwest::Method;
use reqwest::header::{COOKIE, SET_COOKIE};
use serde_json::{Value, json};
use server::{Role, people};

use crate::world::{Said, World};

/// Somebody's browser: it keeps the cookie, and the page in it knows the token.
pub(crate) struct Browser<'w> {
    world: &'w World,
    pub(crate) cookie: String,
    pub(crate) csrf: String,
}

impl<'w> Browser<'w> {
    /// Signs in.
    pub(crate) async fn of(world: &'w World, with: Value) -> Self {
        let said = sign_in(world, with).await;
        assert_eq!(said.status, 201, "{said:?}");
        let csrf = said.body["csrf"].as_str().expect("a token").to_owned();
        Self { world, cookie: cookie(&said), csrf }
    }

    /// Somebody new, who came with their link.
    pub(crate) async fn invited(world: &'w World, name: &str, role: Role) -> Self {
        let (_, token) = people::add(world.store.as_ref(), name, role).await.expect("an account");
        Self::of(world, json!({"token": token})).await
    }

    pub(crate) async fn send(&self, method: Method, path: &str, body: Option<Value>) -> Said {
        let mut request = self.world.client.request(method, self.world.url(path)).header(COOKIE, &self.cookie);
        request = request.header("X-CSRF-Token", &self.csrf);
        if let Some(body) = body {
            request = request.json(&body);
        }
        Said::of(request.send().await.expect("an answer")).await
    }

    pub(crate) async fn get(&self, path: &str) -> Said {
        self.send(Method::GET, path, None).await
    }

    async fn choose(&self, body: Value) -> Said {
        self.send(Method::PUT, "/v1/session/password", Some(body)).await
    }
}

async fn sign_in(world: &World, with: Value) -> Said {
    Said::of(world.client.post(world.url("/v1/session")).json(&with).send().await.expect("an answer")).await
}

/// The cookie that an answer sets, as it is sent back.
fn cookie(said: &Said) -> String {
    let set = said.headers[SET_COOKIE].to_str().expect("text");
    set.split(';').next().expect("a pair").to_owned()
}

#[tokio::test]
async fn somebody_comes_with_a_link_chooses_a_password_and_comes_back_with_it() {
    let world = World::new().await;
    let (_, token) = people::add(world.store.as_ref(), "ada", Role::Admin).await.expect("an account");
    let nobody = Said::of(world.client.get(world.url("/v1/session")).send().await.expect("an answer")).await;
    assert_eq!(nobody.body, json!({"signed_in": false, "version": env!("CARGO_PKG_VERSION")}));

    let said = sign_in(&world, json!({"token": token})).await;
    assert_eq!(said.status, 201, "{said:?}");
    let set = said.headers[SET_COOKIE].to_str().expect("text").to_owned();
    for flag in ["aw_session=", "; HttpOnly", "; SameSite=Strict", "; Path=/"] {
        assert!(set.contains(flag), "{set}");
    }
    assert!(!set.contains("Secure"), "a browser would not keep it without TLS: {set}");
    assert_eq!(said.body["person"], json!({"name": "ada", "role": "admin"}));
    assert_eq!(said.body["has_password"], false);
    assert_eq!(sign_in(&world, json!({"token": token})).await.code(), "wrong_token", "once is once");

    let browser = Browser { world: &world, cookie: cookie(&said), csrf: said.body["csrf"].as_str().expect("x").into() };
    assert_eq!(browser.get("/v1/session").await.body["csrf"], browser.csrf.as_str());
    assert_eq!(browser.get("/v1/people").await.status, 200);
    let short = browser.choose(json!({"password": "seven77"})).await;
    assert_eq!((short.status, short.param().as_str()), (400, Some("password")));
    assert_eq!(browser.choose(json!({"password": "correct horse"})).await.status, 204);
    assert_eq!(browser.get("/v1/session").await.body["has_password"], true);

    let again = Browser::of(&world, json!({"name": "Ada", "password": "correct horse"})).await;
    assert_ne!(again.cookie, browser.cookie, "every session has a secret of its own");
    for wrong in
        [json!({"name": "ada", "password": "wrong horse"}), json!({"name": "eve", "password": "correct horse"})]
    {
        let said = sign_in(&world, wrong).await;
        assert_eq!((said.status, said.code()), (401, "wrong_password"));
        assert_eq!(said.message(), "the name or the password is wrong");
    }
    for odd in [json!({}), json!({"name": "ada"}), json!({"token": "x", "name": "ada", "password": "x"})] {
        assert_eq!(sign_in(&world, odd).await.status, 400);
    }
    let people = world.get("/v1/people").await.body;
    assert_eq!(people["people"][0]["has_password"], true);
    assert!(people["people"][0]["last_seen_at"].is_string(), "{people}");
    assert!(!people.to_string().contains("argon2"), "{people}");
}

#[tokio::test]
async fn a_cookie_alone_looks_and_changes_nothing() {
    let world = World::new().await;
    let browser = Browser::invited(&world, "ada", Role::Admin).await;
    let ask = |method: Method, token: Option<String>| {
        let mut request = world.client.request(method, world.url("/v1/runs")).header(COOKIE, &browser.cookie);
        if let Some(token) = token {
            request = request.header("X-CSRF-Token", token);
        }
        async { Said::of(request.json(&json!({"text": "hello"})).send().await.expect("an answer")).await }
    };
    assert_eq!(ask(Method::GET, None).await.status, 200);
    for token in [None, Some(String::new()), Some("0".repeat(64)), Some(browser.csrf.to_uppercase())] {
        let said = ask(Method::POST, token).await;
        assert_eq!((said.status, said.code(), said.param().as_str()), (403, "wrong_csrf", Some("X-CSRF-Token")));
    }
    assert_eq!(ask(Method::POST, Some(browser.csrf.clone())).await.status, 201);
    // Where there is a key, the key counts: with it nothing else is needed, and nothing else helps.
    let both = |key: &str| world.client.post(world.url("/v1/runs")).header(COOKIE, &browser.cookie).bearer_auth(key);
    let said = both(&world.key).json(&json!({"text": "hello"})).send().await.expect("an answer");
    assert_eq!(said.status().as_u16(), 201);
    let said = both("aw_0_0").header("X-CSRF-Token", &browser.csrf).json(&json!({"text": "hello"}));
    assert_eq!(said.send().await.expect("an answer").status().as_u16(), 401);
}

#[tokio::test]
async fn a_role_is_what_somebody_may_do_and_may_change() {
    let world = World::new().await;
    let browser = Browser::invited(&world, "vera", Role::Viewer).await;
    assert_eq!(browser.get("/v1/runs").await.status, 200);
    let refused = browser.send(Method::POST, "/v1/runs", Some(json!({"text": "hello"}))).await;
    assert_eq!((refused.status, refused.code()), (403, "role_too_low"));
    assert_eq!(browser.get("/v1/keys").await.status, 403);
}

#[tokio::test]
async fn whoever_signs_out_is_out_and_whoever_changes_the_password_is_alone() {
    let world = World::new().await;
    let first = Browser::invited(&world, "ada", Role::Admin).await;
    assert_eq!(first.choose(json!({"password": "correct horse"})).await.status, 204);
    let other = Browser::of(&world, json!({"name": "ada", "password": "correct horse"})).await;
    let third = Browser::of(&world, json!({"name": "ada", "password": "correct horse"})).await;
    assert_eq!(third.send(Method::DELETE, "/v1/session", None).await.status, 204);
    assert_eq!(third.get("/v1/runs").await.code(), "session_ended");

    assert_eq!(first.choose(json!({"password": "better horse"})).await.status, 400, "the old one is asked for");
    let wrong = first.choose(json!({"password": "better horse", "old": "what horse"})).await;
    assert_eq!((wrong.status, wrong.code()), (401, "wrong_password"));
    assert_eq!(first.choose(json!({"password": "better horse", "old": "correct horse"})).await.status, 204);
    assert_eq!(first.get("/v1/runs").await.status, 200);
    assert_eq!(other.get("/v1/runs").await.status, 401);

    // A link helps whoever has forgotten it.
    let (_, token) = people::invite(world.store.as_ref(), "ada").await.expect("a link");
    let back = Browser::of(&world, json!({"token": token})).await;
    assert_eq!(back.choose(json!({"password": "newest horse"})).await.status, 204);
    assert_eq!(first.get("/v1/runs").await.status, 401);
    let with_key = world.request(Method::DELETE, "/v1/session").send().await.expect("an answer");
    assert_eq!(with_key.status().as_u16(), 401, "a key has no session");
}

#[tokio::test]
async fn signing_in_never_goes_on_with_a_session_that_was_there() {
    let world = World::new().await;
    let before = Browser::invited(&world, "mallory", Role::Viewer).await;
    let (_, token) = people::add(world.store.as_ref(), "ada", Role::Admin).await.expect("an account");
    let request = world.client.post(world.url("/v1/session")).header(COOKIE, &before.cookie);
    let said = Said::of(request.json(&json!({"token": token})).send().await.expect("an answer")).await;
    assert_ne!(cookie(&said), before.cookie);
    assert_eq!(before.get("/v1/runs").await.status, 401, "what was known before is worth nothing");
}

#[tokio::test]
async fn the_first_link_is_for_whoever_comes_first() {
    let world = World::new().await;
    let shelf = world.store.as_ref();
    let (_, for_bo) = people::add(shelf, "bo", Role::Admin).await.expect("an account");
    let old = people::welcome(shelf, "ada").await.expect("asked").expect("nobody has a password");
    let first = people::welcome(shelf, "ada").await.expect("asked").expect("nobody has a password");
    assert_eq!(sign_in(&world, json!({"token": old})).await.code(), "wrong_token", "each start has its own");
    let bo = Browser::of(&world, json!({"token": for_bo})).await;
    assert_eq!(bo.choose(json!({"password": "correct horse"})).await.status, 204);
    assert_eq!(sign_in(&world, json!({"token": first})).await.code(), "wrong_token", "somebody has come");
    assert_eq!(people::welcome(shelf, "ada").await.expect("asked"), None);
}

#[tokio::test]
async fn only_hashes_are_kept() {
    let world = World::new().await;
    let (_, token) = people::add(world.store.as_ref(), "ada", Role::Admin).await.expect("an account");
    let kept = world.store.shelf("invitations").await.expect("a shelf");
    assert!(kept.iter().all(|it| !it.key.contains(&token) && !it.value.to_string().contains(&token)));
    let browser = Browser::of(&world, json!({"token": token})).await;
    assert_eq!(browser.choose(json!({"password": "correct horse"})).await.status, 204);
    for shelf in ["sessions", "people", "invitations"] {
        for it in world.store.shelf(shelf).await.expect("a shelf") {
            let text = format!("{} {}", it.key, it.value);
            let secret = browser.cookie.trim_start_matches("aw_session=");
            for secret in [secret, &browser.csrf, "correct horse"] {
                assert!(!text.contains(secret), "{shelf}: {text}");
            }
        }
    }
}

#[tokio::test]
async fn people_and_keys_are_seen_to_over_http() {
    let world = World::new().await;
    let said = world.post("/v1/people", json!({"name": "ada", "role": "admin"})).await;
    assert_eq!((said.status, said.location.as_deref()), (201, Some("/v1/people/ada")), "{said:?}");
    assert_eq!(said.body["person"]["has_password"], false);
    let ada = Browser::of(&world, json!({"token": said.body["token"]})).await;
    assert_eq!(world.post("/v1/people", json!({"name": "Ada", "role": "viewer"})).await.code(), "taken");
    assert_eq!(world.post("/v1/people", json!({"name": "../x", "role": "viewer"})).await.status, 400);
    let last = ada.send(Method::DELETE, "/v1/people/ada", None).await;
    assert_eq!((last.status, last.code()), (409, "last_admin"));
    assert_eq!(ada.send(Method::POST, "/v1/people", Some(json!({"name": "bo", "role": "admin"}))).await.status, 201);
    let invited = ada.send(Method::POST, "/v1/people/bo/invite", None).await;
    let bo = Browser::of(&world, json!({"token": invited.body["token"]})).await;
    assert_eq!(bo.send(Method::DELETE, "/v1/people/ada", None).await.status, 204);
    assert_eq!(ada.get("/v1/people").await.status, 401, "whoever is gone is signed out");
    assert_eq!(bo.send(Method::DELETE, "/v1/people/ada", None).await.status, 404);

    let wanted = json!({"name": "ci", "role": "runner", "scopes": ["traces"], "expires_in_days": 30});
    let made = bo.send(Method::POST, "/v1/keys", Some(wanted)).await;
    assert_eq!(made.status, 201, "{made:?}");
    let key = &made.body["key"];
    assert_eq!((&key["role"], &key["scopes"], &key["evidence"]), (&json!("runner"), &json!(["traces"]), &json!(false)));
    assert!(key["expires_at"].is_string() && key.get("revoked_at").is_none() && key.get("hash").is_none(), "{key}");
    let secret = made.body["secret"].as_str().expect("a secret");
    let with = |path: &str| world.client.get(world.url(path)).bearer_auth(secret).send();
    assert_eq!(with("/v1/traces").await.expect("an answer").status().as_u16(), 200);
    let elsewhere = Said::of(with("/v1/runs").await.expect("an answer")).await;
    assert_eq!((elsewhere.status, elsewhere.code()), (403, "out_of_scope"));
    let id = key["id"].as_str().expect("an id");
    // When a key was used is noted beside the answer.
    let is_noted = |keys: Value| {
        let found = keys["keys"].as_array().expect("keys").iter().find(|it| it["id"] == id).cloned();
        found.is_some_and(|key| key["last_used_at"].is_string())
    };
    while !is_noted(bo.get("/v1/keys").await.body) {
        tokio::task::yield_now().await;
    }
    let revoked = bo.send(Method::DELETE, &format!("/v1/keys/{id}"), None).await;
    assert!(revoked.body["revoked_at"].is_string() && revoked.body["last_used_at"].is_string(), "{revoked:?}");
    assert_eq!(with("/v1/traces").await.expect("an answer").status().as_u16(), 401);
    assert_eq!(bo.send(Method::DELETE, "/v1/keys/nothing", None).await.status, 404);
    let scoped = json!({"role": "admin", "scopes": ["admin"]});
    let scoped = bo.send(Method::POST, "/v1/keys", Some(scoped)).await.body["secret"].as_str().expect("x").to_owned();
    for (path, body) in
        [("/v1/people", json!({"name": "eve", "role": "admin"})), ("/v1/keys", json!({"role": "admin"}))]
    {
        let more = world.client.post(world.url(path)).bearer_auth(&scoped).json(&body);
        let said = Said::of(more.send().await.expect("an answer")).await;
        assert_eq!((said.status, said.code()), (403, "out_of_scope"), "{path}: nobody gives away more than they have");
    }
    let listed = bo.get("/v1/keys").await;
    assert!(!listed.body.to_string().contains("sha256"), "{listed:?}");
}

#[tokio::test]
async fn a_stream_ends_with_the_session_it_is_read_in() {
    let world = World::limited(|limits| limits.heartbeat = std::time::Duration::from_millis(20)).await;
    let run = world.start_gated(1).await;
    let browser = Browser::invited(&world, "ada", Role::Viewer).await;
    let mut events = world.follow_with(&run, |request| request.header(COOKIE, &browser.cookie)).await;
    assert_eq!(events.comment().await.as_deref(), Some("alive"));
    assert_eq!(browser.send(Method::DELETE, "/v1/session", None).await.status, 204);
    let (_, last) = events.rest().await;
    assert_eq!(last, "the key or the session is not valid any more");
}
