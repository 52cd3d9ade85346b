//! iCalendar (RFC 5545): the text that calendars are exchanged as, here as a tree of components and content lines.

mod read;
mod write;
mod zones;

pub(super) use read::{Read, read};
pub(super) use write::write;

use crate::words::capped;

/// The most bytes on one line, as the standard has it.
const WIDTH: usize = 75;
/// How deep components may lie within each other.
const DEPTH: usize = 16;

/// `BEGIN:NAME` to `END:NAME`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Component {
    pub(super) name: String,
    /// The line it begins on.
    pub(super) line: usize,
    pub(super) lines: Vec<Line>,
    pub(super) within: Vec<Component>,
}

/// `NAME;PARAMETER=value:value`, unfolded.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Line {
    /// Where it begins in the text, counted from 1.
    pub(super) number: usize,
    pub(super) name: String,
    pub(super) parameters: Vec<(String, String)>,
    pub(super) value: String,
    /// The line as it was.
    pub(super) text: String,
}

impl Component {
    pub(super) fn get(&self, name: &str) -> Option<&Line> {
        self.lines.iter().find(|line| line.name == name)
    }

    pub(super) fn all<'c>(&'c self, name: &'c str) -> impl Iterator<Item = &'c Line> {
        self.lines.iter().filter(move |line| line.name == name)
    }

    /// The component as lines again.
    fn texts(&self) -> Vec<String> {
        let mut texts = vec![format!("BEGIN:{}", self.name)];
        texts.extend(self.lines.iter().map(|line| line.text.clone()));
        texts.extend(self.within.iter().flat_map(Component::texts));
        texts.push(format!("END:{}", self.name));
        texts
    }
}

impl Line {
    pub(super) fn parameter(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    fn parse(number: usize, text: String) -> Result<Self, String> {
        let wrong = |why: &str| format!("line {number}: {why}: `{}`", capped(&text, 60));
        let name_end = text.find([';', ':']).ok_or_else(|| wrong("there is no `:`"))?;
        let name = text[..name_end].to_ascii_uppercase();
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
            return Err(wrong("it does not begin with a name"));
        }
        let mut parameters = Vec::new();
        let mut rest = &text[name_end..];
        while let Some(parameter) = rest.strip_prefix(';') {
            let end = outside_quotes(parameter).ok_or_else(|| wrong("a parameter has no end"))?;
            let (key, value) = parameter[..end].split_once('=').ok_or_else(|| wrong("a parameter has no `=`"))?;
            parameters.push((key.to_ascii_uppercase(), value.trim_matches('"').to_owned()));
            rest = &parameter[end..];
        }
        let value = rest.strip_prefix(':').ok_or_else(|| wrong("there is no `:`"))?.to_owned();
        Ok(Self { number, name, parameters, value, text })
    }
}

/// Where the next `;` or `:` is that no quotes enclose.
fn outside_quotes(text: &str) -> Option<usize> {
    let mut quoted = false;
    text.char_indices().find_map(|(at, letter)| {
        quoted ^= letter == '"';
        (!quoted && matches!(letter, ';' | ':')).then_some(at)
    })
}

/// The components of a text.
pub(super) fn parse(text: &str) -> Result<Vec<Component>, String> {
    let mut open: Vec<Component> = Vec::new();
    let mut done = Vec::new();
    for (number, text) in unfolded(text) {
        let line = Line::parse(number, text)?;
        match (line.name.as_str(), open.last_mut()) {
            ("BEGIN", _) => {
                if open.len() >= DEPTH {
                    return Err(format!("line {number}: components lie too deep within each other"));
                }
                let name = line.value.trim().to_ascii_uppercase();
                open.push(Component { name, line: number, lines: Vec::new(), within: Vec::new() });
            }
            ("END", Some(last)) if last.name.eq_ignore_ascii_case(line.value.trim()) => {
                let Some(closed) = open.pop() else { continue };
                open.last_mut().map_or(&mut done, |outer| &mut outer.within).push(closed);
            }
            ("END", Some(last)) => {
                let (name, begun) = (&last.name, last.line);
                let value = capped(&line.value, 40);
                return Err(format!("line {number}: `END:{value}` where `END:{name}` is due (begun on line {begun})"));
            }
            (_, Some(last)) => last.lines.push(line),
            (_, None) => return Err(format!("line {number}: this is not iCalendar: `BEGIN:VCALENDAR` is missing")),
        }
    }
    match open.last() {
        None => Ok(done),
        Some(open) => Err(format!("line {}: `BEGIN:{}` has no end", open.line, open.name)),
    }
}

