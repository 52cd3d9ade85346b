//! What becomes of the lessons there are when new ones are distilled.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use domain::guideline::{Lesson, LessonId, LessonStatus};
use domain::pattern::Evidence;
use jiff::Timestamp;

use super::at_odds::{contradicts, says_it_too};
use super::room::{Budget, too_many};
use super::surely;

/// What lessons there are now.
#[derive(Debug, Clone, PartialEq)]
pub struct Merged {
    /// All of them, retired ones included, by id.
    pub lessons: Vec<Lesson>,
    /// What came, went or came back, a sentence each.
    pub changed: Vec<String>,
    /// What was kept out, and why, a sentence each.
    pub kept_out: Vec<String>,
}

/// Brings together what is known and what was distilled from all patterns that stand now.
///
/// A known lesson about the same mark, agent and problem takes over the new evidence. One that rests on a pattern that is
/// gone or has turned is retired, unless experiments say that it helps, or are about to say: those who heed a lesson all
/// do alike, and then nothing is left to compare. Of two that say the same or contradict each other the stronger stays.
/// Nobody is told more than fits. What was retired stays retired until there is much more evidence. Merging the same
/// again changes nothing.
pub fn merge(known: &[Lesson], new: Vec<Lesson>, budget: &Budget, now: Timestamp) -> Merged {
    let before: Lessons = known.iter().map(|lesson| (lesson.id.clone(), lesson.clone())).collect();
    let new: Lessons = new.into_iter().map(|lesson| (lesson.id.clone(), lesson)).collect();
    let (mut lessons, mut kept_out) = (before.clone(), Vec::new());
    // Who makes room may have kept another out, so all have another look until nothing changes. Nobody who left in one
    // round comes back in the next, so that there are no more rounds than lessons.
    for _ in 0..=before.len() + new.len() {
        let round = Merging::of(&lessons, now).round(&new, budget);
        let (after, out) = (round.lessons, round.kept_out);
        kept_out = out;
        if after == lessons {
            break;
        }
        lessons = after;
    }
    let changed = lessons.values().filter_map(|lesson| news(before.get(&lesson.id), lesson)).collect();
    Merged { lessons: lessons.into_values().collect(), changed, kept_out }
}

type Lessons = BTreeMap<LessonId, Lesson>;

struct Merging<'a> {
    before: &'a Lessons,
    lessons: Lessons,
    seen: BTreeSet<LessonId>,
    kept_out: Vec<String>,
    now: Timestamp,
}

impl<'a> Merging<'a> {
    fn of(before: &'a Lessons, now: Timestamp) -> Self {
        Self { before, lessons: before.clone(), seen: BTreeSet::new(), kept_out: Vec::new(), now }
    }

    fn round(mut self, new: &Lessons, budget: &Budget) -> Self {
        for lesson in new.values() {
            self.take_in(lesson.clone(), budget);
        }
        self.retire_what_is_gone();
        self.settle_odds();
        self.make_room(budget);
        self
    }

    fn take_in(&mut self, new: Lesson, budget: &Budget) {
        let about_it = |known: &Lesson| known.id == new.id || same_subject(known, &new);
        let same_way = |known: &Lesson| known.pattern.evidence.helps() == new.pattern.evidence.helps();
        let live = |known: &Lesson| known.status != LessonStatus::Retired;
        let about: Vec<&mut Lesson> = self.lessons.values_mut().filter(|known| about_it(known)).collect();
        let rank = |known: &Lesson| match (same_way(known), live(known)) {
            (true, true) => Some(0),
            (true, false) => Some(1),
            (false, true) => Some(2),
            (false, false) => None,
        };
        // Of several retired ones the one that rested on most is asked.
        let nearest = about
            .into_iter()
            .filter(|known| rank(known).is_some())
            .min_by_key(|known| (rank(known), Reverse(traces(&known.pattern.evidence)), known.id.clone()));
        let Some(known) = nearest else { return self.add(new) };
        self.seen.insert(known.id.clone());
        match (same_way(known), live(known)) {
            (true, true) => known.pattern = new.pattern,
            (true, false) => self.kept_out.extend(come_back(known, new, budget, self.now)),
            (false, _) if is_held(known) => self
                .kept_out
                .push(format!("“{}” is kept out: “{}” is being tried, or was tried and helps", new.text, known.text)),
            (false, _) => {
                *known = retired(known, format!("its pattern has turned: {}", new.pattern.words), self.now);
                self.add(new);
            }
        }
    }

    fn add(&mut self, new: Lesson) {
        self.seen.insert(new.id.clone());
        self.lessons.insert(new.id.clone(), new);
    }

