//! Where the server is: under which names it is reached, over what, and who may stand in between.

use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;

use axum::http::header::{HOST, HeaderName, ORIGIN};
use axum::http::{HeaderMap, HeaderValue, Method, Uri};

use crate::error::ApiError;

/// What names a machine to itself: a page from elsewhere cannot make a browser say these.
const OWN_NAMES: &[&str] = &["localhost", "127.0.0.1", "[::1]"];
const FORWARDED_HOST: HeaderName = HeaderName::from_static("x-forwarded-host");
const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");
const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Where the server is. By default it is reached by the names of the machine itself, without TLS.
#[derive(Clone, Default)]
pub struct Site {
    /// What it is called besides, without ports.
    pub names: Vec<String>,
    /// Whether all requests come through a proxy whose headers `X-Forwarded-…` are believed.
    pub behind_proxy: bool,
    /// What TLS is spoken with, if it is.
    pub tls: Option<Arc<rustls::ServerConfig>>,
}

impl fmt::Debug for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { names, behind_proxy, tls } = self;
        let site = &mut f.debug_struct("Site");
        site.field("names", names).field("behind_proxy", behind_proxy).field("tls", &tls.is_some()).finish()
    }
}

/// The two ends of a connection.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Connected {
    pub(crate) peer: IpAddr,
    pub(crate) local: IpAddr,
}

/// How a request reached us.
#[derive(Debug, Clone)]
pub(crate) struct Reached {
    /// By which name, with its port.
    host: String,
    /// Whether nobody on the way could read it.
    pub(crate) secure: bool,
    /// From where, if that is known.
    pub(crate) from: Option<IpAddr>,
}

impl Site {
    /// How a request reached us, if it was meant for us.
    pub(crate) fn reached(
        &self,
        headers: &HeaderMap,
        uri: &Uri,
        connected: Option<Connected>,
    ) -> Result<Reached, ApiError> {
        let forwarded = |name: &HeaderName| if self.behind_proxy { last(headers, name) } else { None };
        let host = match forwarded(&FORWARDED_HOST) {
            Some(host) => host.to_owned(),
            None => host(headers, uri)?,
        };
        if !self.is_own(without_port(&host), connected) {
            return Err(ApiError::WrongHost { host });
        }
        let secure = self.tls.is_some() || forwarded(&FORWARDED_PROTO).is_some_and(|it| it == "https");
        let from = forwarded(&FORWARDED_FOR).and_then(|it| it.parse().ok()).or(connected.map(|it| it.peer));
        Ok(Reached { host, secure, from })
    }

    fn is_own(&self, name: &str, connected: Option<Connected>) -> bool {
        let named = || self.names.iter().map(String::as_str).chain(OWN_NAMES.iter().copied());
        let address = || name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>().ok();
        named().any(|own| own.eq_ignore_ascii_case(name)) || connected.is_some_and(|it| address() == Some(it.local))
    }
}

impl Reached {
    /// What stands before a path of ours for whoever reached us so.
    pub(crate) fn base(&self) -> String {
        format!("{}://{}", if self.secure { "https" } else { "http" }, self.host)
    }

    /// Refuses what a page of somebody else has a browser send.
    pub(crate) fn by_own_page(&self, method: &Method, headers: &HeaderMap) -> Result<(), ApiError> {
        let (scheme, usual) = if self.secure { ("https", ":443") } else { ("http", ":80") };
        // Browsers leave the usual port out; proxies may not.
        let own = format!("{scheme}://{}", self.host.strip_suffix(usual).unwrap_or(&self.host));
        if let Some(origin) = headers.get_all(ORIGIN).iter().find(|it| !is_text(it, &own)) {
            let origin = String::from_utf8_lossy(origin.as_bytes()).into_owned();
            return Err(ApiError::WrongOrigin { origin });
        }
        // Links from elsewhere may lead here; nothing more.
        let foreign = headers.get(FETCH_SITE).is_some_and(|it| is_text(it, "cross-site"));
        match foreign && !method.is_safe() {
            true => Err(ApiError::WrongOrigin { origin: "cross-site".to_owned() }),
            false => Ok(()),
        }
    }
}

