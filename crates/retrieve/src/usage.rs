//! What was chosen for which requests before, and how that went.

use std::collections::VecDeque;

use crate::places::{Place, Places};

/// Uses that are remembered; the oldest go first.
const MOST: usize = 20_000;
/// How alike two requests must be for one to say something about the other.
const ALIKE: f32 = 0.6;

/// Earlier requests and what was chosen for them.
#[derive(Debug)]
pub(crate) struct Usage {
    examples: VecDeque<Example>,
    places: Places,
    next: u32,
}

#[derive(Debug)]
struct Example {
    slot: u32,
    row: u32,
    good: bool,
}

/// What earlier uses say about one entry and a text.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Said {
    /// Added to the log odds.
    pub(crate) odds: f32,
    pub(crate) good: u32,
    pub(crate) bad: u32,
}

impl Usage {
    pub(crate) fn new(width: usize) -> Self {
        Usage { examples: VecDeque::new(), places: Places::new(width), next: 0 }
    }

    pub(crate) fn learn(&mut self, slot: u32, _text: &str, place: &Place, good: bool) {
        let row = if self.examples.len() < MOST {
            self.next += 1;
            self.next - 1
        } else {
            self.examples.pop_front().map_or(0, |oldest| oldest.row)
        };
        self.places.put(row, place);
        self.examples.push_back(Example { slot, row, good });
    }

    pub(crate) fn forget(&mut self, slot: u32) {
        self.examples.retain(|example| example.slot != slot);
        // Rows of what was forgotten are used again once the ring is full.
    }

    pub(crate) fn say(&self, place: &Place, slots: usize) -> Vec<Said> {
        let near = self.places.near(place);
        let mut said = vec![Said::default(); slots];
        for example in &self.examples {
            let near = near[example.row as usize];
            if near < ALIKE {
                continue;
            }
            let said = &mut said[example.slot as usize];
            let say = (near - ALIKE) / (1.0 - ALIKE);
            if example.good {
                said.good += 1;
                said.odds += say;
            } else {
                said.bad += 1;
                said.odds -= 2.0 * say;
            }
        }
        said
    }

    pub(crate) fn len(&self) -> usize {
        self.examples.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.examples.capacity() * size_of::<Example>() + self.places.bytes()
    }
}
