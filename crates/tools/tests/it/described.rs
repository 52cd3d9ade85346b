use domain::tool::{Effect, Repeat};
use serde_json::json;

use crate::language::{env, load, tool};

const GET: &str = r#"
[[tool]]
name = "weather.current"
description = "Tells the weather."
effect = "read"
"#;

fn refused(text: &str) -> String {
    load(text).err().expect("refused")
}

#[test]
fn a_file_becomes_a_declaration() {
    let tool = tool(
        r#"
        [[tool]]
        name = "mail.send"
        description = "Sends mail."
        effect = "write"
        repeat = "same_key"
        reversible = false
        targets = ["to"]
        timeout = "1m 30s"
        returns = { type = "object" }
        [tool.parameters.to]
        type = "string"
        description = "Whom."
        [tool.parameters.subject]
        type = "string"
        required = false
        [tool.parameters.format]
        enum = ["text", "html"]
        default = "text"
        [tool.http]
        method = "post"
        url = "https://mail.example/send"
        body = { to = "{to}", subject = "{subject}", format = "{format}" }
        "#,
    );
    let spec = tool.spec();
    assert_eq!(spec.timeout, Some(std::time::Duration::from_secs(90)));
    assert_eq!(
        spec.effect,
        Effect::Write { reversible: false, repeat: Repeat::SameKey, external: true, targets: vec!["to".into()] }
    );
    assert_eq!(spec.returns, Some(json!({"type": "object"})));
    assert_eq!(
        spec.parameters,
        json!({"type": "object", "additionalProperties": false, "required": ["to"], "properties": {
            "to": {"type": "string", "description": "Whom."},
            "subject": {"type": "string"},
            "format": {"enum": ["text", "html"], "default": "text"},
        }})
    );
}

#[test]
fn what_is_wrong_with_a_file_is_said_with_what_was_probably_meant() {
    let cases = [
        "tols = 1".to_owned(),
        "[[tool]]\nnam = \"a.b\"".to_owned(),
        "[[tool]]\nname = \"weather\"\ndescription = \"\"\neffect = \"read\"".to_owned(),
        "[[tool]]\nname = \"a.b\"\ndescription = \"\"\neffect = \"reads\"".to_owned(),
        "[[tool]]\nname = ".to_owned(),
        GET.to_owned(),
        format!("{GET}[tool.http]\nurl = \"https://a.example\"\nheader = {{}}"),
        format!("{GET}[tool.http]\nurl = \"ftp://a.example\""),
        format!("{GET}[tool.http]\nurl = \"a.example/x\""),
        format!("{GET}[tool.http]\nurl = \"https://{{host}}/x\"\n[tool.parameters.host]\ntype = \"string\""),
        format!("{GET}[tool.http]\nurl = \"https://a.example{{host}}/x\"\n[tool.parameters.host]\ntype = \"string\""),
        format!("{GET}[tool.http]\nurl = \"https://a.example/{{cty}}\"\n[tool.parameters.city]\ntype = \"string\""),
        format!("{GET}[tool.http]\nurl = \"https://a.example/{{city}}\"\n[tool.parameters.city]\nrequired = false"),
        format!("{GET}[tool.http]\nurl = \"https://a.example\"\nmethod = \"FETCH\""),
        format!("{GET}[tool.http]\nurl = \"https://a.example\"\nresult = \"current\""),
        format!("{GET}[tool.http]\nurl = \"https://a.example\"\nheaders = {{ \"a b\" = \"\" }}"),
        format!("{GET}[tool.http]\nurl = \"https://a.example\"\nheaders = {{ key = \"${{env:NOPE}}\" }}"),
        format!("{GET}[tool.http]\nurl = \"https://a.example\"\n[tool.parameters.city]\ntipe = \"string\""),
        format!("{GET}[tool.http]\nurl = \"https://a.example\"\n[tool.parameters.city]\ntype = \"sting\""),
        format!("{GET}timeout = \"soon\"\n[tool.http]\nurl = \"https://a.example\""),
        format!("{GET}external = true\n[tool.http]\nurl = \"https://a.example\""),
        format!("{GET}[tool.http]\nurl = \"https://a.example\"\n[tool.command]\nprogram = \"ls\""),
        format!("{GET}[tool.command]\nprogram = \"{{x}}\"\n[tool.parameters.x]\ntype = \"string\""),
        format!("{GET}[tool.command]\nprogram = \"ls\"\nmax_output = \"lots\""),
        format!("{GET}[tool.command]\nprogram = \"ls\"\nargs = [1]"),
    ];
    let write = GET.replace("\"read\"", "\"write\"");
    let writes = [
        format!("{write}targets = [\"to\"]\n[tool.http]\nurl = \"https://a.example\""),
        format!("{write}repeat = \"read_back\"\n[tool.http]\nurl = \"https://a.example\""),
        format!(
            "{write}[tool.http]\nurl = \"https://a.example\"\n[tool.read_back]\nurl = \"https://a.example/{{key}}\""
        ),
        format!(
            "{write}repeat = \"read_back\"\n[tool.http]\nurl = \"https://a.example\"\n[tool.read_back]\nurl = \"https://a.example/x\""
        ),
        format!("{write}repeat = \"same_key\"\n[tool.command]\nprogram = \"ls\""),
        format!("{write}repeat = \"read_back\"\n[tool.command]\nprogram = \"ls\""),
    ];
    let said: Vec<String> = cases.iter().chain(&writes).map(|case| refused(case)).collect();
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn a_directory_is_read_in_the_order_of_its_files() {
    let folder = tempfile::tempdir().expect("folder");
    for name in ["b", "a"] {
        let text =
            format!("{}[tool.command]\nprogram = \"true\"\n", GET.replace("weather.current", &format!("x.{name}")));
        std::fs::write(folder.path().join(format!("{name}.toml")), text).expect("written");
    }
    std::fs::write(folder.path().join("notes.md"), "not a tool").expect("written");
    let client = tools::client().expect("client");
    let tools = tools::load(folder.path(), &client, &env).expect("valid");
    assert_eq!(tools.iter().map(|tool| tool.spec().name.as_str()).collect::<Vec<_>>(), ["x.a", "x.b"]);
    let missing = tools::load(&folder.path().join("none.toml"), &client, &env).err().expect("missing");
    assert!(missing.to_string().ends_with("none.toml cannot be read"));
}

#[test]
fn the_examples_of_the_documentation_are_valid() {
    let docs = include_str!("../../../../docs/tools.md");
    let examples: Vec<&str> = docs.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(examples.len() >= 2);
    for example in examples {
        let example =
            example.replace("${env:WEATHER_KEY}", "${env:SECRET}").replace("${env:MAIL_KEY}", "${env:SECRET}");
        assert!(load(&example).is_ok(), "{}: {example}", refused(&example));
    }
}