    fn retire_what_is_gone(&mut self) {
        for lesson in self.lessons.values_mut() {
            let gone = lesson.status != LessonStatus::Retired && !self.seen.contains(&lesson.id) && !is_held(lesson);
            if gone {
                *lesson = retired(lesson, "its pattern is no longer found".into(), self.now);
            }
        }
    }

    /// The strongest are taken first; whoever comes later must not be at odds with any of them.
    fn settle_odds(&mut self) {
        let mut order: Vec<LessonId> = self.live().map(|lesson| lesson.id.clone()).collect();
        let strength =
            |id: &LessonId| self.lessons.get(id).map_or((false, -1.0), |lesson| (is_held(lesson), surely(lesson)));
        order.sort_by(|a, b| {
            let ((a_held, a_surely), (b_held, b_surely)) = (strength(a), strength(b));
            b_held.cmp(&a_held).then(b_surely.total_cmp(&a_surely)).then_with(|| a.cmp(b))
        });
        let mut taken: Vec<Lesson> = Vec::new();
        for id in order {
            let Some(lesson) = self.lessons.get(&id).cloned() else { continue };
            match taken.iter().find_map(|other| at_odds(other, &lesson)) {
                None => taken.push(lesson),
                Some(because) => self.leave_out(&lesson, because),
            }
        }
    }

    fn make_room(&mut self, budget: &Budget) {
        let lessons: Vec<Lesson> = self.lessons.values().cloned().collect();
        for at in too_many(&lessons, budget.tokens) {
            let because = format!("it gives way: others are worth more within {} tokens", budget.tokens);
            self.leave_out(&lessons[at], because);
        }
    }

    /// What was known is retired, what is new never comes in.
    fn leave_out(&mut self, lesson: &Lesson, because: String) {
        if self.before.contains_key(&lesson.id) {
            self.lessons.insert(lesson.id.clone(), retired(lesson, because, self.now));
        } else {
            self.kept_out.push(format!("“{}” is kept out: {because}", lesson.text));
            self.lessons.remove(&lesson.id);
        }
    }

    fn live(&self) -> impl Iterator<Item = &Lesson> {
        self.lessons.values().filter(|lesson| lesson.status != LessonStatus::Retired)
    }
}

fn news(before: Option<&Lesson>, lesson: &Lesson) -> Option<String> {
    match before {
        None => Some(format!("“{}” is proposed: {}", lesson.text, lesson.pattern.words)),
        Some(before) if before.status == lesson.status => None,
        Some(_) => Some(format!("“{}” is {}: {}", lesson.text, lesson.status.word(), lesson.because)),
    }
}

/// Looks at a retired lesson again where there is much more evidence, and says why not where there is not.
fn come_back(known: &mut Lesson, new: Lesson, budget: &Budget, now: Timestamp) -> Option<String> {
    let (then, since) = (traces(&known.pattern.evidence), traces(&new.pattern.evidence));
    if since <= then || (since as f64) < budget.new_evidence * then as f64 {
        return Some(format!("“{}” stays retired: {}", known.text, known.because));
    }
    known.because = format!("it comes back: it rests on {since} traces now, and on {then} when it was retired");
    (known.status, known.changed_at, known.effect, known.pattern) = (LessonStatus::Proposed, now, None, new.pattern);
    None
}

/// Whether experiments speak for it, or will say more than any pattern can.
fn is_held(lesson: &Lesson) -> bool {
    match lesson.status {
        LessonStatus::Canary => true,
        LessonStatus::Active => lesson.effect.is_some_and(|effect| effect.low > 0.0),
        LessonStatus::Proposed | LessonStatus::Shadow | LessonStatus::Retired => false,
    }
}

fn at_odds(taken: &Lesson, later: &Lesson) -> Option<String> {
    let percent = |lesson: &Lesson| format!("{:+.1} points at least", surely(lesson) * 1e2);
    if contradicts(taken, later) {
        let (theirs, ours) = (percent(taken), percent(later));
        Some(format!("it contradicts “{}”, which has the better evidence ({theirs}, not {ours})", taken.text))
    } else if says_it_too(taken, later) {
        Some(format!("“{}” says the same", taken.text))
    } else {
        None
    }
}

fn same_subject(one: &Lesson, other: &Lesson) -> bool {
    one.pattern.mark == other.pattern.mark && one.agent == other.agent && one.problem == other.problem
}

fn traces(evidence: &Evidence) -> u64 {
    evidence.with_success + evidence.with_failure + evidence.without_success + evidence.without_failure
}

fn retired(lesson: &Lesson, because: String, now: Timestamp) -> Lesson {
    Lesson { status: LessonStatus::Retired, because, changed_at: now, ..lesson.clone() }
}
