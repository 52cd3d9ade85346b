//! Where a request goes. Arguments can choose a path segment or a query value there, never the place itself.

use std::collections::BTreeMap;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::Url;

use crate::described::{About, Scope, Text, Values};

/// Everything but what a path segment may hold as it is.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// A URL with holes.
pub(super) struct Address {
    text: Text,
    place: Url,
    query: Vec<(String, Text)>,
}

impl Address {
    pub(super) fn new(
        about: &About,
        url: &str,
        query: &BTreeMap<String, String>,
        scope: &Scope<'_>,
    ) -> Result<Self, String> {
        let text = Text::parse(url, scope)?;
        about.always_filled(&text, "url")?;
        let beginning = text.beginning();
        let wrong = |why: &str| format!("`url = \"{url}\"`: {why}");
        // Without a separator the hole would still be part of the host or the port.
        let authority = beginning.split_once("://").map_or("", |(_, rest)| rest);
        if text.plain().is_none() && !authority.contains(['/', '?']) {
            return Err(wrong("arguments cannot choose the host"));
        }
        let place = Url::parse(beginning).map_err(|error| wrong(&error.to_string()))?;
        if !matches!(place.scheme(), "http" | "https") || place.host_str().is_none() {
            return Err(wrong("only `http` and `https` can be called"));
        }
        let query = query.iter().map(|(name, text)| Ok((name.clone(), Text::parse(text, scope)?)));
        Ok(Self { text, place, query: query.collect::<Result<_, String>>()? })
    }

    pub(super) fn has_key(&self) -> bool {
        self.text.has_key()
    }

    /// The URL of one call, or what is wrong with its arguments.
    pub(super) fn fill(&self, values: &Values<'_>) -> Result<Url, String> {
        let encode = |value: String| utf8_percent_encode(&value, SEGMENT).to_string();
        let text = self.text.fill_with(values, encode).ok_or("an argument of the url is missing")?;
        let path = text.split(['?', '#']).next().unwrap_or_default();
        let segments = path.split_once("://").map_or("", |(_, rest)| rest).split('/').skip(1);
        if self.text.plain().is_none() && segments.into_iter().any(|segment| matches!(segment, "." | "..")) {
            return Err("a part of the url would be `.` or `..`".into());
        }
        let mut url = Url::parse(&text).map_err(|error| format!("the url cannot be made: {error}"))?;
        if url.origin() != self.place.origin() {
            return Err("the url would lead to another host".into());
        }
        let pairs: Vec<_> =
            self.query.iter().filter_map(|(name, text)| Some((name.as_str(), text.fill(values)?))).collect();
        if !pairs.is_empty() {
            url.query_pairs_mut().extend_pairs(pairs);
        }
        Ok(url)
    }
}

/// Whether following a redirect stays with the same receiver; from `http` to `https` is a step up, not away.
pub(super) fn same_place(from: &Url, to: &Url) -> bool {
    let upgrade = from.scheme() == "http"
        && to.scheme() == "https"
        && from.host_str() == to.host_str()
        && from.port().is_none()
        && to.port().is_none();
    from.origin() == to.origin() || upgrade
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_redirect_stays_with_its_host_and_port_or_moves_up_to_tls() {
        let stays = |from: &str, to: &str| same_place(&from.parse().expect("url"), &to.parse().expect("url"));
        assert!(stays("https://a.example/x", "https://a.example/y"));
        assert!(stays("http://a.example/", "https://a.example/"));
        for elsewhere in ["http://a.example/", "https://b.example/", "https://a.example:8443/", "https://a.example.b/"]
        {
            assert!(!stays("https://a.example/", elsewhere), "{elsewhere}");
        }
    }
}
