//! What the words of a text let one notice: a closed list of ours, read in one pass.

use domain::trace::{Cue, Deed};

/// Signs that are not words.
const SIGNS: [(&str, Cue); 5] = [
    ("```", Cue::Code),
    ("###STOP###", Cue::Leaves),
    ("###TRANSFER###", Cue::HandsOver),
    ("exitcode: 1", Cue::Broken),
    ("Traceback (most", Cue::Broken),
];

/// What is noticed about a text, each once.
pub(super) fn cues(text: &str) -> Vec<Cue> {
    let mut cues: Vec<Cue> = SIGNS.iter().filter(|(sign, _)| text.contains(sign)).map(|(_, cue)| *cue).collect();
    if text.contains('?') {
        cues.push(Cue::Asks);
    }
    let text = text.to_lowercase().replace('\u{2019}', "'");
    let mut before = "";
    for word in text.split(|c: char| !(c.is_alphanumeric() || c == '\'')).filter(|word| !word.is_empty()) {
        cues.extend(alone(word));
        cues.extend(together(before, word));
        before = word;
    }
    cues.sort_unstable();
    cues.dedup();
    cues
}

/// What a word says; its ending does not matter where it stands for several.
fn alone(word: &str) -> Option<Cue> {
    Some(match word {
        "thank" | "thanks" | "thankful" | "grateful" | "appreciate" => Cue::Thanks,
        "sorry" | "apologize" | "apologise" | "apologies" | "regret" => Cue::Sorry,
        "unfortunately" | "cannot" | "can't" | "unable" | "won't" | "impossible" => Cue::Refuses,
        "yes" | "yeah" | "yep" | "correct" | "proceed" | "sure" | "ok" | "okay" | "confirmed" => Cue::Yes,
        "no" | "nope" | "never" | "don't" | "not" => Cue::No,
        "ridiculous" | "unacceptable" | "terrible" | "angry" | "upset" | "unhappy" | "wrong" | "mistake" | "still" => {
            Cue::Upset
        }
        "actually" | "instead" | "also" | "another" | "additionally" => Cue::More,
        "successfully" | "completed" | "processed" | "updated" | "i've" => Cue::Done,
        "i'll" | "shortly" => Cue::Promises,
        "bye" | "goodbye" | "terminate" => Cue::Leaves,
        "representative" | "supervisor" | "human" => Cue::HandsOver,
        "traceback" | "exception" | "nameerror" | "typeerror" | "valueerror" | "keyerror" | "syntaxerror" => {
            Cue::Broken
        }
        "assume" | "assuming" | "suppose" | "hypothetical" | "simulate" | "placeholder" | "presumably" => Cue::Assumes,
        "plan" | "steps" | "step" | "first" | "task" => Cue::Plans,
        "therefore" | "thus" | "conclude" | "conclusion" | "final" => Cue::Concludes,
        _ => return stem(word),
    })
}

fn stem(word: &str) -> Option<Cue> {
    const STEMS: [(&str, Cue); 20] = [
        ("cancel", Cue::Wants(Deed::Cancel)),
        ("return", Cue::Wants(Deed::Return)),
        ("refund", Cue::Wants(Deed::Return)),
        ("exchang", Cue::Wants(Deed::Exchange)),
        ("swap", Cue::Wants(Deed::Exchange)),
        ("replac", Cue::Wants(Deed::Exchange)),
        ("chang", Cue::Wants(Deed::Change)),
        ("modif", Cue::Wants(Deed::Change)),
        ("updat", Cue::Wants(Deed::Change)),
        ("upgrad", Cue::Wants(Deed::Change)),
        ("switch", Cue::Wants(Deed::Change)),
        ("book", Cue::Wants(Deed::Book)),
        ("reserve", Cue::Wants(Deed::Book)),
        ("compensat", Cue::Wants(Deed::Send)),
        ("voucher", Cue::Wants(Deed::Send)),
        ("pay", Cue::Wants(Deed::Pay)),
        ("transfer", Cue::Wants(Deed::HandOver)),
        ("frustrat", Cue::Upset),
        ("disappoint", Cue::Upset),
        ("verif", Cue::Verifies),
    ];
    STEMS.iter().find(|(stem, _)| word.starts_with(stem)).map(|(_, cue)| *cue)
}

/// What two words say together.
fn together(before: &str, word: &str) -> Option<Cue> {
    Some(match (before, word) {
        ("go", "ahead") | ("please", "do") | ("sounds", "good") | ("that's", "right") => Cue::Yes,
        ("not", "able" | "possible" | "allowed" | "eligible" | "permitted") | ("can", "not") => Cue::Refuses,
        ("has" | "have", "been") | ("is", "now") | ("i", "have") => Cue::Done,
        ("i", "will") | ("let", "me") | ("one", "moment") | ("will", "now") => Cue::Promises,
        ("that's", "all" | "everything") | ("that", "is") | ("nothing", "else") | ("all", "set") => Cue::Leaves,
        ("one", "more") | ("as", "well") | ("my", "mind") => Cue::More,
        ("for", "example") | ("let's", "assume") => Cue::Assumes,
        ("execution", "failed") | ("not", "found") | ("no", "such") => Cue::Broken,
        ("double", "check") | ("to", "check") => Cue::Verifies,
        _ => return None,
    })
}
