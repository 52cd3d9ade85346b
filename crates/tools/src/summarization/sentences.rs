//! Where sentences end. A full stop alone does not say.

/// After these a name or a number follows, never another sentence.
const BEFORE_NAMES: &str = "mr mrs ms dr prof st jr sr rev hon gen col sgt capt lt no nos fig figs eq vol pp ed eds art \
    sec ch approx ca vs cf e.g i.e z.b d.h bzw hr fr nr abb jan feb mar apr jun jul aug sep sept oct nov dec mt ft dept";
/// These may end a sentence as well.
const PERHAPS_LAST: &str = "etc inc ltd co corp al a.m p.m usw u.a";
/// Words that a new sentence begins with.
const BEGINNINGS: &str = "the a an it he she they we i you this that these those there in on at but and so if when while \
    after before for however as his her our their its no not what why how der die das es er sie wir";
/// Months before which a full stop stands after the day.
const MONTHS: &str = "januar jänner februar märz april mai juni juli august september oktober november dezember";
/// Signs that may stand between the end of a sentence and the gap after it.
const CLOSING: [char; 8] = ['"', '\'', ')', ']', '”', '’', '»', '*'];

/// A text taken apart.
pub(super) struct Outline {
    pub(super) headings: Vec<String>,
    pub(super) sentences: Vec<Sentence>,
}

/// One sentence.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sentence {
    pub(super) text: String,
    /// Whether a paragraph begins with it.
    pub(super) first: bool,
}

/// Takes a text apart: headings and code are not sentences, an item of a list is one at least.
pub(super) fn split(text: &str) -> Outline {
    let mut outline = Outline { headings: Vec::new(), sentences: Vec::new() };
    let mut paragraph = String::new();
    let mut fenced = false;
    for line in text.lines().map(str::trim) {
        if line.starts_with("```") || line.starts_with("~~~") {
            fenced = !fenced;
            continue;
        }
        if fenced {
            continue;
        }
        let heading = line.trim_start_matches('#');
        if heading.len() < line.len() && heading.starts_with(' ') {
            outline.take(&mut paragraph);
            outline.headings.push(heading.trim().to_owned());
            continue;
        }
        let quoted = line.trim_start_matches(['>', ' ']);
        let item = ["- ", "* ", "+ ", "• "].iter().find_map(|sign| quoted.strip_prefix(sign));
        if quoted.is_empty() || item.is_some() || quoted.chars().all(|c| "-=*_".contains(c)) {
            outline.take(&mut paragraph);
        }
        let words = item.unwrap_or(quoted);
        if words.chars().any(char::is_alphanumeric) {
            paragraph.push_str(words);
            paragraph.push(' ');
        }
    }
    outline.take(&mut paragraph);
    outline
}

impl Outline {
    fn take(&mut self, paragraph: &mut String) {
        let mut first = true;
        for text in ends(paragraph) {
            self.sentences.push(Sentence { text, first });
            first = false;
        }
        paragraph.clear();
    }
}

fn ends(paragraph: &str) -> Vec<String> {
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut letters = paragraph.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let spaced = matches!(letter, '.' | '!' | '?' | '…' | '؟' | '۔' | '।');
        let tight = matches!(letter, '。' | '！' | '？');
        if !spaced && !tight {
            continue;
        }
        let mut end = at + letter.len_utf8();
        while let Some((next, sign)) = letters.peek().copied() {
            if !CLOSING.contains(&sign) && !matches!(sign, '.' | '!' | '?') {
                break;
            }
            end = next + sign.len_utf8();
            letters.next();
        }
        let rest = &paragraph[end..];
        let gap = rest.is_empty() || rest.starts_with(char::is_whitespace);
        if tight || (gap && (letter != '.' || is_end(&paragraph[start..at], rest.trim_start()))) {
            push(&mut sentences, &paragraph[start..end]);
            start = end;
        }
    }
    push(&mut sentences, &paragraph[start..]);
    sentences
}

