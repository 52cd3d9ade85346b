//! Notes for agents, as projects keep them in `AGENTS.md`: what is said, without headings and code.

/// The paragraphs and list items of a Markdown text, each on one line.
pub(super) fn read(markdown: &str) -> Vec<String> {
    let mut points: Vec<String> = Vec::new();
    let mut open = false;
    let mut code = false;
    for line in markdown.lines().map(str::trim) {
        if line.starts_with("```") {
            code = !code;
            open = false;
            continue;
        }
        if code || line.is_empty() || line.starts_with('#') {
            open = false;
            continue;
        }
        let item = line.strip_prefix("- ").or_else(|| line.strip_prefix("* "));
        match (item, points.last_mut().filter(|_| open)) {
            (None, Some(point)) => {
                point.push(' ');
                point.push_str(line);
            }
            (item, _) => points.push(item.unwrap_or(line).to_owned()),
        }
        open = true;
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_and_items_are_points() {
        let text = "# Rules\n\nAlways say\nplease.\n\n- Meetings last\n  an hour.\n* No calls.\n\n```\ncode\n```\n";
        assert_eq!(read(text), ["Always say please.", "Meetings last an hour.", "No calls."]);
        assert!(read("").is_empty());
    }
}
