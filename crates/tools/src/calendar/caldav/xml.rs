//! As much of XML as servers answer: elements by their names without prefix, and their text.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// How deep elements may lie within each other.
const DEPTH: usize = 40;

/// An element.
#[derive(Debug, Default)]
pub(super) struct Element {
    name: String,
    /// Its attribute `name`.
    pub(super) named: Option<String>,
    text: String,
    within: Vec<Element>,
}

impl Element {
    /// The elements of a name directly within this one.
    pub(super) fn all<'e>(&'e self, name: &'e str) -> impl Iterator<Item = &'e Element> {
        self.within.iter().filter(move |element| element.name == name)
    }

    /// The element that a path of names leads to.
    pub(super) fn at(&self, path: &[&str]) -> Option<&Element> {
        match path {
            [] => Some(self),
            [first, rest @ ..] => {
                let mut inner = self.within.iter().filter(|element| element.name == *first);
                inner.find_map(|element| element.at(rest))
            }
        }
    }

    /// The text that a path of names leads to, unless it is empty.
    pub(super) fn text_at(&self, path: &[&str]) -> Option<&str> {
        self.at(path).map(|element| element.text.trim()).filter(|text| !text.is_empty())
    }

    /// The properties that a `response` really has.
    pub(super) fn found(&self) -> impl Iterator<Item = &Element> {
        let good = |stat: &&Element| stat.text_at(&["status"]).is_none_or(|status| status.contains(" 200"));
        self.all("propstat").filter(good).flat_map(|stat| stat.all("prop"))
    }
}

/// The outermost element of a text, or what is wrong with it.
pub(super) fn parse(text: &str) -> Result<Element, String> {
    let mut reader = Reader::from_str(text);
    let mut open = vec![Element::default()];
    loop {
        let event = reader.read_event().map_err(|error| format!("is broken: {error}"))?;
        match event {
            Event::Start(start) => {
                if open.len() > DEPTH {
                    return Err("is too deep".into());
                }
                open.push(begun(&start));
            }
            Event::Empty(start) => open.last_mut().into_iter().for_each(|last| last.within.push(begun(&start))),
            Event::End(_) => {
                let closed = open.pop().unwrap_or_default();
                open.last_mut().ok_or("is broken")?.within.push(closed);
            }
            Event::Text(text) => add(&mut open, &text.xml10_content()),
            Event::CData(text) => add(&mut open, &text.xml10_content()),
            Event::GeneralRef(reference) => {
                let letter = reference.resolve_char_ref().map_err(|error| format!("is broken: {error}"))?;
                match letter {
                    Some(letter) => add(&mut open, letter.encode_utf8(&mut [0; 4])),
                    None => match quick_xml::escape::resolve_xml_entity(&reference) {
                        Some(text) => add(&mut open, text),
                        None => return Err("has an entity that is not known".into()),
                    },
                }
            }
            Event::Eof => break,
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
        }
    }
    let root = open.pop().filter(|_| open.is_empty()).ok_or("has no end")?;
    root.within.into_iter().next().ok_or_else(|| "is empty".into())
}

fn begun(start: &BytesStart<'_>) -> Element {
    let named = start.attributes().flatten().find(|attribute| attribute.key.local_name().as_ref() == "name");
    let named = named.map(|attribute| attribute.value.to_string());
    Element { name: start.local_name().as_ref().to_owned(), named, ..Element::default() }
}

fn add(open: &mut [Element], text: &str) {
    open.last_mut().into_iter().for_each(|last| last.text.push_str(text));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_do_not_matter_and_references_are_resolved() {
        let text = "<?xml version='1.0'?><x:multistatus xmlns:x='DAV:'><x:response><x:href>/a&amp;b&#x20;c</x:href>\
            <x:propstat><x:prop><x:getetag>\"1\"</x:getetag></x:prop><x:status>HTTP/1.1 200 OK</x:status></x:propstat>\
            <x:propstat><x:prop><x:other/></x:prop><x:status>HTTP/1.1 404 Not Found</x:status></x:propstat>\
            </x:response></x:multistatus>";
        let root = parse(text).expect("XML");
        let response = root.all("response").next().expect("a response");
        assert_eq!(response.text_at(&["href"]), Some("/a&b c"));
        assert_eq!(response.found().count(), 1);
        assert_eq!(response.found().find_map(|prop| prop.text_at(&["getetag"])), Some("\"1\""));
    }

    #[test]
    fn what_is_not_xml_is_refused() {
        let deep = "<a>".repeat(1000);
        for text in ["", "hello", "<a>", "<a></b>", "<a>&nope;</a>", "</a>", deep.as_str()] {
            assert!(parse(text).is_err(), "{text:.20}");
        }
    }
}
