//! The closed classes of English words that conjunction turns on. Function words keep their identity, all others are known
//! only by their class, so that what is learned about one subject holds for the next.

use std::sync::LazyLock;

/// What part a word can play where two requests meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Class {
    /// Opens a question: `what`.
    Wh = 1,
    /// A form of `be`.
    Be,
    /// A form of `do`.
    Do,
    /// `can`, `will`, `should`.
    Modal,
    /// A form of `have`.
    Have,
    /// The speaker.
    I,
    /// Whoever is spoken to.
    You,
    /// Another subject that stands for something said before.
    Pronoun,
    /// `this`, `that`, `there`.
    Pointer,
    /// The same as an object: `me`, `them`.
    Object,
    /// `the`, `a`, `some`.
    Article,
    /// `my`, `your`.
    Owner,
    /// `in`, `at`, `for`.
    Preposition,
    /// `and`, `or`, `but`, `then`, `also`.
    Joint,
    /// Digits or a number in words.
    Number,
    /// `tomorrow`, `monday`, `minutes`.
    Time,
    /// `not`, `no`.
    Negation,
    /// What is left of a contraction: `s`, `ll`.
    Clitic,
    /// `please`.
    Please,
    /// `want`, `need`, `like`.
    Wish,
    /// Opens a request when it stands first: `play`.
    Verb,
    /// `if`, `unless`.
    Condition,
    /// `because`, `since`, `so`.
    Reason,
    /// `just`, `now`, `okay`: says nothing of its own.
    Filler,
    /// `hello`, `thanks`.
    Greeting,
    /// Ends in `ing`.
    Ing,
    /// A past form.
    Past,
    /// Ends in `ly`.
    Adverb,
    /// Ends in `s`.
    Plural,
    /// Any other word.
    Other,
    /// A mark that is not a word.
    Mark,
}

impl Class {
    /// Whether the words of this class are few and are told apart wherever they stand.
    pub(super) fn is_closed(self) -> bool {
        !matches!(
            self,
            Class::Number
                | Class::Time
                | Class::Verb
                | Class::Greeting
                | Class::Ing
                | Class::Past
                | Class::Adverb
                | Class::Plural
                | Class::Other
        )
    }
}

/// The class of a word in lower case whose hash is known.
pub(super) fn class(word: &[u8], hash: u32) -> Class {
    if word.first().is_some_and(u8::is_ascii_digit) {
        return Class::Number;
    }
    let table = &*TABLE;
    let mut at = slot(hash);
    while let Some((known, class)) = table[at] {
        if known == hash {
            return class;
        }
        at = (at + 1) % SLOTS;
    }
    match word {
        [_, _, .., b'i', b'n', b'g'] => Class::Ing,
        [_, _, .., b'e', b'd'] => Class::Past,
        [_, _, .., b'l', b'y'] => Class::Adverb,
        [_, _, .., b's', b's'] => Class::Other,
        [_, _, .., b's'] => Class::Plural,
        _ => Class::Other,
    }
}

