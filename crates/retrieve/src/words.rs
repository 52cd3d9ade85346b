//! Words as the index files them: cut out of sentences and of names such as `getUserName`, and brought to a common form.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Bytes of a text that are looked at.
pub(crate) const LONGEST: usize = 16 << 10;
/// Words of a text that are looked at.
pub(crate) const MOST: usize = 512;

/// A word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Term {
    /// The form it is filed under.
    pub(crate) stem: String,
    /// The form it was said in, in lower case.
    pub(crate) said: String,
}

/// The words of a text in order, of long texts only the first ones. Names are cut where their parts meet; a name written
/// as one word is kept whole besides, so that `YouTube` and `youtube` are the same.
pub(crate) fn terms(text: &str) -> Vec<Term> {
    let mut found = Vec::new();
    for run in cut(text, LONGEST).split(|c: char| !c.is_alphanumeric()).filter(|run| !run.is_empty()) {
        if found.len() >= MOST {
            break;
        }
        if is_value(run) {
            continue;
        }
        let parts = parts(run);
        if parts.len() > 1 {
            found.push(Term::new(run));
        }
        found.extend(parts.into_iter().map(Term::new));
    }
    found.truncate(MOST);
    found
}

impl Term {
    fn new(word: &str) -> Self {
        let said: String = word.chars().take(40).flat_map(char::to_lowercase).collect();
        Term { stem: stem(&said), said }
    }
}

/// The beginning of a text, ended where a character ends.
pub(crate) fn cut(text: &str, longest: usize) -> &str {
    &text[..text.floor_char_boundary(longest)]
}

/// Whether a run is an identifier or a number that stands for nothing but itself.
fn is_value(run: &str) -> bool {
    let digits = run.bytes().filter(u8::is_ascii_digit).count();
    digits > 4
        || (digits > 1
            && run.len() > 7
            && run.bytes().skip(1).zip(run.bytes()).filter(|(a, b)| a.is_ascii_digit() != b.is_ascii_digit()).count()
                > 2)
}

/// A run of letters and digits, cut between cases, between letters and digits, and into pairs where a script has no
/// spaces.
fn parts(run: &str) -> Vec<&str> {
    let chars: Vec<(usize, char)> = run.char_indices().collect();
    let end = |at: usize| chars.get(at).map_or(run.len(), |(byte, _)| *byte);
    let mut parts = Vec::new();
    let mut begin = 0;
    for at in 1..=chars.len() {
        let meets = at == chars.len() || {
            let (before, here) = (chars[at - 1].1, chars[at].1);
            let next = chars.get(at + 1).map(|(_, char)| *char);
            (before.is_lowercase() && here.is_uppercase())
                || (before.is_uppercase() && here.is_uppercase() && next.is_some_and(char::is_lowercase))
                || before.is_numeric() != here.is_numeric()
                || unspaced(before) != unspaced(here)
        };
        if !meets {
            continue;
        }
        if unspaced(chars[begin].1) && at - begin > 1 {
            parts.extend((begin..at - 1).map(|pair| &run[chars[pair].0..end(pair + 2)]));
        } else {
            parts.push(&run[chars[begin].0..end(at)]);
        }
        begin = at;
    }
    parts
}

