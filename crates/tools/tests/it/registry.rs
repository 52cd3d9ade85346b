use std::sync::Arc;

use domain::id::ToolName;
use domain::tool::{Effect, Tool, ToolError};
use serde_json::json;
use tools::{Filter, Registry};

use crate::language::{echo, registry, spec};

fn names(names: &[&str]) -> Vec<ToolName> {
    names.iter().map(|name| name.parse().expect("tool name")).collect()
}

fn refused(tools: Vec<Arc<dyn Tool>>) -> String {
    Registry::new(tools).expect_err("refused").to_string()
}

fn resolved(registry: &Registry, text: &str, among: Option<&[ToolName]>) -> Result<String, ToolError> {
    registry.resolve(text, among).map(|tool| tool.spec().name.to_string())
}

#[test]
fn two_tools_of_one_name_are_an_error_that_names_both() {
    let mut other = spec("weather.current");
    other.description = "Looks out of the window.".into();
    assert_eq!(
        refused(vec![echo(spec("weather.current")), echo(other)]),
        "two tools are called `weather.current`: \"Does weather.current.\" and \"Looks out of the window.\""
    );
}

#[test]
fn two_tools_that_models_could_not_tell_apart_are_an_error() {
    assert_eq!(
        refused(vec![echo(spec("a_.b")), echo(spec("a._b"))]),
        "`a_.b` and `a._b` are both called `a___b` in requests to models"
    );
}

#[test]
fn a_declaration_that_is_no_object_schema_is_refused() {
    for parameters in [
        json!(null),
        json!({}),
        json!([]),
        json!({"type": "string"}),
        json!({"type": "object", "properties": {"a": {"type": "sting"}}}),
        json!({"type": "object", "required": "a"}),
        json!({"type": "object", "properties": {"a": {"$ref": "https://example.org/schema.json"}}}),
        json!({"type": "object", "properties": {"a": {"$ref": "file:///etc/passwd"}}}),
    ] {
        let mut wrong = spec("a.b");
        wrong.parameters = parameters.clone();
        let error = refused(vec![echo(wrong)]);
        assert!(
            error.starts_with("the declaration of `a.b` is wrong: the schema of the parameters"),
            "{parameters}: {error}"
        );
    }
}

#[test]
fn tools_are_got_one_by_one_many_by_domain_and_all() {
    let registry = registry(&["b.x", "a.y", "a.x"]);
    let list = |filter| registry.tools(filter).map(|tool| tool.spec().name.to_string()).collect::<Vec<_>>();
    assert!(registry.get(&names(&["a.x"])[0]).is_some());
    assert!(registry.get(&names(&["a.z"])[0]).is_none());
    assert_eq!(list(Filter::All), ["a.x", "a.y", "b.x"]);
    assert_eq!(list(Filter::Domain("a")), ["a.x", "a.y"]);
    assert_eq!(list(Filter::Named(&names(&["b.x", "c.c"]))), ["b.x"]);
    assert_eq!(registry.many(&names(&["b.x", "a.x"])).expect("there").len(), 2);
    let error = registry.many(&names(&["b.x", "a.xx"])).err().expect("not there").to_string();
    assert_eq!(error, "there is no tool `a.xx`; the nearest are `a.x`, `a.y`");
}

#[test]
fn a_tool_is_found_by_name_wire_name_and_unambiguous_short_name() {
    let registry = registry(&["weather.current", "news.current", "search.web"]);
    for text in ["search.web", "search__web", "web", " search.web "] {
        assert_eq!(resolved(&registry, text, None), Ok("search.web".into()), "{text}");
    }
    assert_eq!(
        resolved(&registry, "current", None),
        Err(ToolError::Unknown {
            name: "current".into(),
            nearest: vec!["news.current".into(), "weather.current".into()]
        })
    );
    assert_eq!(resolved(&registry, "current", Some(&names(&["news.current"]))), Ok("news.current".into()));
}

#[test]
fn a_tool_that_is_not_allowed_is_neither_found_nor_suggested() {
    let registry = registry(&["weather.current", "weather.forecast"]);
    let among = names(&["weather.forecast"]);
    assert!(matches!(resolved(&registry, "weather.current", Some(&among)), Err(ToolError::Denied { .. })));
    assert!(matches!(resolved(&registry, "weather__current", Some(&among)), Err(ToolError::Denied { .. })));
    assert_eq!(
        resolved(&registry, "weather.curent", Some(&among)),
        Err(ToolError::Unknown { name: "weather.curent".into(), nearest: vec!["weather.forecast".into()] })
    );
}

#[test]
fn an_unknown_tool_is_an_error_with_the_nearest_names() {
    let registry = registry(&["weather.current", "weather.forecast", "memory.recall", "timer.set"]);
    let words = |text: &str| resolved(&registry, text, None).expect_err("unknown").to_string();
    insta::assert_snapshot!(
        ["wether.current", "weather.now", "recal", "launch.rocket", "", "weather current"].map(words).join("\n")
    );
}

#[test]
fn the_planner_reads_counts_parameters_and_effects() {
    let mut current = spec("weather.current");
    current.description = "Tells the weather\n   in a city.".into();
    current.parameters = json!({"type": "object", "required": ["city"], "properties": {
        "city": {"type": "string"}, "days": {"type": "integer"}, "unit": {"enum": ["c", "f"]},
        "tags": {"type": "array", "items": {"type": "string"}}, "near": {"type": ["string", "null"]},
        "size": {"anyOf": [{"type": "number"}, {"type": "string"}]}, "extra": {},
    }});
    let mut send = spec("mail.send");
    send.description = "word ".repeat(100);
    send.effect = Effect::Write { reversible: false, repeat: Default::default(), external: true, targets: vec![] };
    let mut post = spec("web.post");
    post.effect = Effect::Egress;
    let registry = Registry::new(vec![echo(current), echo(send), echo(post), echo(spec("weather.sea"))]).expect("fine");
    insta::assert_snapshot!(registry.listing(Filter::All));
    insta::assert_debug_snapshot!(registry.summary());
}

#[test]
fn a_listing_is_never_longer_than_its_cap() {
    let tools = (0..2000).map(|n| {
        let mut spec = spec(&format!("domain{}.tool_number_{n}", n % 7));
        spec.description = "Really useful. ".repeat(40);
        echo(spec)
    });
    let registry = Registry::new(tools.collect()).expect("fine");
    let listing = registry.listing(Filter::All);
    assert!(listing.len() <= 24_500, "{}", listing.len());
    assert!(listing.starts_with("2000 tools in 7 domains."));
    assert!(listing.trim_end().ends_with("more."), "{}", &listing[listing.len() - 200..]);
}
