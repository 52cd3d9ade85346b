//! What browsers are made to send, what strangers try, and what can be read on the way.

use reqwest::Method;
use reqwest::header::{HeaderMap, ORIGIN, SET_COOKIE};
use serde_json::json;
use server::keys::{self, Wanted};
use server::{Role, Site, people};

use crate::world::{Said, Setting, World};

async fn sent(world: &World, method: Method, path: &str, headers: &[(&str, &str)]) -> Said {
    let mut request = world.request(method, path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    Said::of(request.send().await.expect("an answer")).await
}

/// Every URL there is, with something where ids stand, and some that there are not.
fn everywhere() -> Vec<(Method, String)> {
    let declared = server::declared().into_iter().map(|it| {
        let path: Vec<_> = it.path.split('/').map(|part| if part.starts_with('{') { "x" } else { part }).collect();
        (it.method.as_str().parse().expect("a method"), path.join("/"))
    });
    declared.chain([(Method::GET, "/".into()), (Method::GET, "/nowhere".into())]).collect()
}

#[tokio::test]
async fn no_page_of_others_reaches_anything() {
    let world = World::new().await;
    for (method, path) in everywhere() {
        for origin in ["https://evil.example", "null"] {
            let said = sent(&world, method.clone(), &path, &[("Origin", origin)]).await;
            assert_eq!(said.status, 403, "{method} {path} from {origin}");
            assert!(said.headers.keys().all(|name| !name.as_str().starts_with("access-control-")), "{said:?}");
        }
        let said = sent(&world, method.clone(), &path, &[("Host", "evil.example")]).await;
        assert_eq!(said.status, 421, "{method} {path} under another name");
    }
    let refused = sent(&world, Method::GET, "/v1/runs", &[("Origin", "https://evil.example")]).await;
    assert_eq!((refused.code(), refused.param().as_str()), ("wrong_origin", Some("Origin")));
    let own = format!("http://{}", world.address);
    assert_eq!(sent(&world, Method::GET, "/v1/runs", &[("Origin", &own)]).await.status, 200);
    let other = format!("http://localhost:{}", world.address.port());
    assert_eq!(
        sent(&world, Method::GET, "/v1/runs", &[("Origin", &other)]).await.status,
        403,
        "another name is another"
    );
    let cross = sent(&world, Method::POST, "/v1/runs", &[("Sec-Fetch-Site", "cross-site")]).await;
    assert_eq!(cross.code(), "wrong_origin");
    assert_eq!(sent(&world, Method::GET, "/v1/runs", &[("Sec-Fetch-Site", "cross-site")]).await.status, 200);
    let preflight = [("Origin", own.as_str()), ("Access-Control-Request-Method", "POST")];
    let said = sent(&world, Method::OPTIONS, "/v1/runs", &preflight).await;
    assert_eq!(said.status, 405);
    assert!(said.headers.keys().all(|name| !name.as_str().starts_with("access-control-")), "{said:?}");
}

#[tokio::test]
async fn every_answer_tells_browsers_what_not_to_do_with_it() {
    let world = World::new().await;
    for (method, path) in everywhere() {
        let said = sent(&world, method.clone(), &path, &[]).await;
        let header = |name: &str| said.headers.get(name).and_then(|it| it.to_str().ok()).unwrap_or_default().to_owned();
        assert_eq!(header("x-content-type-options"), "nosniff", "{method} {path}");
        assert_eq!(header("x-frame-options"), "DENY", "{method} {path}");
        assert_eq!(header("referrer-policy"), "no-referrer", "{method} {path}");
        assert_eq!(header("cross-origin-resource-policy"), "same-origin", "{method} {path}");
        assert!(header("content-security-policy").contains("frame-ancestors 'none'"), "{method} {path}");
    }
}

#[tokio::test]
async fn a_key_ends_by_itself() {
    let world = World::new().await;
    let ended = Wanted { expires_at: Some(jiff::Timestamp::now()), ..Wanted::new(Role::Admin) };
    let (secret, _) = keys::create(world.store.as_ref(), ended).await.expect("a key");
    let said = Said::of(world.client.get(world.url("/v1/runs")).bearer_auth(secret).send().await.expect("x")).await;
    assert_eq!((said.status, said.code()), (401, "invalid_key"));
}

#[tokio::test]
async fn whoever_guesses_is_slowed_down_and_nobody_else() {
    let world = World::new().await;
    people::add(world.store.as_ref(), "ada", Role::Admin).await.expect("an account");
    let mut answers = Vec::new();
    for _ in 0..12 {
        let wrong = world.client.post(world.url("/v1/session")).json(&json!({"token": "guess"}));
        answers.push(Said::of(wrong.send().await.expect("an answer")).await);
    }
    assert!(answers[..10].iter().all(|said| said.code() == "wrong_token"));
    let slowed = &answers[11];
    assert_eq!((slowed.status, slowed.code()), (429, "too_many_requests"));
    assert_eq!(slowed.body["error"]["type"], "rate_limit_error");
    let seconds: u64 = slowed.headers["retry-after"].to_str().expect("text").parse().expect("seconds");
    assert!((1..=6).contains(&seconds), "{seconds}");
    let guess = || world.client.get(world.url("/v1/runs")).bearer_auth("aw_0_0").send();
    let mut statuses = Vec::new();
    for _ in 0..12 {
        statuses.push(guess().await.expect("an answer").status().as_u16());
    }
    assert_eq!((statuses[9], statuses[11]), (401, 429));
    assert_eq!(world.get("/v1/runs").await.status, 200, "whoever has a key is let in all the same");
}

#[tokio::test]
async fn where_it_is_configured_everybody_has_their_share() {
    let world = World::limited(|limits| limits.per_minute = 5).await;
    for _ in 0..5 {
        assert_eq!(world.get("/v1/runs").await.status, 200);
    }
    let said = world.get("/v1/runs").await;
    assert_eq!((said.status, said.code()), (429, "too_many_requests"));
    let (other, _) = keys::create(world.store.as_ref(), Wanted::new(Role::Viewer)).await.expect("a key");
    let said = world.client.get(world.url("/v1/runs")).bearer_auth(other).send().await.expect("an answer");
    assert_eq!(said.status().as_u16(), 200);
}

#[tokio::test]
async fn tls_is_spoken_where_there_is_a_certificate() {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
    let (certificate, key) = (made.cert.pem(), made.signing_key.serialize_pem());
    let tls = server::tls(certificate.as_bytes(), key.as_bytes()).expect("they go together");
    let site = Site { tls: Some(tls), ..Site::default() };
    let world = World::with(Setting { site, ..Setting::default() }).await;
    let trusted = reqwest::Certificate::from_pem(certificate.as_bytes()).expect("a certificate");
    let client = reqwest::Client::builder().tls_certs_only([trusted]).no_proxy().build().expect("a client");
    let url = |path: &str| format!("https://localhost:{}{path}", world.address.port());
    let said = client.get(url("/v1/runs")).bearer_auth(&world.key).send().await.expect("an answer");
    assert_eq!(said.status().as_u16(), 200);
    let (_, token) = people::add(world.store.as_ref(), "ada", Role::Admin).await.expect("an account");
    let own = format!("https://localhost:{}", world.address.port());
    let request = client.post(url("/v1/session")).header(ORIGIN, own).json(&json!({"token": token}));
    let signed_in = request.send().await.expect("an answer");
    assert_eq!(signed_in.status().as_u16(), 201);
    assert!(signed_in.headers()[SET_COOKIE].to_str().expect("text").contains("; Secure"));
    // Who speaks plainly, or trusts nobody, hears nothing.
    assert!(world.client.get(world.url("/healthz")).send().await.is_err());
    assert!(world.client.get(url("/healthz")).send().await.is_err());
}

#[test]
fn files_that_are_no_certificate_and_key_are_told_apart() {
    let made = || rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
    let (one, other) = (made(), made());
    let (certificate, key) = (one.cert.pem(), one.signing_key.serialize_pem());
    let why = |certificate: &str, key: &str| {
        server::tls(certificate.as_bytes(), key.as_bytes()).map(drop).map_err(|error| error.to_string())
    };
    assert_eq!(why(&certificate, &key), Ok(()));
    assert_eq!(why("hello", &key), Err("there is no certificate in PEM in it".into()));
    assert_eq!(why(&certificate, "hello"), Err("there is no private key in PEM in it".into()));
    assert_eq!(why(&key, &certificate).map_err(|it| it.contains("no certificate")), Err(true));
    let mismatch = why(&certificate, &other.signing_key.serialize_pem());
    assert_eq!(mismatch, Err("the certificate and the key do not go together".into()));
}

#[tokio::test]
async fn behind_a_proxy_its_word_counts() {
    let site = Site { names: vec!["aw.example.org".into()], behind_proxy: true, tls: None };
    let world = World::with(Setting { site, ..Setting::default() }).await;
    let (_, token) = people::add(world.store.as_ref(), "ada", Role::Admin).await.expect("an account");
    let forwarded: HeaderMap = [
        ("x-forwarded-host", "aw.example.org"),
        ("x-forwarded-proto", "https"),
        ("x-forwarded-for", "203.0.113.9"),
        ("origin", "https://aw.example.org"),
    ]
    .into_iter()
    .map(|(name, value)| (name.parse().expect("a name"), value.parse().expect("a value")))
    .collect();
    let request = world.client.post(world.url("/v1/session")).headers(forwarded).json(&json!({"token": token}));
    let said = Said::of(request.send().await.expect("an answer")).await;
    assert_eq!(said.status, 201, "{said:?}");
    assert!(said.headers[SET_COOKIE].to_str().expect("text").contains("; Secure"));
    let stranger = world.request(Method::GET, "/v1/runs").header("x-forwarded-host", "evil.example");
    assert_eq!(stranger.send().await.expect("an answer").status().as_u16(), 421);
}

#[tokio::test]
async fn what_was_changed_and_who_came_in_stands_in_the_trail() {
    let world = World::new().await;
    let made = world.post("/v1/keys", json!({"role": "viewer", "name": "looker"})).await;
    let id = made.body["key"]["id"].as_str().expect("an id").to_owned();
    let viewer = made.body["secret"].as_str().expect("a secret");
    let refused = world.client.delete(world.url(&format!("/v1/keys/{id}"))).bearer_auth(viewer);
    assert_eq!(refused.send().await.expect("an answer").status().as_u16(), 403);
    let run = world.start_gated(1).await;
    assert!(world.poke(&format!("{run}/cancel")).await.status < 300);
    let (_, token) = people::add(world.store.as_ref(), "ada", Role::Editor).await.expect("an account");
    for with in [json!({"token": token}), json!({"token": token}), json!({"name": "ada", "password": "no such one"})] {
        world.client.post(world.url("/v1/session")).json(&with).send().await.expect("an answer");
    }
    let trail = world.get("/v1/audit").await.body;
    let entries = trail["entries"].as_array().expect("entries");
    let said: Vec<[&str; 4]> = entries
        .iter()
        .map(|it| ["who", "via", "what", "outcome"].map(|name| it[name].as_str().unwrap_or_default()))
        .collect();
    assert_eq!(
        said,
        [
            ["ada", "session", "POST /v1/session", "refused"],
            ["somebody unknown", "session", "POST /v1/session", "refused"],
            ["ada", "session", "POST /v1/session", "done"],
            ["tests", "key", "POST /v1/runs/{run}/cancel", "done"],
            ["looker", "key", "DELETE /v1/keys/{id}", "refused"],
            ["tests", "key", "POST /v1/keys", "done"],
        ]
    );
    assert_eq!(entries[4]["on"], json!({"id": id}));
    assert_eq!(entries[5]["on"], json!({"id": id}));
    assert_eq!(trail["chain"], json!({"holds": true, "entries": 6}));
    let page = world.get("/v1/audit?limit=4").await.body;
    let rest = world.get(&format!("/v1/audit?cursor={}", page["next"].as_str().expect("more"))).await.body;
    assert_eq!((&rest["entries"][0]["seq"], rest.get("next")), (&json!(2), None));
    assert_eq!(world.get("/v1/audit?cursor=x").await.status, 400);
    assert_eq!(world.get("/v1/audit").await.body["chain"], trail["chain"], "looking changes nothing");
}
