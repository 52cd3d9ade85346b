//! What there is to read in a file: its words and what it is called.

use std::path::Path;

use super::markup;
use crate::words::capped;

/// The longest title, in characters.
const TITLE: usize = 80;

/// Endings of files that hold text, notes and source code first.
const ENDINGS: &str = "txt text md markdown mdx org rst adoc tex bib csv tsv json jsonl ndjson toml yaml yml ini cfg conf \
    properties html htm xhtml xml svg ics vcf eml log diff patch srt vtt po rs py pyi js mjs cjs jsx ts tsx vue svelte \
    c h cc cpp cxx hpp hh cs java kt kts scala clj go rb php pl pm lua r jl swift m mm zig nim ml mli hs ex exs erl el \
    lisp scm sh bash zsh fish ps1 bat sql graphql proto tf nix gradle cmake make mk css scss less";

/// A file's words.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Text {
    pub(crate) title: String,
    pub(crate) body: String,
}

/// Whether a file may hold text, going by its name. What has no ending may.
pub(crate) fn is_text_like(path: &Path) -> bool {
    match path.extension() {
        None => true,
        Some(ending) => {
            let ending = ending.to_string_lossy().to_lowercase();
            ENDINGS.split_whitespace().any(|known| known == ending)
        }
    }
}

/// The text in the bytes of a file, if it is text at all.
pub(crate) fn read(path: &Path, bytes: &[u8]) -> Option<Text> {
    let raw = decoded(bytes)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let (title, body) = match ending.as_str() {
        "html" | "htm" | "xhtml" => (markup::html_title(&raw), markup::stripped(&raw)),
        "xml" | "svg" => (None, markup::stripped(&raw)),
        "eml" => markup::mail(&raw),
        "ics" => markup::calendar(&raw),
        "md" | "markdown" | "mdx" | "org" | "rst" | "adoc" | "txt" | "text" | "tex" | "" => (heading(&raw), raw),
        _ => (None, raw),
    };
    let title = title.map(|title| capped(title.trim(), TITLE)).filter(|title| !title.is_empty());
    Some(Text { title: title.unwrap_or(name), body })
}

/// Text in whatever encoding: UTF-8, UTF-16 with its mark, or else one byte a letter as in the West.
fn decoded(bytes: &[u8]) -> Option<String> {
    let pairs = |read: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes[2..].chunks_exact(2).map(|pair| read([pair[0], pair[1]])).collect();
        String::from_utf16(&units).ok()
    };
    match bytes {
        [0xff, 0xfe, ..] => return pairs(u16::from_le_bytes),
        [0xfe, 0xff, ..] => return pairs(u16::from_be_bytes),
        _ => {}
    }
    let odd = |byte: &&u8| **byte < 0x20 && !matches!(**byte, b'\t' | b'\n' | b'\r' | 0x0c | 0x1b);
    let control = bytes.iter().filter(odd).count();
    if bytes.contains(&0) || control * 50 > bytes.len() {
        return None;
    }
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => {
            let high = bytes.iter().filter(|byte| **byte >= 0x80).count();
            if high * 3 > bytes.len() {
                return None;
            }
            bytes.iter().map(|byte| char::from(*byte)).collect()
        }
    };
    Some(text.trim_start_matches('\u{feff}').to_owned())
}

/// The first heading, or else the first line that says something.
fn heading(text: &str) -> Option<String> {
    let mut lines = text.lines().map(str::trim).peekable();
    if lines.peek() == Some(&"---") {
        lines.next();
        for line in lines.by_ref().take_while(|line| *line != "---") {
            if let Some(title) = line.strip_prefix("title:") {
                return Some(title.trim().trim_matches(['"', '\'']).to_owned());
            }
        }
    }
    let mut first = None;
    for line in lines.take(100) {
        let bare = line.trim_start_matches(['#', '=', '*']);
        let marked = bare.len() < line.len() && bare.starts_with(' ');
        if marked {
            return Some(bare.trim().to_owned());
        }
        if let Some(title) = line.strip_prefix("#+TITLE:").or_else(|| line.strip_prefix("#+title:")) {
            return Some(title.trim().to_owned());
        }
        if first.is_none() && line.chars().any(char::is_alphanumeric) {
            first = Some(line.to_owned());
        }
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(name: &str, bytes: impl AsRef<[u8]>) -> Option<(String, String)> {
        read(Path::new(name), bytes.as_ref()).map(|text| (text.title, text.body))
    }

    fn title(name: &str, text: &str) -> String {
        read(Path::new(name), text.as_bytes()).expect("text").title
    }

    #[test]
    fn titles_are_headings_or_first_lines_or_names() {
        assert_eq!(title("a.md", "intro\n\n# Boiler\n\ntext"), "Boiler");
        assert_eq!(title("a.md", "---\ndate: 1\ntitle: \"Heating\"\n---\n# Other"), "Heating");
        assert_eq!(title("a.org", "#+TITLE: Garden\n* Beds"), "Garden");
        assert_eq!(title("a.txt", "\n\n--\nCall the plumber\nsoon"), "Call the plumber");
        assert_eq!(title("data.csv", "a,b\n1,2"), "data.csv");
        assert_eq!(title("empty.md", ""), "empty.md");
        assert!(title("a.md", &"long ".repeat(1000)).chars().count() <= TITLE);
    }

    #[test]
    fn bytes_are_text_in_several_encodings_or_nothing() {
        assert_eq!(text("a.txt", b"gr\xfc\xdfe aus Wien").expect("latin").1, "grüße aus Wien");
        assert_eq!(text("a.txt", b"\xff\xfeh\0i\0").expect("utf-16").1, "hi");
        assert_eq!(text("a.txt", "\u{feff}hi").expect("marked").1, "hi");
        assert_eq!(text("a.txt", b"\x89PNG\r\n\x1a\n\0\0\0"), None);
        assert_eq!(text("a.txt", (0x80..=0xff).collect::<Vec<u8>>()), None);
        assert_eq!(text("a.txt", [1u8; 100]), None);
        assert_eq!(text("a.txt", b"\xff\xfe\x00\xd8"), None, "half a pair");
    }
}
