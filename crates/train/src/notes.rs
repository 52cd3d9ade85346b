//! The words that are kept beside the artefact: where it comes from and what it reached.

/// The notes with a table of figures.
pub fn notes(figures: &[(String, String, String)]) -> String {
    let rows: String = figures.iter().map(|(what, wanted, got)| format!("| {what} | {wanted} | {got} |\n")).collect();
    include_str!("notes.txt").replace("{figures}\n", &rows)
}
