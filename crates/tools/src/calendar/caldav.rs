//! A calendar on a server (CalDAV, RFC 4791): finding it, seeing what is in it, and changing one appointment at a time
//! under the condition that nobody else has.

mod discover;
mod xml;

use std::collections::BTreeMap;
use std::time::Duration;

use domain::tool::{ToolError, ToolSpec};
use reqwest::header::{CONTENT_TYPE, ETAG, HeaderValue, IF_MATCH, IF_NONE_MATCH};
use reqwest::{Client, Method, RequestBuilder, Response, StatusCode, Url};

use self::xml::Element;
use super::event::Remote;
use crate::errors;
use crate::words::{capped, size};

/// How long the server may take for one answer.
const PATIENCE: Duration = Duration::from_secs(30);
/// The most of an answer that is read.
const LARGEST: usize = 64 << 20;
/// How many appointments are asked for at once.
const BATCH: usize = 50;

/// A calendar server and whose calendar it is.
#[derive(Clone)]
pub struct CalDav {
    /// The calendar itself, or any address at which the server can be asked for it.
    pub url: Url,
    /// Who signs in.
    pub user: String,
    /// What they sign in with.
    pub password: String,
    /// How the server is reached: a client that follows no redirect to another host.
    pub client: Client,
}

/// One calendar of a server, once it is found.
pub(super) struct Collection<'s> {
    server: Server<'s>,
    url: Url,
}

/// What became of a change.
#[derive(Debug, PartialEq)]
pub(super) enum Sent {
    /// It is there, as this.
    Done(Remote),
    /// Somebody else was there before.
    Overtaken,
    /// The server does not want it, and says so.
    Refused(String),
}

/// An appointment as the server has it.
pub(super) struct Resource {
    pub(super) remote: Remote,
    pub(super) text: String,
}

/// The server, before and after the calendar is found.
#[derive(Clone, Copy)]
struct Server<'s> {
    spec: &'s ToolSpec,
    with: &'s CalDav,
}

impl<'s> Collection<'s> {
    pub(super) async fn find(spec: &'s ToolSpec, with: &'s CalDav) -> Result<Self, ToolError> {
        let server = Server { spec, with };
        let url = discover::calendar(server).await?;
        Ok(Self { server, url })
    }

    /// Whether an appointment is known to be in this calendar and no other.
    pub(super) fn holds(&self, remote: &Remote) -> bool {
        remote.href.starts_with(self.url.as_str())
    }

    /// Every appointment there, by its address, with the version it has.
    pub(super) async fn versions(&self) -> Result<BTreeMap<String, String>, ToolError> {
        let filter =
            r#"<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT"/></C:comp-filter></C:filter>"#;
        let body = report("calendar-query", "<D:getetag/>", filter);
        let answer = self.server.ask("REPORT", &self.url, 1, body).await?;
        let mut versions = BTreeMap::new();
        for response in answer.all("response") {
            let href = self.server.resolve(&self.url, response.text_at(&["href"]).unwrap_or_default())?;
            if let Some(etag) = response.found().find_map(|prop| prop.text_at(&["getetag"])) {
                versions.insert(href.to_string(), etag.to_owned());
            }
        }
        Ok(versions)
    }

    /// Appointments by their addresses; what is gone meanwhile is not among them.
    pub(super) async fn fetch(&self, hrefs: &[String]) -> Result<Vec<Resource>, ToolError> {
        let mut resources = Vec::new();
        for batch in hrefs.chunks(BATCH) {
            let path = |href: &String| Url::parse(href).map_or_else(|_| href.clone(), |url| url.path().to_owned());
            let wanted = batch.iter().map(|href| format!("<D:href>{}</D:href>", quick_xml::escape::escape(path(href))));
            let body = report("calendar-multiget", "<D:getetag/><C:calendar-data/>", &wanted.collect::<String>());
            let answer = self.server.ask("REPORT", &self.url, 1, body).await?;
            for response in answer.all("response") {
                let href = self.server.resolve(&self.url, response.text_at(&["href"]).unwrap_or_default())?;
                let found = response.found().find_map(|prop| {
                    let (etag, text) = (prop.text_at(&["getetag"])?, prop.text_at(&["calendar-data"])?);
                    Some((etag.to_owned(), text.to_owned()))
                });
                let resource = |(etag, text)| Resource { remote: Remote { href: href.to_string(), etag }, text };
                resources.extend(found.map(resource));
            }
        }
        Ok(resources)
    }

    /// Puts an appointment there: a new one, or one in the place of the version that was seen.
    pub(super) async fn put(&self, id: &str, known: Option<&Remote>, text: String) -> Result<Sent, ToolError> {
        let url = match known {
            Some(remote) => self.server.resolve(&self.url, &remote.href)?,
            None => self.server.resolve(&self.url, &format!("{id}.ics"))?,
        };
        let request = self.server.request(Method::PUT, &url).header(CONTENT_TYPE, "text/calendar; charset=utf-8");
        let request = match known.and_then(|remote| HeaderValue::from_str(&remote.etag).ok()) {
            Some(etag) => request.header(IF_MATCH, etag),
            None => request.header(IF_NONE_MATCH, HeaderValue::from_static("*")),
        };
        let response = self.server.send(request.body(text)).await?;
        let etag = response.headers().get(ETAG).and_then(|etag| etag.to_str().ok()).map(str::to_owned);
        match self.server.verdict(response).await? {
            Ok(()) => {
                let etag = match etag {
                    Some(etag) => etag,
                    // The server keeps it in other words than ours; which version that is must be asked.
                    None => self.version(&url).await?,
                };
                Ok(Sent::Done(Remote { href: url.to_string(), etag }))
            }
            Err(sent) => Ok(sent),
        }
    }

