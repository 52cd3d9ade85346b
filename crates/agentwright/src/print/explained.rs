//! Why something would be used again for a request, or would not.

use domain::library::{Choice, Decision};
use runtime::{Explained, Looked};

use super::Ink;
use super::text::{line, value};

/// The page as text.
pub fn page(explained: &Explained, ink: Ink) -> String {
    let mut text = match &explained.choice {
        None => "a planner would be asked: nothing like it was ever kept\n".to_owned(),
        Some(choice) => decision(choice, ink),
    };
    explained.looked_at.iter().for_each(|looked| text.push_str(&of(looked, ink)));
    text
}

fn decision(choice: &Choice, ink: Ink) -> String {
    let item = choice.item.as_ref().map(|(name, _)| format!("{} `{name}`", choice.kind)).unwrap_or_default();
    match choice.decision {
        Decision::Reuse => format!("{}: {item} would be carried out, without a planner\n", ink.good("reuse")),
        Decision::Adapt => format!("{}: a planner would be asked, and would see {item}\n", ink.odd("adapt")),
        Decision::Create => {
            format!("{}: a planner would be asked; {}\n", ink.odd("create"), line(&choice.why, 300))
        }
    }
}

fn of(looked: &Looked, ink: Ink) -> String {
    let name = ink.strong(looked.name.as_str());
    let mut text = format!("\n{} {name} ({:.2}): {}\n", looked.kind, looked.score.get(), line(&looked.found_by, 200));
    let mut add = |mark: String, words: String| text.push_str(&format!("  {mark} {words}\n"));
    if let Some(phrase) = &looked.phrase {
        add(ink.faint("says"), line(phrase, 200));
    }
    for taken in &looked.values {
        let read = taken.value.as_ref().map(|it| format!(" ({})", value(it, 80))).unwrap_or_default();
        let said = format!("{} = `{}`{read}, sure to {}", taken.parameter, line(&taken.said, 80), taken.confidence);
        add(ink.faint("takes"), said);
    }
    for guard in &looked.guards {
        let mark = if guard.held { ink.good("held") } else { ink.bad("failed") };
        add(mark, line(&guard.words, 200));
    }
    match &looked.against {
        Some(against) => add(ink.bad("but"), line(against, 300)),
        None => add(ink.good("fits"), "nothing speaks against it".to_owned()),
    }
    text
}
