//! A trace without anything anybody wrote.

use serde::{Deserialize, Serialize};

use super::{CallEnd, Source, Speaker};
use crate::guideline::{LessonId, Trial};
use crate::id::TraceId;
use crate::score::Score;
use crate::symbol::Symbol;

/// What may be learnt from: symbols, numbers and words out of lists of ours. There is no place in it for a sentence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sketch {
    /// The trace it is of.
    pub trace: TraceId,
    /// Where that comes from.
    pub source: Source,
    /// What kind of agent it was.
    pub agent: Symbol,
    /// What kind of problem it had.
    pub problem: Symbol,
    /// The very problem.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<Symbol>,
    /// The model or program that did it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<Symbol>,
    /// For whom.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<Symbol>,
    /// Whether it was a success; absent where that is not known.
    pub success: Option<bool>,
    /// What was done, in order.
    pub moves: Vec<Move>,
    /// Seconds from beginning to end, where both make sense.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Dollars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usd: Option<f64>,
    /// The learnt points it was told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lessons: Vec<LessonId>,
    /// The experiments it took part in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trials: Vec<Trial>,
}

/// One thing that was done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Move {
    /// A tool was called.
    Call {
        /// Which.
        tool: Symbol,
        /// By whom.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<Symbol>,
        /// The names of its arguments, sorted.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        keys: Vec<Symbol>,
        /// What is noticed about arguments and answer.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        cues: Vec<Cue>,
        /// The things its arguments name, each by the number of its first appearance in the trace.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        things: Vec<u32>,
        /// How it ended.
        ended: CallEnd,
        /// How long the answer was.
        #[serde(default)]
        length: u32,
        /// How long it took.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        millis: Option<u64>,
    },
    /// Somebody said something.
    Said {
        /// Who.
        who: Speaker,
        /// Which one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<Symbol>,
        /// How long it was.
        length: u32,
        /// What is noticed about it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        cues: Vec<Cue>,
    },
    /// The agent thought.
    Thought {
        /// What kind of thinking.
        what: Symbol,
        /// Whose.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<Symbol>,
        /// How long it was.
        length: u32,
        /// How sure it was.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        confidence: Option<Score>,
        /// What is noticed about it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        cues: Vec<Cue>,
    },
    /// A model was asked.
    Model {
        /// Tokens read and written.
        tokens: u64,
        /// How it ended.
        ended: CallEnd,
    },
}

/// What is noticed about a text or a call: words of ours, never theirs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cue {
    /// It asks something.
    Asks,
    /// It is sorry.
    Sorry,
    /// It refuses.
    Refuses,
    /// It thanks.
    Thanks,
    /// It says yes.
    Yes,
    /// It says no.
    No,
    /// It is unhappy with how things go.
    Upset,
    /// It wants something else or something more than before.
    More,
    /// It says that something has been done.
    Done,
    /// It says that something will be done.
    Promises,
    /// It takes its leave, or says that this is the end.
    Leaves,
    /// It speaks of handing over to a person.
    HandsOver,
    /// It wants something done.
    Wants(Deed),
    /// It holds a program.
    Code,
    /// It holds the words of an error.
    Broken,
    /// It takes something for granted, or makes an example up.
    Assumes,
    /// It checks.
    Verifies,
    /// It says what to do.
    Plans,
    /// It gives the answer.
    Concludes,
    /// An argument was never seen before in the trace: it is made up.
    MadeUp,
    /// An argument was not seen before in what was kept of the trace, of which something was cut.
    Unseen,
    /// An argument is what the user said.
    Given,
    /// An argument is what a tool answered.
    Found,
    /// The user said yes right before it.
    Confirmed,
    /// It pays, and this way.
    Pays(Means),
    /// The very call was made before.
    Again,
    /// The answer is empty.
    Empty,
}

/// What people want done to things they have, and tools do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Deed {
    /// To call it off.
    Cancel,
    /// To give it back.
    Return,
    /// To have another for it.
    Exchange,
    /// To have it otherwise.
    Change,
    /// To have one.
    Book,
    /// To have something sent or made good.
    Send,
    /// To pay for it.
    Pay,
    /// To speak to a person.
    HandOver,
}

/// How something is paid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Means {
    /// With a credit or debit card.
    Card,
    /// With a gift card, a voucher or a certificate.
    Gift,
    /// With an account somewhere.
    Account,
}

impl Cue {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Cue::Asks => "asks",
            Cue::Sorry => "sorry",
            Cue::Refuses => "refuses",
            Cue::Thanks => "thanks",
            Cue::Yes => "yes",
            Cue::No => "no",
            Cue::Upset => "upset",
            Cue::More => "more",
            Cue::Done => "done",
            Cue::Promises => "promises",
            Cue::Leaves => "leaves",
            Cue::HandsOver => "hands_over",
            Cue::Wants(deed) => deed.word(),
            Cue::Code => "code",
            Cue::Broken => "broken",
            Cue::Assumes => "assumes",
            Cue::Verifies => "verifies",
            Cue::Plans => "plans",
            Cue::Concludes => "concludes",
            Cue::MadeUp => "made_up",
            Cue::Unseen => "unseen",
            Cue::Given => "given",
            Cue::Found => "found",
            Cue::Confirmed => "confirmed",
            Cue::Pays(Means::Card) => "card",
            Cue::Pays(Means::Gift) => "gift",
            Cue::Pays(Means::Account) => "account",
            Cue::Again => "again",
            Cue::Empty => "empty",
        }
    }
}

impl Deed {
    /// All of them.
    pub const ALL: [Deed; 8] =
        [Self::Cancel, Self::Return, Self::Exchange, Self::Change, Self::Book, Self::Send, Self::Pay, Self::HandOver];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Deed::Cancel => "cancel",
            Deed::Return => "return",
            Deed::Exchange => "exchange",
            Deed::Change => "change",
            Deed::Book => "book",
            Deed::Send => "send",
            Deed::Pay => "pay",
            Deed::HandOver => "hand_over",
        }
    }
}
