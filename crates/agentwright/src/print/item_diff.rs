//! What differs between two versions of something that is kept, by field and line.

use domain::id::ItemName;
use domain::library::{Item, Kind};
use serde::Serialize;

use super::Ink;
use super::items::fields;
use super::text::tame;

/// The most pairs of lines that are compared; beyond, all is taken to differ.
const PAIRS: usize = 4_000_000;

/// What differs.
#[derive(Debug, Serialize)]
pub struct ItemDiff {
    /// What kind of thing.
    pub kind: Kind,
    /// Its name.
    pub name: ItemName,
    /// The older version.
    pub from: u32,
    /// The newer version.
    pub to: u32,
    /// The fields that differ.
    pub changes: Vec<FieldDiff>,
}

/// A field that differs.
#[derive(Debug, Serialize)]
pub struct FieldDiff {
    /// Which.
    pub field: &'static str,
    /// Its lines.
    pub lines: Vec<LineDiff>,
}

/// A line, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LineDiff {
    /// What became of it.
    pub change: Change,
    /// What it says.
    pub text: String,
}

/// What became of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// It is in both.
    Kept,
    /// It is only in the older one.
    Removed,
    /// It is only in the newer one.
    Added,
}

impl ItemDiff {
    /// What differs between two versions.
    pub fn between(older: &Item, newer: &Item) -> Self {
        let (before, after) = (fields(&older.draft), fields(&newer.draft));
        let of = |name: &str| before.iter().find(|(field, _)| *field == name).map_or(&[][..], |(_, said)| said);
        let changed = after.iter().filter(|(name, said)| of(name) != said.as_slice());
        let changes = changed.map(|(name, said)| FieldDiff { field: name, lines: lines(of(name), said) }).collect();
        let (kind, name) = (newer.kind(), newer.draft.name.clone());
        Self { kind, name, from: older.version, to: newer.version, changes }
    }
}

/// The difference as text: what is gone, what is new, and the lines next to it.
pub fn words(diff: &ItemDiff, ink: Ink) -> String {
    let mut text = format!("{}\n", ink.faint(&format!("{} `{}`, {} to {}", diff.kind, diff.name, diff.from, diff.to)));
    if diff.changes.is_empty() {
        return text + "no difference\n";
    }
    for change in &diff.changes {
        text.push_str(&format!("{}\n", ink.strong(change.field)));
        for (at, line) in change.lines.iter().enumerate() {
            let near = change.lines[at.saturating_sub(1)..change.lines.len().min(at + 2)].iter();
            let said = tame(&line.text);
            match line.change {
                Change::Removed => text.push_str(&format!("  {}\n", ink.bad(&format!("- {said}")))),
                Change::Added => text.push_str(&format!("  {}\n", ink.good(&format!("+ {said}")))),
                Change::Kept if near.into_iter().any(|near| near.change != Change::Kept) => {
                    text.push_str(format!("    {said}").trim_end());
                    text.push('\n');
                }
                Change::Kept => {}
            }
        }
    }
    text
}

/// The shortest way from some lines to others.
fn lines(before: &[String], after: &[String]) -> Vec<LineDiff> {
    let of = |change, text: &String| LineDiff { change, text: text.clone() };
    if before.len().saturating_mul(after.len()) > PAIRS {
        let gone = before.iter().map(|text| of(Change::Removed, text));
        return gone.chain(after.iter().map(|text| of(Change::Added, text))).collect();
    }
    // How many lines the rests have in common.
    let mut common = vec![vec![0_u32; after.len() + 1]; before.len() + 1];
    for (a, old) in before.iter().enumerate().rev() {
        for (b, new) in after.iter().enumerate().rev() {
            let skip = common[a + 1][b].max(common[a][b + 1]);
            common[a][b] = if old == new { common[a + 1][b + 1] + 1 } else { skip };
        }
    }
    let (mut a, mut b, mut way) = (0, 0, Vec::new());
    while a < before.len() || b < after.len() {
        if a < before.len() && b < after.len() && before[a] == after[b] {
            way.push(of(Change::Kept, &before[a]));
            (a, b) = (a + 1, b + 1);
        } else if b == after.len() || (a < before.len() && common[a + 1][b] >= common[a][b + 1]) {
            way.push(of(Change::Removed, &before[a]));
            a += 1;
        } else {
            way.push(of(Change::Added, &after[b]));
            b += 1;
        }
    }
    way
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn a_difference_leads_from_one_text_to_the_other(before in "[abc\n]{0,12}", after in "[abc\n]{0,12}") {
            let split = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
            let (before, after) = (split(&before), split(&after));
            let way = lines(&before, &after);
            let without = |change| {
                way.iter().filter(|line| line.change != change).map(|line| line.text.clone()).collect::<Vec<_>>()
            };
            proptest::prop_assert_eq!(without(Change::Added), before);
            proptest::prop_assert_eq!(without(Change::Removed), after);
        }
    }
}
