//! Beginning: `init`, `doctor`, `config show`.

use crate::program::Project;

#[test]
fn init_writes_a_project_that_works_and_never_overwrites() {
    let project = Project::new();
    insta::assert_snapshot!("init", project.run(&["init"]).whole());
    let config = std::fs::read_to_string(project.path().join("agentwright.toml")).expect("a file");
    assert!(toml::from_str::<agentwright::config::Config>(&config).is_ok());
    let counted = project.run(&["tools", "test", "text.count", "--args", "{\"text\": \"one two\"}"]).fine();
    assert_eq!(counted.out, "\"2\"\n");
    insta::assert_snapshot!("init_again", project.run(&["init"]).whole());
    assert_eq!(std::fs::read_to_string(project.path().join("agentwright.toml")).expect("a file"), config);
}

/// Every commented line of the template is what holds without it, or a key that can be set.
#[test]
fn what_the_template_comments_out_can_be_uncommented() {
    let project = Project::new();
    project.run(&["init"]).fine();
    let config = std::fs::read_to_string(project.path().join("agentwright.toml")).expect("a file");
    let is_setting =
        |line: &str| line.starts_with('[') || line.split_once('=').is_some_and(|(key, _)| !key.trim().contains(' '));
    let uncommented: Vec<&str> =
        config.lines().map(|line| line.strip_prefix("# ").filter(|line| is_setting(line)).unwrap_or(line)).collect();
    project.write("agentwright.toml", &uncommented.join("\n"));
    let shown = project.run(&["config", "show", "--origin"]).fine().out;
    assert!(shown.contains("wall = \"10m\"  # `~/work/agentwright.toml`"), "{shown}");
    assert!(shown.contains("[[approval.rule]]"), "{shown}");
}

#[test]
fn doctor_says_what_is_missing_and_what_to_do() {
    let said = |title: &str, project: Project| {
        let said = project.run(&["doctor"]).whole();
        // How much room this machine has is its own affair.
        let lines = said.lines().filter(|line| !line.contains(" disk "));
        format!("{title}\n{}\n", lines.collect::<Vec<_>>().join("\n"))
    };
    let model = "[models]\ndefault = \"openai:x\"\n[budget.run]\nusd = 1.0\n";
    let transcripts = [
        said("nothing configured", Project::new()),
        said("a key but no model", Project::new().file("agentwright.toml", "").variable("OPENAI_API_KEY", "sk-1")),
        said("a model but no key", Project::new().file("agentwright.toml", model)),
        said(
            "a model without a price",
            Project::new().file("agentwright.toml", model).variable("OPENAI_API_KEY", "sk-1"),
        ),
        said(
            "a broken tool",
            Project::new().file("agentwright.toml", "").file("tools/x.toml", "[[tool]]\nnaem = \"a.b\""),
        ),
        said("a broken file", Project::new().file("agentwright.toml", "[modles]")),
        said("a key in a file", Project::new().file("agentwright.toml", "# sk-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")),
        said(
            "a database that is a directory",
            Project::new().file("agentwright.toml", "[database]\nurl = \"sqlite:dir\"").file("dir/x", ""),
        ),
    ];
    insta::assert_snapshot!(transcripts.join("\n"));
}

#[test]
fn doctor_finds_what_is_wrong_around_the_program_and_says_what_to_do() {
    use std::os::unix::fs::PermissionsExt;
    let address = |listener: &std::net::TcpListener| listener.local_addr().expect("an address");
    let listener = || std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let silent = listener();
    let nowhere = address(&listener());
    let config = format!(
        "[server]\nport = {}\n[telemetry]\nendpoint = \"http://{nowhere}\"\n[models]\ndefault = \"openai:x\"\n\
         [providers.openai]\nbase_url = \"http://{nowhere}/v1\"\n",
        address(&silent).port()
    );
    let project = Project::new()
        .file("agentwright.toml", &config)
        .file(".mcp.json", r#"{"mcpServers": {"gone": {"command": "no-such-program"}}}"#)
        .file(".agentwright/agentwright.db", "")
        .variable("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc");
    let open = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(project.path().join(".agentwright"), open).expect("rights");
    let said = project.run(&["doctor"]).out;
    let findings = [
        format!("something else listens on {}", address(&silent)),
        "stop it, or choose another port with `server.port`".to_owned(),
        format!("http://{nowhere}/v1/traces does not answer: Connection refused"),
        "`grpc` was asked for; spans are sent as `http/protobuf`".to_owned(),
        format!("openai: `http://{nowhere}/v1` does not answer"),
        "gone: there is no program `no-such-program`".to_owned(),
        "hint: install it, or correct".to_owned(),
        "everybody on this machine can read `~/work/.agentwright/agentwright.db`".to_owned(),
        "hint: `chmod 700 ~/work/.agentwright`".to_owned(),
    ];
    for finding in findings {
        assert!(said.contains(&finding), "{finding} is not in\n{said}");
    }
    let beyond = Project::new().file("agentwright.toml", "[server]\nhost = \"0.0.0.0\"\nport = 0\n");
    let said = beyond.run(&["doctor"]);
    assert_eq!(said.code, 3, "{}", said.whole());
    assert!(
        said.out.contains("`server.host` is `0.0.0.0`, which others can reach, and there is no key"),
        "{}",
        said.out
    );
}

#[test]
fn doctor_speaks_json() {
    let json = Project::new().run(&["doctor", "-o", "json"]).json();
    let names: Vec<&str> =
        json["checks"].as_array().expect("a list").iter().filter_map(|check| check["name"].as_str()).collect();
    assert_eq!(names, ["configuration", "models", "database", "disk", "tools", "secrets"]);
    assert!(json["checks"].as_array().expect("a list").iter().all(|check| check["state"] != "fail"));
}

#[test]
fn the_configuration_is_shown_with_its_origins_and_as_json() {
    let project = Project::new()
        .file("agentwright.toml", "[planning]\nmax_replans = 1")
        .variable("AGENTWRIGHT__PLANNING__MAX_TOOLS", "7");
    let json = project.run(&["config", "show", "-o", "json"]).json();
    assert_eq!(
        (&json["config"]["planning"]["max_tools"], &json["config"]["planning"]["max_replans"]),
        (&7.into(), &1.into())
    );
    assert_eq!(json["origins"]["planning.max_tools"], "AGENTWRIGHT__PLANNING__MAX_TOOLS");
    assert_eq!(json["origins"]["planning.max_replans"], "~/work/agentwright.toml");
    assert_eq!(json["origins"]["planning.max_iterations"], "default");
    let elsewhere = project
        .run(&["--config", "agentwright.toml", "--database", "sqlite:other.db", "config", "show", "--origin"])
        .fine();
    assert!(elsewhere.out.contains("url = \"sqlite:~/work/other.db\"  # `--database`"), "{}", elsewhere.out);
}