fn push(sentences: &mut Vec<String>, text: &str) {
    if text.chars().any(char::is_alphanumeric) {
        sentences.push(text.split_whitespace().collect::<Vec<_>>().join(" "));
    }
}

/// Whether a full stop between these ends a sentence.
fn is_end(before: &str, after: &str) -> bool {
    let Some(next) = after.chars().next() else { return true };
    if next.is_lowercase() {
        return false;
    }
    let last = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let last = last.trim_start_matches(['(', '[', '"', '“', '\'']).to_lowercase();
    let is_in = |words: &str, word: &str| words.split_whitespace().any(|known| known == word);
    if is_in(BEFORE_NAMES, &last) {
        return false;
    }
    let begins = || is_in(BEGINNINGS, &first_word(after));
    let initials = last.split('.').all(|part| part.chars().count() == 1) && last.chars().any(char::is_alphabetic);
    if initials || is_in(PERHAPS_LAST, &last) {
        return begins();
    }
    // The number of an item in a list, or of a day in a month.
    let number = !last.is_empty() && last.len() <= 2 && last.chars().all(|c| c.is_ascii_digit());
    let month = || is_in(MONTHS, &first_word(after));
    !(number && (before.trim() == last || month()))
}

fn first_word(text: &str) -> String {
    let word: String = text.chars().take_while(|c| c.is_alphanumeric()).collect();
    word.to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        split(text).sentences.into_iter().map(|sentence| sentence.text).collect()
    }

    #[test]
    fn abbreviations_initials_and_numbers_do_not_end_a_sentence() {
        assert_eq!(
            texts(
                "Dr. Smith met J. R. Tolkien at 3.5 p.m. in St. Ives, e.g. The Swan. They left! \"Why?\" Nobody knew."
            ),
            [
                "Dr. Smith met J. R. Tolkien at 3.5 p.m. in St. Ives, e.g. The Swan.",
                "They left!",
                "\"Why?\"",
                "Nobody knew."
            ]
        );
        assert_eq!(
            texts("We sell nuts, bolts, etc. The shop is open."),
            ["We sell nuts, bolts, etc.", "The shop is open."]
        );
        assert_eq!(texts("The U.S. Senate met. It voted."), ["The U.S. Senate met.", "It voted."]);
        assert_eq!(texts("Am 3. März kam z.B. Anna. Es regnete."), ["Am 3. März kam z.B. Anna.", "Es regnete."]);
        assert_eq!(
            texts("There were 12. Ferries left at 9. Nobody waved."),
            ["There were 12.", "Ferries left at 9.", "Nobody waved."]
        );
        assert_eq!(texts("1. Boil water. Add salt."), ["1. Boil water.", "Add salt."]);
        assert_eq!(texts("これは文です。これも文です。"), ["これは文です。", "これも文です。"]);
        assert_eq!(texts("Wait... what? Yes."), ["Wait... what?", "Yes."]);
    }

    #[test]
    fn headings_and_code_are_no_sentences_and_items_are() {
        let outline = split(
            "# Plan\n\nFirst line\ncontinues here. Second.\n\n- one item\n- two items\n\n```\ncode. Code.\n```\n> quoted",
        );
        assert_eq!(outline.headings, ["Plan"]);
        let texts: Vec<&str> = outline.sentences.iter().map(|sentence| sentence.text.as_str()).collect();
        assert_eq!(texts, ["First line continues here.", "Second.", "one item", "two items", "quoted"]);
        assert_eq!(outline.sentences.iter().filter(|sentence| sentence.first).count(), 4);
    }

    #[test]
    fn nothing_is_no_sentence() {
        for text in ["", "...", "# ", "---", "🌧", "\u{0}", "```"] {
            assert_eq!(texts(text), Vec::<String>::new(), "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn sentences_hold_the_words_of_the_text(text in "([a-zA-Z]{1,5}|[.!?…\"')]|[0-9]|Dr\\.|。|é| |\n\n){0,80}") {
            let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
            proptest::prop_assert_eq!(letters(&texts(&text).concat()), letters(&text));
        }
    }
}
