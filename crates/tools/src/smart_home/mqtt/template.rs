//! The small templates in announcements that say where in a message a value is. They come over the network: they can
//! compute, but neither for long nor do anything else.

use std::sync::LazyLock;

use minijinja::value::Serde;
use minijinja::{Environment, context};
use serde_json::Value;

/// How many steps one template may take.
const STEPS: u64 = 10_000;

static ENVIRONMENT: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut environment = Environment::new();
    environment.set_fuel(Some(STEPS));
    environment
});

/// A message as a template sees it; the message itself where there is no template, nothing where it has no such value.
pub(super) fn read(template: Option<&str>, message: &str) -> Option<String> {
    let Some(template) = template else { return Some(message.trim().to_owned()) };
    let json: Value = serde_json::from_str(message).unwrap_or_default();
    rendered(template, context! { value => message, value_json => Serde(&json) })
}

/// A value put into a template for a command; the value itself where there is no template.
pub(super) fn write(template: Option<&str>, value: impl serde::Serialize + std::fmt::Display) -> String {
    let Some(template) = template else { return value.to_string() };
    rendered(template, context! { value => Serde(&value) }).unwrap_or_else(|| value.to_string())
}

fn rendered(template: &str, context: minijinja::Value) -> Option<String> {
    let text = ENVIRONMENT.render_str(template, context).ok()?;
    let text = text.trim();
    (!matches!(text, "" | "None" | "none")).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_where_templates_say() {
        let message = r#"{"state": "ON", "deep": {"t": 21.46}, "list": [1]}"#;
        let cases = [
            (Some("{{ value_json.state }}"), Some("ON")),
            (Some("{{ value_json['deep'].t | round(1) }}"), Some("21.5")),
            (Some("{{ value_json.absent }}"), None),
            (Some("{{ value_json.absent.more }}"), None),
            (Some("{% for a in range(9999) %}{% for b in range(9999) %}x{% endfor %}{% endfor %}"), None),
            (Some("{{ broken"), None),
        ];
        for (template, expected) in cases {
            assert_eq!(read(template, message).as_deref(), expected, "{template:?}");
        }
        assert_eq!(read(None, " ON ").as_deref(), Some("ON"));
        assert_eq!(read(Some("{{ value_json.x }}"), "not json"), None);
        assert_eq!(write(Some("{\"set\": {{ value }}}"), 21.5), "{\"set\": 21.5}");
    }
}
