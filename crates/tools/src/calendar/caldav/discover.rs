//! From an address to the calendar it stands for: the calendar itself, or whoever signs in, their home, and the first
//! calendar there that holds appointments.

use domain::tool::ToolError;
use reqwest::Url;

use super::xml::Element;
use super::{Server, propfind};
use crate::errors;

/// Where servers are asked that have nothing to say at the address that was given.
const WELL_KNOWN: &str = "/.well-known/caldav";

pub(super) async fn calendar(server: Server<'_>) -> Result<Url, ToolError> {
    let props = propfind("<D:resourcetype/><D:current-user-principal/><C:supported-calendar-component-set/>");
    let given = &server.with.url;
    let first = server.ask("PROPFIND", given, 0, props.clone()).await;
    if let Ok(answer) = &first
        && answer.all("response").any(is_calendar)
    {
        return folder(server, given, given.path());
    }
    let principal = match &first {
        Ok(answer) => href(answer, "current-user-principal"),
        Err(_) => None,
    };
    let principal = match (principal, first) {
        (Some(principal), _) => principal,
        // The password is wrong or nobody is there: asking elsewhere would not help.
        (None, Err(error @ ToolError::Unavailable { .. })) => return Err(error),
        (None, first) => {
            let url = server.resolve(given, WELL_KNOWN)?;
            let known = server.ask("PROPFIND", &url, 0, props).await;
            let known = known.ok().and_then(|answer| href(&answer, "current-user-principal"));
            match (known, first) {
                (Some(principal), _) => principal,
                (None, Err(error)) => return Err(error),
                (None, Ok(_)) => return Err(none(server)),
            }
        }
    };
    let principal = server.resolve(given, &principal)?;
    let answer = server.ask("PROPFIND", &principal, 0, propfind("<C:calendar-home-set/>")).await?;
    let home = href(&answer, "calendar-home-set").ok_or_else(|| none(server))?;
    let home = server.resolve(given, &home)?;
    let props = propfind("<D:resourcetype/><C:supported-calendar-component-set/>");
    let answer = server.ask("PROPFIND", &home, 1, props).await?;
    let found = answer.all("response").find(|response| is_calendar(response));
    let found = found.and_then(|response| response.text_at(&["href"])).ok_or_else(|| none(server))?;
    folder(server, &home, found)
}

/// Whether it is a calendar, and one for appointments.
fn is_calendar(response: &Element) -> bool {
    let calendar = response.found().any(|prop| prop.at(&["resourcetype", "calendar"]).is_some());
    let holds = response.found().find_map(|prop| prop.at(&["supported-calendar-component-set"]));
    let appointments = |set: &Element| set.all("comp").any(|kind| kind.named.as_deref() == Some("VEVENT"));
    calendar && holds.is_none_or(|set| set.all("comp").next().is_none() || appointments(set))
}

fn href(answer: &Element, property: &str) -> Option<String> {
    let found = answer.all("response").flat_map(Element::found).find_map(|prop| prop.text_at(&[property, "href"]));
    found.map(str::to_owned)
}

/// The address as that of a folder.
fn folder(server: Server<'_>, base: &Url, href: &str) -> Result<Url, ToolError> {
    let mut url = server.resolve(base, href)?;
    url.set_query(None);
    if !url.path().ends_with('/') {
        let path = format!("{}/", url.path());
        url.set_path(&path);
    }
    Ok(url)
}

fn none(server: Server<'_>) -> ToolError {
    errors::failed(server.spec, "the calendar server has no calendar for appointments at the configured address")
}