fn is_text(value: &HeaderValue, text: &str) -> bool {
    value.as_bytes().eq_ignore_ascii_case(text.as_bytes())
}

/// What the nearest proxy said: others may have said something before.
fn last<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let said = headers.get_all(name).iter().next_back()?.to_str().ok()?;
    said.rsplit(',').next().map(str::trim).filter(|it| !it.is_empty())
}

fn host(headers: &HeaderMap, uri: &Uri) -> Result<String, ApiError> {
    let mut said = headers.get_all(HOST).iter().map(HeaderValue::to_str);
    let host = match (said.next(), said.next()) {
        (Some(Ok(host)), None) => host,
        _ => return Err(ApiError::invalid("Host", "the request must have one header `Host`")),
    };
    Ok(uri.authority().map_or(host, |authority| authority.as_str()).to_owned())
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) && !name.is_empty() => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(said: &[(&'static str, &str)]) -> HeaderMap {
        let header = |(name, value): &(&'static str, &str)| {
            (HeaderName::from_static(name), HeaderValue::from_str(value).expect("a value"))
        };
        said.iter().map(header).collect()
    }

    fn reached(site: &Site, said: &[(&'static str, &str)]) -> Option<(String, bool, Option<String>)> {
        let connected = Connected { peer: [10, 0, 0, 9].into(), local: [10, 0, 0, 1].into() };
        let reached = site.reached(&headers(said), &Uri::from_static("/"), Some(connected)).ok()?;
        Some((reached.host, reached.secure, reached.from.map(|it| it.to_string())))
    }

    #[test]
    fn a_host_is_what_stands_before_its_port() {
        assert_eq!(without_port("localhost:7878"), "localhost");
        assert_eq!(without_port("[::1]:7878"), "[::1]");
        assert_eq!(without_port("[::1]"), "[::1]");
        assert_eq!(without_port("localhost"), "localhost");
    }

    #[test]
    fn only_own_names_are_answered_to() {
        let site = Site { names: vec!["aw.example.org".into()], ..Site::default() };
        for own in ["localhost", "127.0.0.1:1", "[::1]:7878", "AW.example.org:443", "10.0.0.1:80"] {
            assert!(reached(&site, &[("host", own)]).is_some(), "{own}");
        }
        for other in ["example.org", "aw.example.org.evil.example", "10.0.0.2", "", "localhost.evil.example"] {
            assert!(reached(&site, &[("host", other)]).is_none(), "{other}");
        }
    }

    #[test]
    fn what_a_proxy_says_is_believed_where_there_is_one() {
        let said = [
            ("host", "localhost:7878"),
            ("x-forwarded-host", "evil.example, aw.example.org"),
            ("x-forwarded-proto", "https"),
            ("x-forwarded-for", "1.2.3.4, 5.6.7.8"),
        ];
        let names = vec!["aw.example.org".to_owned()];
        let alone = Site { names: names.clone(), ..Site::default() };
        assert_eq!(reached(&alone, &said), Some(("localhost:7878".into(), false, Some("10.0.0.9".into()))));
        let proxied = Site { names, behind_proxy: true, tls: None };
        assert_eq!(reached(&proxied, &said), Some(("aw.example.org".into(), true, Some("5.6.7.8".into()))));
    }

    #[test]
    fn pages_of_others_are_refused() {
        let at = Reached { host: "localhost:7878".into(), secure: false, from: None };
        let may = |method: Method, said: &[(&'static str, &str)]| at.by_own_page(&method, &headers(said)).is_ok();
        assert!(may(Method::POST, &[]));
        assert!(may(Method::POST, &[("origin", "http://localhost:7878"), ("sec-fetch-site", "same-origin")]));
        for origin in ["null", "", "https://localhost:7878", "http://localhost", "http://localhost:78780"] {
            assert!(!may(Method::GET, &[("origin", origin)]), "{origin}");
        }
        let proxied = Reached { host: "aw.example.org:443".into(), secure: true, from: None };
        let own = headers(&[("origin", "https://aw.example.org")]);
        assert!(proxied.by_own_page(&Method::POST, &own).is_ok());
        assert!(may(Method::GET, &[("sec-fetch-site", "cross-site")]));
        assert!(!may(Method::POST, &[("sec-fetch-site", "cross-site")]));
    }
}
