//! The words in formats that wrap them: pages, mails, calendars.

/// A page without its tags, scripts and styles.
pub(crate) fn stripped(html: &str) -> String {
    let mut text = String::with_capacity(html.len() / 2);
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        unescape(&rest[..at], &mut text);
        rest = &rest[at..];
        if let Some(comment) = rest.strip_prefix("<!--") {
            rest = comment.find("-->").map_or("", |end| &comment[end + 3..]);
            continue;
        }
        let name: String = rest[1..].chars().take_while(char::is_ascii_alphanumeric).collect();
        let opens = !name.is_empty() || rest[1..].starts_with(['/', '!', '?']);
        if !opens {
            text.push('<');
            rest = &rest[1..];
            continue;
        }
        rest = rest.find('>').map_or("", |end| &rest[end + 1..]);
        let name = name.to_ascii_lowercase();
        if matches!(name.as_str(), "script" | "style") {
            rest = find_ignoring_case(rest, &format!("</{name}")).map_or("", |end| &rest[end..]);
        }
        let inline = matches!(name.as_str(), "b" | "i" | "em" | "strong" | "a" | "span" | "code" | "mark");
        if !inline && !text.ends_with(['\n', ' ']) {
            text.push(if name == "td" { ' ' } else { '\n' });
        }
    }
    unescape(rest, &mut text);
    text.trim().to_owned()
}

/// What a page calls itself.
pub(crate) fn html_title(html: &str) -> Option<String> {
    let start = find_ignoring_case(html, "<title")?;
    let inner = html[start..].split_once('>')?.1;
    let end = find_ignoring_case(inner, "</title").unwrap_or(inner.len().min(200));
    let title = stripped(inner.get(..end)?);
    Some(title.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// A mail's subject, and its headers of interest with its text.
pub(crate) fn mail(raw: &str) -> (Option<String>, String) {
    let raw = raw.replace("\r\n", "\n");
    let (head, body) = raw.split_once("\n\n").unwrap_or((&raw, ""));
    let head = head.replace("\n ", " ").replace("\n\t", " ");
    let header = |name: &str| {
        head.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
        })
    };
    let mut text = String::new();
    for name in ["Subject", "From", "To", "Date"] {
        if let Some(value) = header(name) {
            text.push_str(&format!("{name}: {value}\n"));
        }
    }
    text.push('\n');
    let body = if raw.contains("quoted-printable") { unquoted(body) } else { body.to_owned() };
    let body =
        if header("Content-Type").is_some_and(|kind| kind.starts_with("text/html")) { stripped(&body) } else { body };
    // Attachments are long lines of nothing but letters and digits.
    let words = body.lines().filter(|line| line.len() < 60 || line.contains(' '));
    text.push_str(&words.collect::<Vec<_>>().join("\n"));
    (header("Subject"), text)
}

/// A calendar's first event, and what its events say.
pub(crate) fn calendar(raw: &str) -> (Option<String>, String) {
    let raw = raw.replace("\r\n", "\n").replace("\n ", "").replace("\n\t", "");
    let mut text = String::new();
    let mut title = None;
    for line in raw.lines() {
        let Some((name, value)) = line.split_once(':') else { continue };
        let name = name.split(';').next().unwrap_or(name);
        if matches!(name, "SUMMARY" | "DESCRIPTION" | "LOCATION" | "DTSTART" | "X-WR-CALNAME") {
            let value = value.replace("\\n", "\n").replace("\\,", ",").replace("\\;", ";");
            if name == "SUMMARY" && title.is_none() {
                title = Some(value.clone());
            }
            text.push_str(&value);
            text.push('\n');
        }
    }
    (title, text)
}

fn unquoted(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, more)) = rest.split_first() {
        rest = more;
        match (first, more) {
            (b'=', [b'\n', after @ ..]) => rest = after,
            (b'=', [high, low, after @ ..]) if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                let digit = |byte: u8| char::from(byte).to_digit(16).unwrap_or(0) as u8;
                bytes.push(digit(*high) * 16 + digit(*low));
                rest = after;
            }
            _ => bytes.push(*first),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn unescape(text: &str, into: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        into.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.char_indices().take(12).find(|(_, c)| *c == ';').map(|(end, _)| end);
        let letter = end.and_then(|end| entity(&rest[1..end]));
        match (letter, end) {
            (Some(letter), Some(end)) => {
                into.push(letter);
                rest = &rest[end + 1..];
            }
            _ => {
                into.push('&');
                rest = &rest[1..];
            }
        }
    }
    into.push_str(rest);
}

fn entity(name: &str) -> Option<char> {
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16).ok()?,
            None => number.parse().ok()?,
        };
        return char::from_u32(code);
    }
    Some(match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => ' ',
        "mdash" => '—',
        "ndash" => '–',
        "hellip" => '…',
        "auml" => 'ä',
        "ouml" => 'ö',
        "uuml" => 'ü',
        "szlig" => 'ß',
        "eacute" => 'é',
        "egrave" => 'è',
        _ => return None,
    })
}

/// Where an ASCII needle begins.
fn find_ignoring_case(text: &str, needle: &str) -> Option<usize> {
    let (text, needle) = (text.as_bytes(), needle.as_bytes());
    text.windows(needle.len()).position(|window| window.eq_ignore_ascii_case(needle))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_lose_their_tags_and_keep_their_words() {
        let page = "<HTML><head><title>My\n <b>Page</b></title><style>p {x}</style><SCRIPT>alert('<p>')</SCRIPT></head>\
                    <body><p>Tom &amp; Jerry&#8217;s &copy; &unknown; a < b</p><!-- no --><p>two<br>three</p>";
        assert_eq!(html_title(page).as_deref(), Some("My Page"));
        assert_eq!(stripped(page), "My\n Page\nTom & Jerry’s &copy; &unknown; a < b\ntwo\nthree");
        for odd in ["<", "<script>", "<!--", "&", "<a", "&#x110000;", "<é>", "&é;", "<title>"] {
            let _ = (stripped(odd), html_title(odd));
        }
    }

    #[test]
    fn mails_and_calendars_are_read_for_what_people_wrote() {
        let raw = "From: ann@example.org\r\nSubject: The\r\n boiler\r\nContent-Transfer-Encoding: quoted-printable\r\n\
                   \r\nIt is br=C3=B6ken, please =\r\ncome=\r\n";
        let (subject, text) = mail(raw);
        assert_eq!(subject.as_deref(), Some("The boiler"));
        assert!(text.ends_with("It is bröken, please come"), "{text}");
        let raw = "BEGIN:VEVENT\r\nSUMMARY:Dinner\\, late\r\nDTSTART;TZID=X:20250301T190000\r\nLOCATION:At the \r\n harbour\r\n";
        let (title, text) = calendar(raw);
        assert_eq!(title.as_deref(), Some("Dinner, late"));
        assert_eq!(text, "Dinner, late\n20250301T190000\nAt the harbour\n");
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_taken_apart_without_harm(text in "(<|>|&|;|=|#|/|!--|script|title|\n|\r\n|: |SUMMARY:|=C3|é|🌧|[a-z ]){0,60}") {
            let _ = (stripped(&text), html_title(&text), mail(&text), calendar(&text), unquoted(&text));
        }
    }
}