/// FNV-1a: small words, no state, the same everywhere.
pub(super) fn hash(word: &[u8]) -> u32 {
    word.iter().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

const SLOTS: usize = 4096;

fn slot(hash: u32) -> usize {
    (hash ^ (hash >> 15)) as usize % SLOTS
}

static TABLE: LazyLock<Vec<Option<(u32, Class)>>> = LazyLock::new(|| {
    let mut table = vec![None; SLOTS];
    for (words, class) in WORDS {
        for word in words.split_whitespace() {
            let hash = hash(word.as_bytes());
            let mut at = slot(hash);
            while table[at].is_some_and(|(known, _)| known != hash) {
                at = (at + 1) % SLOTS;
            }
            table[at].get_or_insert((hash, *class));
        }
    }
    table
});

/// A word that stands twice belongs to the class that names it first.
const WORDS: &[(&str, Class)] = &[
    ("what which who whom whose when where why how whats hows wheres whos", Class::Wh),
    ("is are was were am be been being isn aren wasn weren", Class::Be),
    ("do does did don doesn didn", Class::Do),
    ("can could will would should may might must shall won wouldn couldn can't shouldn cannot cant", Class::Modal),
    ("have has had haven hasn hadn", Class::Have),
    ("i im ive", Class::I),
    ("you u ya youre", Class::You),
    ("it he she they we its", Class::Pronoun),
    ("this that these those there here", Class::Pointer),
    ("me us him them myself yourself itself themselves one ones", Class::Object),
    ("the a an some any all each every another both either many much more most no few several other", Class::Article),
    ("my your our their his her mine yours", Class::Owner),
    (
        "of in on at to for from by with about into onto over under between after before during until till around near \
         through as per than off out up down without within against across along via toward towards like",
        Class::Preposition,
    ),
    ("and or but nor plus also then too", Class::Joint),
    (
        "zero two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen \
         eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion half \
         quarter third dozen percent first second fourth fifth sixth seventh eighth ninth tenth",
        Class::Number,
    ),
    (
        "today tomorrow tonight yesterday monday tuesday wednesday thursday friday saturday sunday mondays tuesdays \
         wednesdays thursdays fridays saturdays sundays weekend weekday weekdays morning afternoon evening night noon \
         midnight january february march april may june july august september october november december am pm a.m p.m \
         oclock clock minute minutes second seconds hour hours day days week weeks month months year years later soon \
         weekly daily monthly",
        Class::Time,
    ),
    ("not never t none nothing", Class::Negation),
    ("s d ll m re ve", Class::Clitic),
    ("please kindly pls plz", Class::Please),
    ("want need wish wanna gotta needs wants would'd", Class::Wish),
    ("if unless whether provided assuming", Class::Condition),
    ("because since so while although though cause cos", Class::Reason),
    (
        "just now ok okay hey well maybe really very quite only still already again actually first next finally lastly",
        Class::Filler,
    ),
    (
        "hi hello thanks thank bye goodbye sorry cheers greetings yes yeah yep nope sure right olly alexa siri google dear",
        Class::Greeting,
    ),
    (
        "accept activate add adjust alert announce answer apply approve archive arm arrange ask assign attach authorize \
         block book brew brighten bring broadcast browse build buy calculate call cancel capture change charge chat check \
         choose clean clear click close collect color comment compare compile complete compose compute confirm connect \
         contact continue convert cook copy count cover create crop cut darken deactivate decide decline decrease define \
         delay delete deliver deny deposit describe detect determine dial dim direct disable disarm disconnect discover \
         dismiss display divide do download draft draw drop dock double edit email empty enable encrypt end enqueue \
         enter erase estimate evaluate exchange exclude execute exit expand explain export extend extract fast fetch fill \
         filter find finish fix flag flip flush follow forecast format forward freeze generate get give go grab group \
         guide halt hang help hide highlight hold identify import improve include increase inform initiate insert inspect \
         install invite join jump keep kill know launch learn leave let lift list listen load locate lock log look loop \
         lower mail make manage mark match measure memorize mention merge message modify monitor move mute name navigate \
         note notify obtain offer open order organize output pack pair park paste pause pay pick pin ping place plan play \
         plot point post postpone predict prepare present preview print process program provide publish pull purchase push \
         put query queue quit raise rate read reboot recall recommend record recover redial redo reduce refill refresh \
         refund register reject release relay reload remember remind remove rename reorder repeat replace reply report \
         request reschedule research reserve reset resize respond restart restore resume retrieve return reverse review \
         rewind ring roll rotate run save say scan schedule score scroll search see select send separate set share shift \
         shop show shuffle shut sign silence simulate sing skip sleep slow snooze solve sort spell speak speed spin split \
         start state stay stop store stream submit subscribe subtract suggest summarize sum swap switch sync synthesize \
         take talk tell terminate test text throw tighten toggle top track train transcribe transfer translate trigger \
         trim try turn tune tweet type unblock undo unlock unmute unplug unsubscribe update upgrade upload use validate \
         vacuum verify view visit wait wake walk warm warn wash watch water weigh withdraw write zip zoom",
        Class::Verb,
    ),
    (
        "got went came took made saw found lost gave sent paid bought thought told said kept left knew felt became done \
         gone seen taken given began broke",
        Class::Past,
    ),
];
