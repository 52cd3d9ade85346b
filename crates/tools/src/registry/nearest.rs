//! The real names that look like a wrong one.

use domain::id::ToolName;

/// A name this unlike the wrong one is not worth suggesting.
const LIKE: f64 = 0.6;
/// Nor is one this much less like it than the likeliest.
const BEHIND: f64 = 0.2;

/// Up to three names, the likeliest first.
pub(super) fn names<'n>(wrong: &str, real: impl Iterator<Item = &'n ToolName>) -> Vec<String> {
    let wrong = wrong.to_lowercase().replace("__", ".");
    let mut scored: Vec<(f64, &ToolName)> =
        real.map(|name| (likeness(&wrong, name), name)).filter(|(likeness, _)| *likeness >= LIKE).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    let best = scored.first().map_or(0.0, |(likeness, _)| *likeness);
    scored.retain(|(likeness, _)| best - likeness < BEHIND);
    scored.into_iter().take(3).map(|(_, name)| name.to_string()).collect()
}

/// A misspelling of the whole name counts most, then the right tool in the wrong domain, then the right domain.
fn likeness(wrong: &str, name: &ToolName) -> f64 {
    let like = strsim::normalized_damerau_levenshtein;
    let real = name.as_str().to_lowercase();
    let (domain, short) = (name.domain().to_lowercase(), name.short().to_lowercase());
    let whole = like(wrong, &real);
    let parts = match wrong.split_once('.') {
        None => (0.95 * like(wrong, &short)).max(if wrong == domain { LIKE } else { 0.0 }),
        Some((wrong_domain, wrong_short)) => {
            let by_short = 0.9 * like(wrong_short, &short);
            let by_domain = if wrong_domain == domain { LIKE + 0.3 * like(wrong_short, &short) } else { 0.0 };
            let swapped = if wrong_domain == short && wrong_short == domain { 0.9 } else { 0.0 };
            by_short.max(by_domain).max(swapped)
        }
    };
    whole.max(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nearest(wrong: &str) -> Vec<String> {
        let real: Vec<ToolName> =
            ["weather.current", "weather.forecast", "search.web", "memory.recall", "memory.remember", "timer.set"]
                .iter()
                .map(|name| name.parse().expect("valid"))
                .collect();
        names(wrong, real.iter())
    }

    #[test]
    fn a_misspelling_a_wrong_domain_and_a_wrong_tool_are_recognised() {
        assert_eq!(nearest("wether.curent"), ["weather.current"]);
        assert_eq!(nearest("Weather.Current")[0], "weather.current");
        assert_eq!(nearest("weather__curent")[0], "weather.current");
        assert_eq!(nearest("weather.now"), ["weather.forecast", "weather.current"]);
        assert_eq!(nearest("mem.recall"), ["memory.recall"]);
        assert_eq!(nearest("web.search"), ["search.web"]);
        assert_eq!(nearest("remeber"), ["memory.remember"]);
        assert_eq!(nearest("weather"), ["weather.current", "weather.forecast"]);
    }

    #[test]
    fn what_is_like_nothing_is_given_no_suggestion() {
        assert_eq!(nearest("launch.rocket"), Vec::<String>::new());
        assert_eq!(nearest(""), Vec::<String>::new());
    }
}
