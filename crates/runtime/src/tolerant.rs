//! Finds JSON in what models write: in fences, in prose, with trailing commas. What is cut off is not found.

use serde_json::Value;

/// How many places in a text are looked at: prose full of braces must not cost the square of its length.
const MAX_STARTS: usize = 200;

/// Every JSON object or list in a text that stands for itself, in order of appearance.
pub fn values(text: &str) -> Vec<Value> {
    if let Ok(value) = serde_json::from_str::<Value>(text.trim()) {
        return vec![value];
    }
    let mut values = Vec::new();
    let mut at = 0;
    for _ in 0..MAX_STARTS {
        let Some(start) = text[at..].find(['{', '[']).map(|found| at + found) else { break };
        let parsed = end_of(&text[start..]).and_then(|length| {
            let slice = &text[start..start + length];
            let value = serde_json::from_str(slice).or_else(|_| serde_json::from_str(&without_trailing_commas(slice)));
            value.ok().map(|value| (value, length))
        });
        match parsed {
            Some((value, length)) => {
                values.push(value);
                at = start + length;
            }
            // Perhaps a brace of the prose: what stands behind it may still be whole.
            None => at = start + 1,
        }
    }
    values
}

/// The characters of a text with their places, each with whether it belongs to a JSON string.
fn with_strings_marked(text: &str) -> impl Iterator<Item = (usize, char, bool)> {
    let mut in_string = false;
    let mut escaped = false;
    text.char_indices().map(move |(at, c)| {
        let quote = c == '"' && !escaped;
        let belongs = in_string || quote;
        escaped = in_string && c == '\\' && !escaped;
        in_string ^= quote;
        (at, c, belongs)
    })
}

/// How long the value is that begins here: braces within strings do not count.
fn end_of(text: &str) -> Option<usize> {
    let mut open = Vec::new();
    for (at, c, _) in with_strings_marked(text).filter(|(_, _, in_string)| !in_string) {
        match c {
            '{' => open.push('}'),
            '[' => open.push(']'),
            '}' | ']' if open.pop() != Some(c) => return None,
            '}' | ']' if open.is_empty() => return Some(at + 1),
            _ => {}
        }
    }
    None
}

fn without_trailing_commas(text: &str) -> String {
    let trails = |at: usize| text[at + 1..].trim_start().starts_with(['}', ']']);
    with_strings_marked(text)
        .filter(|(at, c, in_string)| *in_string || *c != ',' || !trails(*at))
        .map(|(_, c, _)| c)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn json_is_found_in_fences_and_prose() {
        assert_eq!(values("```json\n{\"a\": 1}\n```"), [json!({"a": 1})]);
        assert_eq!(values("Sure! Here it is: {\"a\": [1, 2]} — anything else?"), [json!({"a": [1, 2]})]);
        assert_eq!(values("{\"a\": 1}"), [json!({"a": 1})]);
    }

    #[test]
    fn braces_in_strings_and_in_prose_do_not_count() {
        assert_eq!(values(r#"x {"a": "} \" {", "b": 2} y"#), [json!({"a": "} \" {", "b": 2})]);
        assert_eq!(values(r#"a set {x, y} and {"a": 1} and {z}"#), [json!({"a": 1})]);
    }

    #[test]
    fn several_values_are_told_apart_where_a_greedy_match_would_join_them() {
        assert_eq!(values(r#"not {"a": 1} but {"a": 2}"#), [json!({"a": 1}), json!({"a": 2})]);
    }

    #[test]
    fn trailing_commas_are_forgiven_but_commas_in_strings_kept() {
        assert_eq!(values(r#"{"a": [1, 2, ], "b": ",}",}"#), [json!({"a": [1, 2], "b": ",}"})]);
    }

    #[test]
    fn half_an_object_is_none() {
        assert_eq!(values(r#"{"plan": "x", "steps": [{"id""#), Vec::<Value>::new());
        assert_eq!(values("only prose"), Vec::<Value>::new());
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "\\PC{0,80}") {
            values(&text);
        }

        #[test]
        fn an_object_is_found_whatever_stands_around_it(before in "[a-z .{]{0,20}", after in "[a-z .}]{0,20}", text in "[a-z{}\\\\\"]{0,10}") {
            let object = json!({"key": text});
            let text = format!("{before}\n{object}\n{after}");
            proptest::prop_assert!(values(&text).contains(&object));
        }
    }
}