    /// Takes an appointment away if it is the version that was seen.
    pub(super) async fn delete(&self, known: &Remote) -> Result<Sent, ToolError> {
        let url = self.server.resolve(&self.url, &known.href)?;
        let mut request = self.server.request(Method::DELETE, &url);
        if let Ok(etag) = HeaderValue::from_str(&known.etag) {
            request = request.header(IF_MATCH, etag);
        }
        let response = self.server.send(request).await?;
        if matches!(response.status(), StatusCode::NOT_FOUND | StatusCode::GONE) {
            return Ok(Sent::Done(known.clone()));
        }
        Ok(self.server.verdict(response).await?.map_or_else(|sent| sent, |()| Sent::Done(known.clone())))
    }

    async fn version(&self, url: &Url) -> Result<String, ToolError> {
        let answer = self.server.ask("PROPFIND", url, 0, propfind("<D:getetag/>")).await?;
        let etag = answer.all("response").flat_map(Element::found).find_map(|prop| prop.text_at(&["getetag"]));
        Ok(etag.unwrap_or_default().to_owned())
    }
}

impl Server<'_> {
    fn request(&self, method: Method, url: &Url) -> RequestBuilder {
        let CalDav { user, password, client, .. } = self.with;
        client.request(method, url.clone()).basic_auth(user, Some(password)).timeout(PATIENCE)
    }

    /// A question about properties, and the answer if there is one.
    async fn ask(&self, method: &str, url: &Url, depth: u8, body: String) -> Result<Element, ToolError> {
        let method = Method::from_bytes(method.as_bytes()).map_err(|error| self.odd(&error.to_string()))?;
        let request = self.request(method, url).header("Depth", depth.to_string());
        let request = request.header(CONTENT_TYPE, "application/xml; charset=utf-8").body(body);
        let response = self.send(request).await?;
        match response.status() {
            StatusCode::MULTI_STATUS => {
                let text = self.read(response).await?;
                xml::parse(&text).map_err(|problem| self.odd(&format!("it answered XML that {problem}")))
            }
            status if status.is_server_error() => Err(self.away(&format!("it answered {status}"))),
            status => Err(self.odd(&format!("it answered {status} at `{}`", url.path()))),
        }
    }

    async fn send(&self, request: RequestBuilder) -> Result<Response, ToolError> {
        let response = request.send().await.map_err(|error| {
            if error.is_timeout() {
                return self.away(&format!("it did not answer within {PATIENCE:?}"));
            }
            match crate::http::unsent(self.spec, PATIENCE, &error) {
                ToolError::Unavailable { detail, .. } | ToolError::InDoubt { detail, .. } => self.away(&detail),
                other => other,
            }
        })?;
        match response.status() {
            StatusCode::UNAUTHORIZED => {
                Err(errors::failed(self.spec, "the calendar server does not accept the user name and the password"))
            }
            StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
                Err(self.away(&format!("it answered {}", response.status())))
            }
            status if status.is_redirection() => {
                let to = response.headers().get("location").and_then(|to| to.to_str().ok()).unwrap_or("another place");
                Err(self
                    .odd(&format!("it sends on to `{}`; if that is right, configure that address", capped(to, 200))))
            }
            _ => Ok(response),
        }
    }

    /// What an answer to a change means.
    async fn verdict(&self, response: Response) -> Result<Result<(), Sent>, ToolError> {
        match response.status() {
            status if status.is_success() => Ok(Ok(())),
            StatusCode::PRECONDITION_FAILED | StatusCode::NOT_FOUND | StatusCode::GONE => Ok(Err(Sent::Overtaken)),
            status if status.is_server_error() => Err(self.away(&format!("it answered {status}"))),
            status => {
                let words = self.read(response).await.unwrap_or_default();
                let plain: String = words.split(['<', '>']).skip(2).step_by(2).collect();
                let words = if plain.trim().is_empty() { words } else { plain };
                let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
                Ok(Err(Sent::Refused(format!("{status} {}", capped(&words, 200)).trim().to_owned())))
            }
        }
    }

    async fn read(&self, mut response: Response) -> Result<String, ToolError> {
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|_| self.away("its answer broke off"))? {
            bytes.extend_from_slice(&chunk);
            if bytes.len() > LARGEST {
                return Err(self.odd(&format!("it answered more than {}", size(LARGEST))));
            }
        }
        String::from_utf8(bytes).map_err(|_| self.odd("it answered something that is not UTF-8"))
    }

    /// An address that the server gave. Nobody else is shown the password.
    fn resolve(&self, base: &Url, href: &str) -> Result<Url, ToolError> {
        let url = base.join(href.trim()).map_err(|_| self.odd(&format!("`{}` is no address", capped(href, 100))))?;
        match url.origin() == self.with.url.origin() {
            true => Ok(url),
            false => {
                let place = capped(url.as_str(), 200);
                Err(self
                    .odd(&format!("it refers to another host, `{place}`; if that is right, configure that address")))
            }
        }
    }

    fn away(&self, detail: &str) -> ToolError {
        errors::unavailable(self.spec, format!("the calendar server cannot be reached: {detail}"))
    }

    fn odd(&self, detail: &str) -> ToolError {
        errors::failed(self.spec, format!("the calendar server: {detail}"))
    }
}

fn report(name: &str, props: &str, rest: &str) -> String {
    format!(
        r#"<?xml version="1.0" encoding="utf-8"?><C:{name} xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop>{props}</D:prop>{rest}</C:{name}>"#
    )
}

fn propfind(props: &str) -> String {
    format!(
        r#"<?xml version="1.0" encoding="utf-8"?><D:propfind xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop>{props}</D:prop></D:propfind>"#
    )
}