/// Lines with their numbers, each in one piece.
fn unfolded(text: &str) -> Vec<(usize, String)> {
    let mut lines: Vec<(usize, String)> = Vec::new();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (index, line) in text.split('\n').enumerate() {
        let line = line.strip_suffix('\r').unwrap_or(line);
        match (line.strip_prefix([' ', '\t']), lines.last_mut()) {
            (Some(rest), Some((_, last))) => last.push_str(rest),
            _ if line.trim().is_empty() => {}
            _ => lines.push((index + 1, line.to_owned())),
        }
    }
    lines
}

/// A line as it is sent: folded between characters, with its end.
pub(super) fn folded(line: &str) -> String {
    let mut folded = String::with_capacity(line.len() + line.len() / WIDTH * 3 + 2);
    let mut width = 0;
    for letter in line.chars().filter(|letter| !matches!(letter, '\r' | '\n')) {
        if width + letter.len_utf8() > WIDTH {
            folded.push_str("\r\n ");
            width = 1;
        }
        folded.push(letter);
        width += letter.len_utf8();
    }
    folded + "\r\n"
}

/// Text as a value.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => escaped.push_str("\\\\"),
            ';' => escaped.push_str("\\;"),
            ',' => escaped.push_str("\\,"),
            '\r' if letters.peek() == Some(&'\n') => {}
            '\n' | '\r' => escaped.push_str("\\n"),
            letter if letter.is_control() && letter != '\t' => {}
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// A value as text.
pub(super) fn unescaped(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut letters = value.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some('n' | 'N') => text.push('\n'),
                Some(other) => text.push(other),
                None => text.push('\\'),
            },
            letter => text.push(letter),
        }
    }
    text
}

/// The parts of a value that is a list of texts.
pub(super) fn texts(value: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut escape = false;
    for letter in value.chars() {
        match letter {
            ',' if !escape => parts.push(String::new()),
            letter => parts.last_mut().into_iter().for_each(|part| part.push(letter)),
        }
        escape = letter == '\\' && !escape;
    }
    parts.iter().map(|part| unescaped(part)).filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_folded_between_characters_and_unfolds_to_itself() {
        let line = format!("SUMMARY:{}", "grüße 🦷 ".repeat(40));
        let folded = folded(&line);
        assert!(folded.split("\r\n").all(|part| part.len() <= WIDTH), "{folded}");
        assert_eq!(unfolded(&folded), [(1, line)]);
    }

    #[test]
    fn text_survives_as_a_value() {
        let text = "a, b; c\\n\nd:\"e\"";
        assert_eq!(escaped(text), "a\\, b\\; c\\\\n\\nd:\"e\"");
        assert_eq!(unescaped(&escaped(text)), text);
        assert_eq!(texts("Ada\\, Lady,Bob\\\\,Cy"), ["Ada, Lady", "Bob\\", "Cy"]);
    }

    #[test]
    fn quotes_hide_what_would_end_a_parameter() {
        let line = Line::parse(1, "ATTENDEE;CN=\"Ada: Lady; L\";X=1:mailto:ada@example.org".into()).expect("a line");
        assert_eq!((line.parameter("CN"), line.value.as_str()), (Some("Ada: Lady; L"), "mailto:ada@example.org"));
    }
}
