//! Reads what is said to something that plays: on, back, hold, go on, and what to play.

use super::command::{Act, Command, Media};
use super::lexicon::is_glue;
use super::place::Scope;
use super::reading::Reading;
use super::things::{Things, may_stay};

const PIECES: [&str; 16] = [
    "song", "songs", "track", "tracks", "item", "video", "episode", "chapter", "music", "media", "show", "movie",
    "playback", "one", "playing", "podcast",
];

pub(super) fn read(reading: Reading<'_>) -> Option<Command> {
    play(reading).or_else(|| transport(reading))
}

fn transport(mut reading: Reading<'_>) -> Option<Command> {
    let mut things = Things::take(&mut reading, |mention| mention.domain() == "media_player")?;
    if things.kind.is_some_and(|kind| kind.domain != "media_player") {
        return None;
    }
    let media = transport_verb(&mut reading)?;
    let piece = reading.any(&PIECES).is_some();
    reading.any(&PIECES);
    let done = |word: &str| may_stay(word) || matches!(word, "this" | "to" | "on" | "in" | "what");
    // *go back* or *pause* alone is about music only where something can play.
    let about =
        piece || things.domain().is_some() || things.place.scope == Scope::Named || reading.sentence.here.is_some();
    if !reading.is_done(done) || !about {
        return None;
    }
    things.every = false;
    let mut target = things.target(&reading);
    target.domain = Some("media_player".to_owned());
    Some(Command::new(Act::Media(media), target))
}

fn transport_verb(reading: &mut Reading<'_>) -> Option<Media> {
    let verbs: [(&[&str], Media); 4] = [
        (
            &[
                "go back to",
                "go back",
                "replay",
                "rewind to",
                "back to",
                "last song",
                "last track",
                "previous",
                "skip back to",
                "skip back",
            ],
            Media::Previous,
        ),
        (
            &["skip forward", "skip ahead", "skip to", "skip", "next", "play next", "play the next", "advance to"],
            Media::Next,
        ),
        (&["pause", "hold", "stop playing", "stop the", "stop"], Media::Pause),
        (&["resume", "unpause", "continue playing", "continue", "keep playing", "carry on"], Media::Resume),
    ];
    if reading.begins(&["play the last", "play last", "play the previous", "play previous"]) {
        let piece = PIECES.iter().any(|piece| reading.has(piece));
        reading.ends(&["again", "once more"]);
        return piece.then_some(Media::Previous);
    }
    if reading.begins(&["go to", "move to", "jump to", "move on to"]) {
        let next = reading.any(&["next"]).is_some();
        return match reading.any(&["previous", "last"]) {
            Some(_) if !next => Some(Media::Previous),
            None if next => Some(Media::Next),
            _ => None,
        };
    }
    let media = verbs.into_iter().find(|(phrases, _)| reading.begins(phrases)).map(|(_, media)| media)?;
    let next = reading.any(&["next"]).is_some();
    let last = reading.any(&["previous", "last"]).is_some();
    if media == Media::Previous {
        reading.ends(&["again"]);
    }
    match media {
        Media::Next if last => None,
        Media::Pause | Media::Resume if next || last => None,
        Media::Previous if next => None,
        _ => Some(media),
    }
}

/// *play the album … on the TV in the kitchen*
fn play(mut reading: Reading<'_>) -> Option<Command> {
    if !reading.begins(&["play me", "play", "listen to"]) || reading.len() < 2 {
        return None;
    }
    // Only places and players at the end are where to play; the same words within a title are the title.
    let mut where_to = reading;
    let from = tail(&reading);
    let first = reading.left().next().map(|(at, _)| at)?;
    where_to.take(first..from);
    let things = Things::take(&mut where_to, |mention| mention.domain() == "media_player")?;
    if !where_to.is_done(|word| may_stay(word) || matches!(word, "on" | "in" | "at")) {
        return None;
    }
    reading.take(from..reading.len());
    let mut class = class(&mut reading);
    while reading.begins(&["some", "a", "called", "named"]) {}
    // *songs by Queen* are whatever Queen plays.
    if reading.begins(&["songs by", "music by", "something by", "anything by", "tracks by"])
        || (matches!(class, Some("music" | "track")) && reading.begins(&["by"]))
    {
        class = Some("artist");
    }
    let words = reading.rest().filter(|words| !matches!(reading.word(words.start), "it" | "this" | "that" | "them"))?;
    if words.clone().any(|at| matches!(reading.word(at), "alarm" | "timer" | "game")) {
        return None;
    }
    let query = reading.quote(words.clone());
    if words.len() > 8 || query.contains(',') || reading.says_more(words.clone()) {
        return None;
    }
    if words.clone().all(|at| {
        PIECES.contains(&reading.word(at))
            || is_glue(reading.word(at))
            || matches!(reading.word(at), "next" | "last" | "previous" | "again")
    }) {
        return None;
    }
    let mut target = things.target(&reading);
    target.domain = Some("media_player".to_owned());
    Some(Command::new(Act::Play { query, class }, target))
}

/// The first word of what says where to play.
fn tail(reading: &Reading<'_>) -> usize {
    let mut end = reading.len();
    loop {
        let mentions = reading.sentence.mentions.iter();
        let last =
            mentions.filter(|mention| mention.end == end && (mention.is_place() || mention.domain() == "media_player"));
        let before = last.filter_map(|mention| {
            let mut at = mention.first.checked_sub(1)?;
            while is_glue(reading.word(at)) {
                at = at.checked_sub(1)?;
            }
            (matches!(reading.word(at), "on" | "in" | "at") && reading.is_left(at) && at > 1).then_some(at)
        });
        match before.min() {
            Some(at) => end = at,
            None => return end,
        }
    }
}

/// Takes the kind of work, from before or after its title.
fn class(reading: &mut Reading<'_>) -> Option<&'static str> {
    let classes: [(&[&str], &str); 9] = [
        (&["tv show", "tv series", "television show", "television series", "series", "show"], "tv_show"),
        (&["movie", "film"], "movie"),
        (&["track", "song"], "track"),
        (&["album", "record"], "album"),
        (&["artist", "band", "singer"], "artist"),
        (&["playlist"], "playlist"),
        (&["podcast"], "podcast"),
        (&["music"], "music"),
        (&["episode"], "episode"),
    ];
    let mut bare = *reading;
    bare.begins(&["the", "my", "a"]);
    for (words, class) in classes {
        if bare.begins(words) {
            *reading = bare;
            return Some(class);
        }
        if reading.ends(words) {
            // A capital says that the article is part of the title.
            if reading.left().next().is_some_and(|(at, _)| reading.quote(at..at + 1) == "the") {
                reading.begins(&["the"]);
            }
            return Some(class);
        }
    }
    None
}