/// Whether a character is of a script that is written without spaces.
fn unspaced(char: char) -> bool {
    matches!(char, '\u{0e00}'..='\u{0eff}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

/// Endings that change what a word does in a sentence rather than what it means, longest first, and what they leave.
const ENDINGS: [(&str, &str); 19] = [
    ("izations", "iz"),
    ("ization", "iz"),
    ("ations", "at"),
    ("ation", "at"),
    ("ators", "at"),
    ("ator", "at"),
    ("ments", ""),
    ("ment", ""),
    ("ions", ""),
    ("ings", ""),
    ("ies", "y"),
    ("ion", ""),
    ("ing", ""),
    ("ers", ""),
    ("ed", ""),
    ("er", ""),
    ("es", ""),
    ("ly", ""),
    ("s", ""),
];

/// A common form of the forms of an English word; other words lose at most a last `s`.
pub(crate) fn stem(word: &str) -> String {
    if word.len() < 4 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return word.to_owned();
    }
    for (ending, left) in ENDINGS {
        let Some(begin) = word.strip_suffix(ending) else { continue };
        let fits = match ending {
            "s" => !begin.ends_with(['s', 'u', 'i']),
            "es" => begin.len() > 3 && begin.ends_with(['s', 'x', 'z', 'h', 'o']),
            "ies" => begin.len() > 1,
            "ion" | "ions" => begin.len() > 3 && begin.ends_with(['t', 's']),
            _ => begin.len() > 2 && begin.contains(['a', 'e', 'i', 'o', 'u', 'y']),
        };
        if fits {
            return settled(format!("{begin}{left}"));
        }
    }
    settled(word.to_owned())
}

/// Without a last `e` and without a last letter that was doubled, so that `plan`, `planned` and `plane`, `create` and
/// `creating` end alike.
fn settled(mut word: String) -> String {
    let bytes = word.as_bytes();
    if let [.., one, two] = bytes
        && one == two
        && word.len() > 3
        && !b"aeiouls".contains(two)
    {
        word.pop();
    }
    if word.len() > 3 && word.ends_with('e') {
        word.pop();
    }
    if word.len() > 3 && word.ends_with('y') {
        word.pop();
        word.push('i');
    }
    word
}

/// How much a word of a request says about what is wanted: nothing for words that every request has, little for those
/// that fit any subject.
pub(crate) fn says(said: &str) -> f32 {
    static VAGUE: LazyLock<HashSet<&str>> = LazyLock::new(|| VAGUE_WORDS.split_whitespace().collect());
    if empty(said) {
        0.0
    } else if VAGUE.contains(said) {
        0.4
    } else {
        1.0
    }
}

const VAGUE_WORDS: &str = "additional additionally allow allows also amount another appropriate available case certain \
    clear come complete comprehensive contain containing could current currently curious data detail detailed \
    details different directly easily enough ensure entire example exact existing find first following \
    full furthermore general good great helpful id include included includes including info information input inside \
    instance interest interested item items kind last lastly latest looking lot main mention mentioned moreover \
    multiple name named names new next number numbers obtain offer output part particular perform point \
    possible possibly previous provided provides providing purpose quick quickly receive recent recently \
    regarding related relevant request require required respective response result results return returns right \
    see several show simple single something specific specified step suitable suggest \
    sure system take tell thing things three time today together tool tools total try two type types understand \
    used useful user users value values various version way well work working would";

/// Whether a word can mean nearly the same as another: numbers and single letters mean themselves.
pub(crate) fn has_kin(said: &str) -> bool {
    said.chars().nth(2).is_some() && !said.contains(|c: char| c.is_ascii_digit())
}

/// Whether a word says how something is asked rather than what.
pub(crate) fn empty(word: &str) -> bool {
    static STOP: LazyLock<HashSet<&str>> = LazyLock::new(|| STOP_WORDS.split_whitespace().collect());
    STOP.contains(word)
}

const STOP_WORDS: &str = "a able about above after again all also am an and any anything are as assist at based be because \
    been before being below best between both but by can could did do does doing don down during each either etc few for \
    from further get give go going had has have having he hello help her here hers hey hi him his how i if in into is it \
    its itself just know let like ll m make may me might more most must my myself need needed needs no nor not now of \
    off on once one only or other our ours out over own please provide re s same she should so some such t than thank \
    thanks that the their them then there these they this those through to too under until up us use using ve very want \
    wanted wants was we were what when where which while who whom whose why will with within without would you your \
    yours yourself d";

/// A text with the words added that its kinds of file stand for: who names `plan.xlsx` speaks of a spreadsheet.
pub(crate) fn spelled_out(text: &str) -> String {
    let mut spelled = text.to_owned();
    let mut rest = cut(text, LONGEST);
    while let Some((_, after)) = rest.split_once('.') {
        let end = after.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(after.len());
        let kind = kind_of_file(&after[..end]);
        if !kind.is_empty() && !spelled.ends_with(kind) {
            spelled.push(' ');
            spelled.push_str(kind);
        }
        rest = after;
    }
    spelled
}

fn kind_of_file(ending: &str) -> &'static str {
    match ending {
        "xlsx" | "xls" | "ods" => "excel spreadsheet",
        "csv" | "tsv" => "spreadsheet table",
        "docx" | "doc" | "odt" => "word document",
        "pptx" | "ppt" | "odp" => "powerpoint presentation",
        "md" => "markdown file",
        "txt" | "log" => "text file",
        "pdf" => "pdf document",
        "json" | "yaml" | "yml" | "toml" | "xml" => "data file",
        "png" | "jpg" | "jpeg" | "gif" | "webp" | "svg" | "bmp" => "image picture",
        "wav" | "mp3" | "flac" | "ogg" | "m4a" => "audio sound",
        "mp4" | "mov" | "avi" | "mkv" | "webm" => "video",
        "py" | "rs" | "js" | "ts" | "java" | "cpp" => "code file",
        "html" | "htm" => "web page",
        "zip" | "tar" | "gz" => "archive file",
        "ics" => "calendar event",
        "sql" | "db" | "sqlite" => "database",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn said(text: &str) -> Vec<String> {
        terms(text).into_iter().map(|term| term.said).collect()
    }

    #[test]
    fn names_are_cut_where_their_parts_meet_and_kept_whole() {
        assert_eq!(said("getUserName"), ["getusername", "get", "user", "name"]);
        assert_eq!(said("HTTPServer file_write"), ["httpserver", "http", "server", "file", "write"]);
        assert_eq!(said("搜索词"), ["搜索词", "搜索", "索词"]);
        assert_eq!(said("job d0c30471-7c70 42"), ["job", "7c70", "7", "c", "70", "42"]);
    }

    #[test]
    fn forms_of_a_word_have_one_stem() {
        for forms in [
            &["create", "creates", "created", "creating", "creation", "creator"][..],
            &["translate", "translation", "translating"],
            &["event", "events"],
            &["city", "cities"],
            &["plan", "planned", "planning", "plans"],
            &["search", "searches", "searching"],
        ] {
            let stems: Vec<String> = forms.iter().map(|form| stem(form)).collect();
            assert!(stems.iter().all(|stem| *stem == stems[0]), "{forms:?}: {stems:?}");
        }
        assert_ne!(stem("car"), stem("cart"));
    }

    #[test]
    fn endings_of_files_are_spelled_out() {
        assert_eq!(spelled_out("open a.xlsx, then a.md"), "open a.xlsx, then a.md excel spreadsheet markdown file");
        assert_eq!(spelled_out("see example.com."), "see example.com.");
    }

    proptest! {
        #[test]
        fn any_text_has_words_of_letters_and_not_too_many(text in "\\PC{0,300}") {
            let terms = terms(&text);
            prop_assert!(terms.len() <= MOST);
            prop_assert!(terms.iter().all(|term| !term.stem.is_empty() && !term.said.is_empty()));
        }
    }
}
