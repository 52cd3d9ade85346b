//! Which words of the index mean nearly the same, so that a request for `flights` finds what speaks of `airlines`.

use crate::places::{Place, Places};

/// How near two words must be.
const NEAR: f32 = 0.45;
/// Words that one word stands for at most.
const MOST: usize = 24;

/// For each word, by its number in the lexicon, the words near it.
#[derive(Debug)]
pub(crate) struct Kin {
    places: Places,
    near: Vec<Vec<(u32, f32)>>,
}

impl Kin {
    pub(crate) fn new(width: usize) -> Self {
        Kin { places: Places::new(width), near: Vec::new() }
    }

    /// How many words there are; the next one has this number.
    pub(crate) fn len(&self) -> usize {
        self.near.len()
    }

    /// Adds the next word.
    pub(crate) fn push(&mut self, place: &Place) {
        let id = self.near.len() as u32;
        let near = self.of(place);
        for (other, likeness) in &near {
            let list = &mut self.near[*other as usize];
            let at = list.partition_point(|(_, nearer)| nearer >= likeness);
            list.insert(at, (id, *likeness));
            list.truncate(MOST);
        }
        self.near.push(near);
        self.places.put(id, place);
    }

    /// The words near a word that is here, nearest first.
    pub(crate) fn near(&self, id: u32) -> &[(u32, f32)] {
        &self.near[id as usize]
    }

    /// The words near a word that is not.
    pub(crate) fn of(&self, place: &Place) -> Vec<(u32, f32)> {
        let near = self.places.near(place).into_iter().zip(0..).filter(|(likeness, _)| *likeness > NEAR);
        let mut near: Vec<(u32, f32)> = near.map(|(likeness, id)| (id, likeness.min(1.0))).collect();
        near.sort_unstable_by(|one, two| two.1.total_cmp(&one.1).then(one.0.cmp(&two.0)));
        near.truncate(MOST);
        near.shrink_to_fit();
        near
    }

    pub(crate) fn bytes(&self) -> usize {
        let lists: usize = self.near.iter().map(|list| list.capacity() * size_of::<(u32, f32)>()).sum();
        self.places.bytes() + lists + self.near.capacity() * size_of::<Vec<(u32, f32)>>()
    }
}
