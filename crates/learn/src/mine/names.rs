//! Small numbers for things that many traces share, for as long as any of them does.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

/// Numbers that stand for things, each with how many hold on to it.
#[derive(Debug, Clone)]
pub(super) struct Names<T> {
    numbers: HashMap<Arc<T>, u32>,
    held: Vec<Option<(Arc<T>, u32)>>,
    free: Vec<u32>,
}

impl<T> Default for Names<T> {
    fn default() -> Self {
        Self { numbers: HashMap::new(), held: Vec::new(), free: Vec::new() }
    }
}

impl<T: Hash + Eq> Names<T> {
    /// The number of a thing, held once more.
    pub(super) fn hold(&mut self, thing: T) -> u32 {
        if let Some(&number) = self.numbers.get(&thing) {
            if let Some((_, holders)) = &mut self.held[number as usize] {
                *holders += 1;
            }
            return number;
        }
        let thing = Arc::new(thing);
        let number = self.free.pop().unwrap_or_else(|| {
            self.held.push(None);
            (self.held.len() - 1) as u32
        });
        self.held[number as usize] = Some((Arc::clone(&thing), 1));
        self.numbers.insert(thing, number);
        number
    }

    /// Lets go of a number once. The last to do so frees it.
    pub(super) fn release(&mut self, number: u32) {
        let Some(Some((thing, holders))) = self.held.get_mut(number as usize) else { return };
        *holders -= 1;
        if *holders == 0 {
            self.numbers.remove(thing);
            self.held[number as usize] = None;
            self.free.push(number);
        }
    }

    /// The thing a number stands for.
    pub(super) fn get(&self, number: u32) -> Option<&T> {
        self.held.get(number as usize)?.as_ref().map(|(thing, _)| thing.as_ref())
    }

    /// The number of a thing that somebody holds.
    pub(super) fn number(&self, thing: &T) -> Option<u32> {
        self.numbers.get(thing).copied()
    }

    /// Things that are held by nobody yet, each with its place in the list as its number.
    pub(super) fn listed(things: Vec<T>) -> Self {
        let things: Vec<Arc<T>> = things.into_iter().map(Arc::new).collect();
        let numbers = things.iter().enumerate().map(|(at, thing)| (Arc::clone(thing), at as u32)).collect();
        Self { numbers, held: things.into_iter().map(|thing| Some((thing, 0))).collect(), free: Vec::new() }
    }

    /// Holds a number once more, if there is such a number.
    pub(super) fn hold_again(&mut self, number: u64) -> Option<u32> {
        let (_, holders) = self.held.get_mut(usize::try_from(number).ok()?)?.as_mut()?;
        *holders += 1;
        Some(number as u32)
    }

    /// Whether somebody holds each thing, and nothing is there twice.
    pub(super) fn all_held(&self) -> bool {
        let held = self.held.iter().flatten();
        self.numbers.len() == held.clone().count() && held.clone().all(|(_, holders)| *holders > 0)
    }

    /// The things in their own order, whatever order they came in, and for every number its place among them.
    pub(super) fn ordered(&self) -> (Vec<&T>, Vec<u32>)
    where
        T: Ord,
    {
        let mut things: Vec<(&T, u32)> = self.numbers.iter().map(|(thing, number)| (thing.as_ref(), *number)).collect();
        things.sort_unstable();
        let mut places = vec![0; self.held.len()];
        for (place, (_, number)) in things.iter().enumerate() {
            places[*number as usize] = place as u32;
        }
        (things.into_iter().map(|(thing, _)| thing).collect(), places)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_free_once_nobody_holds_it() {
        let mut names = Names::default();
        let (a, again, b) = (names.hold("a"), names.hold("a"), names.hold("b"));
        assert!(a == again && a != b);
        names.release(a);
        assert_eq!(names.number(&"a"), Some(a));
        names.release(a);
        assert_eq!((names.number(&"a"), names.get(a)), (None, None));
        assert_eq!(names.hold("c"), a);
        names.release(99);
        assert_eq!(names.ordered().0, [&"b", &"c"]);
    }
}
