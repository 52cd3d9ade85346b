//! What a sentence asks of a house: the act, and what it is done to.

use super::number::Length;

/// One thing that a sentence asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct Command {
    /// What is to be done or told.
    pub act: Act,
    /// What it is about. Empty where the act says it all.
    pub target: Target,
    /// The words that name a thing which this house does not have. Somebody must be asked before anything is done.
    pub unknown: Option<String>,
}

/// Which things are meant: those that satisfy everything that is given.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Target {
    /// The one device with this name, in the house's own spelling.
    pub name: Option<String>,
    /// How tools know that device.
    pub id: Option<String>,
    /// What the devices are good for: `light`, `cover`, `binary_sensor` …
    pub domain: Option<String>,
    /// What they look like within their domain: `curtain`, `battery` …
    pub class: Option<String>,
    /// The room they are in.
    pub area: Option<Spot>,
    /// The storey they are on.
    pub floor: Option<Spot>,
    /// Whether the room was not said but is the one in which it was said.
    pub here: bool,
    /// Whether all such things are meant: `every`, `all`, a plural.
    pub all: bool,
}

/// A room or a storey.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    /// How tools know it.
    pub id: String,
    /// How the house spells it.
    pub name: String,
}

/// What can be asked for.
#[derive(Debug, Clone, PartialEq)]
pub enum Act {
    /// Brings something into one of two states.
    Switch(Switch),
    /// Gives something a value.
    Set(Setting),
    /// Moves within what is being played.
    Media(Media),
    /// Sends a machine that drives about by itself.
    Machine(Machine),
    /// Tells a state or a reading.
    Ask(Question),
    /// Plays something that must be looked for first.
    Play {
        /// What to look for.
        query: String,
        /// What kind of work it is, where that was said: `album`, `movie` …
        class: Option<&'static str>,
    },
    /// Something about a timer.
    Timer(Timer),
    /// Puts an item on a list, or ticks it off.
    List {
        /// Whether it is added or done.
        change: Change,
        /// What is written on the list.
        item: String,
    },
    /// Says something in every room.
    Broadcast(String),
    /// Tells the weather.
    Weather,
    /// Tells the time of day.
    Time,
    /// Tells the day.
    Date,
    /// Takes back what was begun.
    Nevermind,
    /// Small talk with the assistant.
    Respond,
}

/// States that things are brought into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Switch {
    /// On.
    On,
    /// Off.
    Off,
    /// The other of on and off.
    Toggle,
    /// Open.
    Open,
    /// Closed.
    Close,
    /// Locked.
    Lock,
    /// Unlocked: the one act here that lets somebody in.
    Unlock,
    /// As it stands, in the middle of a movement.
    Stop,
}

/// Values that things are given.
#[derive(Debug, Clone, PartialEq)]
pub enum Setting {
    /// Of a light, in percent.
    Brightness(Amount),
    /// Of a light, by its English name.
    Colour(&'static str),
    /// Of a room or a thermostat, in the unit of the house.
    Temperature(Amount),
    /// Of a cover or a valve, in percent open.
    Position(Amount),
    /// Of something that plays, in percent.
    Volume(Amount),
}

/// A new value, or a change of the old one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Amount {
    /// To this value.
    To(f64),
    /// By so much; less than nothing is down.
    By(f64),
}

/// Moves within what is being played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Media {
    /// To the piece after this one.
    Next,
    /// To the piece before this one.
    Previous,
    /// Holds.
    Pause,
    /// Goes on after a hold.
    Resume,
}

/// What machines that drive about by themselves are sent to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Machine {
    /// To work.
    Start,
    /// To hold where they are.
    Stop,
    /// To their base.
    Dock,
}

/// What somebody wants to know of a house.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// What the answer looks like.
    pub form: Form,
    /// The state that is asked about, as Home Assistant calls it: `on`, `closed`, `home` …
    pub state: Option<String>,
    /// The reading that is asked for: `temperature`, `battery` …
    pub attribute: Option<String>,
}

/// What an answer looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// The names of those that are so.
    Which,
    /// How many are so.
    HowMany,
    /// Whether one at least is so.
    Any,
    /// Whether every one is so.
    All,
    /// The state or the reading itself.
    What,
}

/// What is done with timers.
#[derive(Debug, Clone, PartialEq)]
pub struct Timer {
    /// What is done.
    pub act: TimerAct,
    /// How long it runs, or by how much it is changed.
    pub length: Length,
    /// Which timer, by how long it was to run.
    pub started: Length,
    /// Which timer, by its name; or how a new one is called.
    pub name: Option<String>,
    /// What to do when it ends, in the speaker's own words.
    pub then: Option<String>,
}

/// What can be done with a timer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimerAct {
    /// Begins one.
    Start,
    /// Ends one early.
    Cancel,
    /// Ends all of them early.
    CancelAll,
    /// Makes one longer.
    Increase,
    /// Makes one shorter.
    Decrease,
    /// Holds one.
    Pause,
    /// Lets one go on.
    Resume,
    /// Tells how much is left.
    Status,
}

/// What is done with an item of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// Written on it.
    Add,
    /// Ticked off.
    Complete,
}

impl Command {
    pub(super) fn new(act: Act, target: Target) -> Self {
        Command { act, target, unknown: None }
    }

    /// Which of the assistant's roles this is for: `smart_home`, `timer`, `weather`, `conversation` or `other`.
    pub fn role(&self) -> &'static str {
        match self.act {
            Act::Switch(_) | Act::Set(_) | Act::Media(_) | Act::Machine(_) | Act::Ask(_) | Act::Broadcast(_) => {
                "smart_home"
            }
            Act::Timer(_) | Act::Time | Act::Date => "timer",
            Act::Weather => "weather",
            Act::Play { .. } | Act::List { .. } => "other",
            Act::Nevermind | Act::Respond => "conversation",
        }
    }
}
