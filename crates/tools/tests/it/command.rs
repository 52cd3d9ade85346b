use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use domain::tool::{Tool, ToolError};
use proptest::prelude::{ProptestConfig, any, proptest};
use serde_json::{Value, json};

use crate::language::{call, context, tool};

/// A tool that runs a script, whose parameters are `a` and `b`.
fn script(effect: &str, script: &str, more: &str) -> Arc<dyn Tool> {
    script_within("30s", effect, script, more)
}

fn script_within(timeout: &str, effect: &str, script: &str, more: &str) -> Arc<dyn Tool> {
    let script = toml::Value::from(script);
    tool(&format!(
        r#"
        [[tool]]
        name = "sh.run"
        description = "Runs a script."
        effect = "{effect}"
        timeout = "{timeout}"
        [tool.parameters.a]
        required = false
        [tool.parameters.b]
        required = false
        [tool.command]
        program = "sh"
        args = ["-c", {script}, "--", "{{a}}", ["-b", "{{b}}"]]
        {more}
        "#
    ))
}

async fn reads(text: &str, more: &str) -> Result<Value, ToolError> {
    call(&script("read", text, more), json!({})).await
}

async fn writes(text: &str) -> ToolError {
    call(&script("write", text, ""), json!({})).await.expect_err("no success")
}

/// Whether a process is there and not merely waiting to be taken away.
pub(crate) fn lives(pid: &str) -> bool {
    std::fs::read_to_string(format!("/proc/{}/stat", pid.trim()))
        .is_ok_and(|stat| !stat.rsplit_once(')').is_some_and(|(_, rest)| rest.trim_start().starts_with(['Z', 'X'])))
}

