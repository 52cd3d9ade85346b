//! Makes requests to learn from: single ones as they are, and composites whose seams are known because they were sewn here.

use reflex::split::features;
use reflex::split::words;

use super::corpus::Set;
use super::dice::Dice;

/// A request, and where in it (in bytes) one thing wanted ends and what joins it to the next begins.
pub(crate) struct Example {
    pub(crate) text: String,
    pub(crate) seams: Vec<usize>,
    /// Whether a person wrote it as it is.
    pub(crate) real: bool,
}

impl Example {
    /// A request as a person wrote it, for one thing.
    pub(crate) fn single(text: String) -> Self {
        Self { text, seams: Vec::new(), real: true }
    }
}

/// Every single request, `composites` made of several, and some that only look like it.
pub(crate) fn examples(sets: &[Set], composites: usize, dice: &mut Dice) -> Vec<Example> {
    let mut examples: Vec<Example> = sets
        .iter()
        .flat_map(|set| &set.texts)
        .map(|text| Example { text: text.clone(), seams: Vec::new(), real: true })
        .collect();
    let pieces: Vec<Vec<&str>> = sets.iter().map(pieces).collect();
    for _ in 0..composites {
        examples.push(composite(&pieces, sets, dice));
    }
    for _ in 0..composites / 4 {
        examples.extend(impostor(&pieces, dice));
    }
    examples
}

/// What can be one of several requests. In the bank's set only what asks can: the rest tells what went wrong.
fn pieces(set: &Set) -> Vec<&str> {
    let asks = |text: &&str| {
        let words = words::read(text);
        let told = features::tells(&words) && set.name != "snips";
        let fits = features::asks(&words) || set.name != "banking77" && !told;
        words.len() >= 2 && words.len() <= 24 && fits
    };
    set.texts.iter().map(|text| text.trim()).filter(asks).collect()
}

fn composite(pieces: &[Vec<&str>], sets: &[Set], dice: &mut Dice) -> Example {
    let parts = *dice.weighted(&[(2, 62), (3, 32), (4, 6)]);
    let home = set(sets, dice);
    let mut example = Example { text: String::new(), seams: Vec::new(), real: false };
    for part in 0..parts {
        let from = if dice.chance(60) { home } else { set(sets, dice) };
        let piece: &str = dice.pick::<&str>(&pieces[from]);
        if part == 0 {
            example.text.push_str(bare(piece));
            continue;
        }
        let joint = if part + 1 < parts { *dice.weighted(BETWEEN) } else { *dice.weighted(LAST) };
        let ends = if joint.starts_with('.') && piece.len().is_multiple_of(3) { "?" } else { "" };
        example.seams.push(example.text.len());
        example.text.push_str(ends);
        example.text.push_str(if ends.is_empty() { joint } else { joint.trim_start_matches('.') });
        if part + 1 == parts && (joint.contains("then") || joint.contains("after")) && dice.chance(12) {
            example.text.push_str(dice.pick::<&str>(BACK));
        } else {
            if dice.chance(6) && !joint.contains('.') {
                example.text.push_str(&format!("if {}{}", dice.pick(CONDITIONS), dice.pick(&[" ", ", ", " then "])));
            } else if dice.chance(3) {
                example.text.push_str("please ");
            }
            example.text.push_str(bare(piece));
        }
    }
    example
}

fn set(sets: &[Set], dice: &mut Dice) -> usize {
    loop {
        let at = dice.below(sets.len());
        let share = match sets[at].name {
            "banking77" => 25,
            "home_assistant" => 60,
            _ => 100,
        };
        if dice.chance(share) {
            return at;
        }
    }
}

/// One request with a conjunction that joins no requests: a piece of another sentence, or a second verb.
fn impostor(pieces: &[Vec<&str>], dice: &mut Dice) -> Option<Example> {
    let (hosts, donors): (&Vec<&str>, &Vec<&str>) = (dice.pick(pieces), dice.pick(pieces));
    let (host, donor) = (bare(dice.pick::<&str>(hosts)), bare(dice.pick::<&str>(donors)));
    let (host_words, donor_words) = (words::read(host), words::read(donor));
    if host_words.len() < 3 || donor_words.len() < 4 {
        return None;
    }
    let at = host_words[1 + dice.below(host_words.len() - 1)].span.end;
    let from = 2 + dice.below(donor_words.len() - 2);
    let to = (from + 1 + dice.below(3)).min(donor_words.len()) - 1;
    if features::asks(&donor_words[from..]) {
        return None;
    }
    let joint = dice.weighted(&[(" and ", 75), (", ", 10), (" , ", 5), (" plus ", 3), (", and ", 7)]);
    let fragment = &donor[donor_words[from].span.start..donor_words[to].span.end];
    Some(Example { text: format!("{}{joint}{fragment}{}", &host[..at], &host[at..]), seams: Vec::new(), real: false })
}

fn bare(text: &str) -> &str {
    text.trim().trim_end_matches(['.', '?', '!', ',', ';', ' '])
}

const BETWEEN: &[(&str, usize)] = &[
    (", ", 45),
    (" , ", 15),
    (" and ", 14),
    ("; ", 4),
    (" then ", 3),
    (" and then ", 5),
    (", then ", 5),
    (". ", 6),
    (" and also ", 3),
];

const LAST: &[(&str, usize)] = &[
    (" and ", 42),
    (" and then ", 12),
    (" and also ", 12),
    (", and ", 8),
    (", then ", 5),
    (" then ", 4),
    (". ", 2),
    (", and then ", 3),
    (", and also ", 2),
    (", ", 1),
    ("; ", 1),
    (" plus ", 2),
    (", also ", 2),
    (" also ", 1),
    (". then ", 1),
    (". also ", 1),
    (" & ", 1),
    (" as well as ", 1),
    (" after that ", 1),
    (", after that ", 1),
    (" and after that ", 1),
    ("\n", 1),
    (" - ", 1),
];

const CONDITIONS: &[&str] = &[
    "it rains",
    "it is raining",
    "it snows tomorrow",
    "it's below zero",
    "it's cold outside",
    "the door is open",
    "i'm late",
    "nobody is home",
    "there is traffic",
    "i have time on friday",
    "it is after nine",
    "the price drops",
    "the battery is low",
    "he doesn't answer",
    "they are closed",
    "it's going to be sunny",
    "the meeting is cancelled",
];

const BACK: &[&str] = &[
    "add it to my calendar",
    "send it to my brother",
    "read it to me",
    "email them to my boss",
    "book a table there",
    "remind me about it tomorrow",
    "turn it off again",
    "save it as a note",
    "share that with the team",
    "tell me how to get there",
    "put it on my shopping list",
    "play them in the kitchen",
    "invite her to it",
    "add dinner there on friday to my calendar",
    "summarize that for me",
    "call them back",
    "translate it to french",
];
