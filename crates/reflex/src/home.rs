//! Commands to a house, understood without a model.
//!
//! [`understand`] reads a sentence by a small grammar of English. It says what it understood only when every word of the
//! sentence is accounted for: what is left over could have changed the meaning.

mod asked;
mod call;
mod command;
mod control;
mod intent;
mod lexicon;
mod lists;
mod machine;
mod media;
mod names;
mod number;
mod place;
mod query;
mod reading;
mod readings;
mod setting;
mod states;
mod talk;
mod things;
mod timer;
mod unknown;
mod words;

pub use command::{
    Act, Amount, Change, Command, Form, Machine, Media, Question, Setting, Spot, Switch, Target, Timer, TimerAct,
};
use domain::name::Name;
pub use number::Length;
use reading::{Reading, Sentence};

/// The longest sentence that is read as a command, in bytes.
const LONGEST: usize = 1000;

/// What a sentence asks of a house with these names, said in the area with the id `here`. Nothing where it is not clear.
pub fn understand(text: &str, names: &[Name], here: Option<&str>) -> Option<Command> {
    if text.len() > LONGEST {
        return None;
    }
    let sentence = Sentence::of(text, names, here)?;
    let mut reading = Reading::of(&sentence);
    if let Some(command) = talk::read(reading) {
        return Some(command);
    }
    reading.courtesies();
    reading.left().next()?;
    let readers = [
        talk::read,
        timer::read,
        lists::read,
        machine::read,
        setting::read,
        query::read,
        readings::read,
        control::read,
        media::read,
        talk::about_you,
    ];
    readers.into_iter().find_map(|read| read(reading))
}