/// Waits until something holds; the system needs a moment to take the dead away.
pub(crate) async fn soon(what: &str, holds: impl Fn() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(10), "{what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

async fn dead(pids: &Path) {
    let pids = std::fs::read_to_string(pids).expect("the children wrote their ids");
    assert!(pids.lines().count() >= 2, "{pids}");
    for pid in pids.lines() {
        soon("a child survived", || !lives(pid)).await;
    }
}

#[tokio::test]
async fn output_is_text_lines_or_json() {
    assert_eq!(reads("echo hello; echo", "").await, Ok(json!("hello\n")));
    assert_eq!(reads("printf 'a\\nb\\n'", "output = \"lines\"").await, Ok(json!(["a", "b"])));
    assert_eq!(reads("echo '{\"n\": 1}'", "output = \"json\"").await, Ok(json!({"n": 1})));
    let error = reads("echo oops", "output = \"json\"").await.expect_err("not json").to_string();
    assert!(error.starts_with("`sh.run`: it wrote something that is not JSON"), "{error}");
}

#[tokio::test]
async fn bytes_that_are_no_text_are_replaced() {
    assert_eq!(reads("printf 'a\\377b'", "").await, Ok(json!("a\u{fffd}b")));
}

#[tokio::test]
async fn optional_arguments_are_left_out_with_what_belongs_to_them() {
    let tool = script("read", "echo $# \"$@\"", "");
    assert_eq!(call(&tool, json!({})).await, Ok(json!("0")));
    assert_eq!(call(&tool, json!({"a": "x", "b": null})).await, Ok(json!("1 x")));
    assert_eq!(call(&tool, json!({"a": "-x", "b": 7})).await, Ok(json!("3 -x -b 7")));
}

#[tokio::test]
async fn an_argument_cannot_become_an_option() {
    let with = |args: &str| {
        tool(&format!(
            "[[tool]]\nname = \"a.b\"\ndescription = \"\"\neffect = \"read\"\n[tool.parameters.x]\n[tool.command]\nprogram = \"echo\"\nargs = {args}"
        ))
    };
    let x = |value: &str| json!({ "x": value });
    let error = call(&with("[\"{x}\"]"), x("--help")).await.expect_err("refused");
    assert_eq!(
        error.to_string(),
        "arguments of `a.b`: `x` must not begin with `-`, because the command would read it as an option"
    );
    assert!(call(&with("[\"{x}{x}\"]"), x("-")).await.is_err());
    assert_eq!(call(&with("[\"--\", \"{x}\"]"), x("-n")).await, Ok(json!("-- -n")));
    assert_eq!(call(&with("[\"x={x}\"]"), x("-n")).await, Ok(json!("x=-n")));
    assert_eq!(call(&with("[\"{x}\"]"), x("$(id); `id` | *")).await, Ok(json!("$(id); `id` | *")));
    let nul = call(&with("[\"{x}\"]"), x("a\0b")).await.expect_err("refused").to_string();
    assert_eq!(nul, "arguments of `a.b`: an argument contains a NUL character, which no command can be given");
    let long = call(&with("[\"{x}\"]"), x(&"x".repeat(1 << 20))).await.expect_err("refused").to_string();
    assert_eq!(long, "arguments of `a.b`: the arguments are too long for a command line");
}

#[tokio::test]
async fn input_is_fed_while_output_is_read_and_need_not_be_read_at_all() {
    let text = "line\n".repeat(100_000);
    let echo = script("read", "cat", "stdin = \"{a}\"\nmax_output = \"1MB\"");
    let cat = call(&echo, json!({"a": text})).await;
    // The text is also an argument here, and too long for one.
    assert!(matches!(cat, Err(ToolError::BadArguments { .. })));
    let both = |program: &str| {
        tool(&format!(
            "[[tool]]\nname = \"a.b\"\ndescription = \"\"\neffect = \"read\"\n[tool.parameters.x]\n[tool.command]\nprogram = \"{program}\"\nstdin = \"{{x}}\"\nmax_output = \"1MB\""
        ))
    };
    assert_eq!(call(&both("cat"), json!({"x": text})).await, Ok(json!(text.trim_end())));
    assert_eq!(call(&both("true"), json!({"x": text})).await, Ok(json!("")));
}

#[tokio::test]
async fn the_environment_is_cleared_but_for_what_the_file_and_the_four_say() {
    let seen = reads("env | cut -d= -f1 | sort", "env = { X = \"${env:SECRET}\" }\noutput = \"lines\"").await;
    let seen = seen.expect("ran");
    let seen: Vec<&str> = seen.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    // Shells add a few of their own.
    let given: Vec<&str> = seen.into_iter().filter(|name| !["PWD", "OLDPWD", "SHLVL", "_"].contains(name)).collect();
    assert_eq!(given, ["LANG", "PATH", "X"]);
    assert_eq!(reads("echo $X", "env = { X = \"${env:SECRET}\" }").await, Ok(json!("s3cret")));
}

#[tokio::test]
async fn a_command_that_fails_says_its_status_and_last_words() {
    let error = reads("echo out; echo 'no such thing' >&2; exit 3", "").await.expect_err("failed");
    assert_eq!(error.to_string(), "`sh.run`: it ended with exit status: 3: no such thing");
    let error = reads("i=0; while [ $i -lt 2000 ]; do echo complaint $i >&2; i=$((i+1)); done; exit 1", "").await;
    let error = error.expect_err("failed").to_string();
    assert!(error.len() < 2200 && error.ends_with("complaint 1999"), "{error}");
    assert!(matches!(writes("exit 3").await, ToolError::Failed { .. }));
    assert!(matches!(writes("kill -9 $$").await, ToolError::InDoubt { .. }));
    assert!(matches!(reads("kill -9 $$", "").await, Err(ToolError::Failed { .. })));
}

#[tokio::test]
async fn a_missing_program_or_directory_is_named() {
    let with = |command: &str| {
        tool(&format!("[[tool]]\nname = \"a.b\"\ndescription = \"\"\neffect = \"write\"\n[tool.command]\n{command}"))
    };
    let error = call(&with("program = \"no-such-program\""), json!({})).await.expect_err("missing");
    assert_eq!(
        error.to_string(),
        "`a.b` is not available: the program `no-such-program` was not found; install it or correct `program`"
    );
    let error = call(&with("program = \"ls\"\ncwd = \"/no/such\""), json!({})).await.expect_err("missing");
    assert_eq!(error.to_string(), "`a.b` is not available: there is no directory `/no/such`");
}

#[tokio::test]
async fn a_flood_is_stopped_at_the_cap() {
    for flood in
        ["yes", "yes >&2", "trap '' TERM PIPE; while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done"]
    {
        let error = reads(flood, "max_output = \"64KB\"").await.expect_err("stopped");
        assert_eq!(error.to_string(), "`sh.run`: it wrote more than 64 KB", "{flood}");
    }
    assert!(matches!(writes("yes").await, ToolError::InDoubt { .. }));
}

#[tokio::test]
async fn a_hanging_command_dies_with_everything_it_started() {
    let folder = tempfile::tempdir().expect("folder");
    let pids = folder.path().join("pids");
    let text = format!(
        "trap '' TERM INT HUP; echo $$ >> {0}; (trap '' TERM HUP; echo $$ > /dev/null; sleep 1000 & echo $! >> {0}; wait) & sleep 1000 & echo $! >> {0}; wait",
        pids.display()
    );
    let slow = script_within("1s", "read", &text, "");
    let error = call(&slow, json!({})).await.expect_err("too slow");
    assert!(matches!(error, ToolError::TimedOut { after, .. } if after == Duration::from_secs(1)), "{error}");
    dead(&pids).await;
    let slow = script_within("100ms", "write", "sleep 1000", "");
    assert!(matches!(call(&slow, json!({})).await, Err(ToolError::InDoubt { .. })));
}

#[tokio::test]
async fn what_a_command_leaves_running_ends_with_it() {
    let folder = tempfile::tempdir().expect("folder");
    let pids = folder.path().join("pids");
    let text = format!("sleep 1000 & echo $! >> {0}; echo $$ >> {0}; echo done", pids.display());
    assert_eq!(reads(&text, "").await, Ok(json!("done")));
    dead(&pids).await;
}

#[tokio::test]
async fn a_call_that_is_dropped_takes_its_processes_along() {
    let folder = tempfile::tempdir().expect("folder");
    let pids = folder.path().join("pids");
    let text = format!("sleep 1000 & echo $! >> {0}; echo $$ >> {0}; wait", pids.display());
    let tool = script("read", &text, "");
    let arguments = json!({});
    let context = context("k");
    let written = || std::fs::read_to_string(&pids).is_ok_and(|text| text.lines().count() == 2);
    tokio::select! {
        _ = tool.call(&arguments, &context) => panic!("it cannot end by itself so soon"),
        () = soon("the children start", written) => {}
    }
    dead(&pids).await;
}

#[tokio::test]
async fn closing_the_output_early_is_not_ending() {
    assert_eq!(reads("echo first; exec >&- 2>&-; sleep 0.1; exit 0", "").await, Ok(json!("first")));
    assert!(reads("exec >&- 2>&-; exit 4", "").await.is_err());
}

#[tokio::test]
async fn a_process_that_leaves_the_group_cannot_hold_the_call_open() {
    let begun = Instant::now();
    assert_eq!(reads("setsid sleep 10 & echo done", "").await, Ok(json!("done")));
    assert!(begun.elapsed() < Duration::from_secs(8));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn a_child_receives_exactly_the_arguments_it_is_given(a in any::<String>(), b in any::<String>()) {
        let (a, b) = (a.replace('\0', ""), b.replace('\0', ""));
        // printf ends each argument with a NUL, which no argument contains.
        let tool = script("read", r#"printf '%s\0' "$@""#, "");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("runtime");
        let arguments = json!({"a": a, "b": b});
        let result = runtime.block_on(tool.call(&arguments, &context("k"))).expect("ran");
        proptest::prop_assert_eq!(result, json!(format!("{a}\0-b\0{b}\0")));
    }
}
