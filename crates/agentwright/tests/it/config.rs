//! What the layers of a configuration come to.

use std::path::Path;

use agentwright::config::{self, Database, Flags, Loaded, Surroundings};
use domain::chat::Tier;
use domain::plan::Strategy;

/// A project with a file, a user with a file, and an environment.
#[derive(Default)]
struct Scene {
    project: &'static str,
    user: &'static str,
    variables: &'static [(&'static str, &'static str)],
    flags: Flags,
}

impl Scene {
    fn load(&self) -> Result<Loaded, String> {
        let home = tempfile::tempdir().expect("a directory");
        let file = |name: &str, text: &str| {
            let path = home.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
            if !text.is_empty() {
                std::fs::write(path, text).expect("a file");
            }
        };
        file("work/agentwright.toml", self.project);
        file(".config/agentwright/config.toml", self.user);
        std::fs::create_dir_all(home.path().join("work/deep/down")).expect("a directory");
        let variables = self.variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let variables = variables.chain([("HOME".to_owned(), home.path().display().to_string())]);
        let surroundings = Surroundings::new(home.path().join("work/deep/down"), variables);
        let loaded = config::load(surroundings, &self.flags);
        loaded.map_err(|error| error.to_string().replace(&home.path().display().to_string(), "~"))
    }
}

fn refused(project: &'static str) -> String {
    Scene { project, ..Scene::default() }.load().expect_err("not a configuration")
}

#[test]
fn each_layer_lies_over_the_one_before() {
    let user = "[planning]\nmax_iterations = 2\nmax_replans = 2\nmax_tools = 2\n[gate]\ndeepen_below = 0.5";
    let project = "[planning]\nmax_iterations = 3\nmax_replans = 3";
    let variables = &[("AGENTWRIGHT__PLANNING__MAX_ITERATIONS", "4"), ("AGENTWRIGHT__MODELS__WEAK", "ollama:qwen3:4b")];
    let loaded = Scene { project, user, variables, ..Scene::default() }.load().expect("valid");
    let planning = &loaded.config.planning;
    assert_eq!([planning.max_iterations.get(), planning.max_replans.get(), planning.max_tools.get()], [4, 3, 2]);
    assert_eq!(loaded.config.gate.deepen_below.get(), 0.5);
    assert_eq!(loaded.config.models.of_tier(Tier::Strong).map(ToString::to_string), Some("ollama:qwen3:4b".into()));
    assert_eq!(loaded.origin(&["planning", "max_iterations"]), "`AGENTWRIGHT__PLANNING__MAX_ITERATIONS`");
    assert!(loaded.origin(&["planning", "max_replans"]).ends_with("work/agentwright.toml`"));
    assert!(loaded.origin(&["planning", "max_tools"]).ends_with("agentwright/config.toml`"));
}

#[test]
fn with_nothing_configured_the_defaults_hold() {
    let loaded = Scene::default().load().expect("valid");
    assert_eq!(loaded.config, config::Config::default());
    assert_eq!(loaded.config.planning.strategy, Strategy::SingleAgent);
    assert!(loaded.tool_paths().is_empty());
    assert!(
        matches!(&loaded.database, Database::Sqlite(path) if path.ends_with(".local/share/agentwright/agentwright.db"))
    );
}

#[test]
fn the_database_is_the_projects_own_unless_somebody_says_otherwise() {
    let of = |scene: Scene| scene.load().map(|loaded| loaded.database).expect("valid");
    let path = |database: Database| match database {
        Database::Sqlite(path) => path.display().to_string(),
        Database::Postgres(url) => url,
    };
    let project = "[features]\nmeta_planning = false";
    assert!(path(of(Scene { project, ..Scene::default() })).ends_with("work/.agentwright/agentwright.db"));
    let named = "[database]\nurl = \"sqlite:data/x.db\"";
    assert!(path(of(Scene { project: named, ..Scene::default() })).ends_with("work/data/x.db"));
    let variables = &[("DATABASE_URL", "postgres://u:p@db/app")];
    assert_eq!(path(of(Scene { project: named, variables, ..Scene::default() })), "postgres://u:p@db/app");
    let flags = Flags { database: Some("sqlite:here.db".into()), ..Flags::default() };
    assert!(
        path(of(Scene { project: named, variables, flags, ..Scene::default() })).ends_with("work/deep/down/here.db")
    );
}

#[test]
fn an_unknown_key_is_named_with_its_file_and_the_nearest_known_key() {
    assert_eq!(
        refused("[planning]\nstratgy = \"cohort\""),
        "`~/work/agentwright.toml` has the unknown key `planning.stratgy`; the nearest known key is `planning.strategy`"
    );
    assert_eq!(
        refused("[plannning]\nstrategy = \"cohort\""),
        "`~/work/agentwright.toml` has the unknown key `plannning`; the nearest known key is `planning`"
    );
    assert_eq!(
        refused("[providers.openai]\napi_key = \"sk-1\""),
        "`~/work/agentwright.toml` has the unknown key `providers.openai.api_key`; the nearest known key is `providers.openai.api_key_env`"
    );
    assert_eq!(
        refused("[components.planer]\ntier = \"weak\""),
        "`components.planer` in `~/work/agentwright.toml`: there is no such component; the nearest is `planner`"
    );
    let variables = &[("AGENTWRIGHT__BUDGET__RUN__USDD", "1")];
    assert_eq!(
        Scene { variables, ..Scene::default() }.load().expect_err("unknown"),
        "`AGENTWRIGHT__BUDGET__RUN__USDD` has the unknown key `budget.run.usdd`; the nearest known key is `budget.run.usd`"
    );
}

#[test]
fn a_value_out_of_range_is_named_with_its_key() {
    let cases = [
        (
            "[planning]\nmax_iterations = 51",
            "`planning.max_iterations` in `~/work/agentwright.toml`: 51 is not from 1 to 50",
        ),
        (
            "[planning]\nmax_iterations = \"ten\"",
            "`planning.max_iterations` in `~/work/agentwright.toml`: the text `ten` is not a whole number",
        ),
        (
            "[planning]\nstrategy = \"cohrt\"",
            "`planning.strategy` in `~/work/agentwright.toml`: `cohrt` is not one of `task_graph`, `single_agent`, `cohort`",
        ),
        ("[gate]\ndeepen_below = 1.5", "`gate.deepen_below` in `~/work/agentwright.toml`: 1.5 is not from 0 to 1"),
        (
            "[gate]\nreplan_below = 0.9",
            "`gate.replan_below` in `~/work/agentwright.toml`: it is above `gate.deepen_below`, which is 0.6",
        ),
        ("[library]\nreuse_from = 2", "`library.reuse_from` in `~/work/agentwright.toml`: 2 is not from 0 to 1"),
        (
            "[library]\nreuse_from = 0.5",
            "`library.adapt_from` in `~/work/agentwright.toml`: it is above `library.reuse_from`, which is 0.5",
        ),
        ("[planning]\nshortlist = 0", "`planning.shortlist` in `~/work/agentwright.toml`: 0 is not from 1 to 1000"),
        ("[budget.run]\nwall = 60", "`budget.run.wall` in `~/work/agentwright.toml`: 60 is not a text"),
        (
            "[budget.run]\nwall = \"soon\"",
            "`budget.run.wall` in `~/work/agentwright.toml`: `soon` is not a duration; write `60s`, `500ms`, `2m` or `7d`",
        ),
        ("[budget.run]\ntokens = 0", "`budget.run.tokens` in `~/work/agentwright.toml`: 0 is less than 1"),
        (
            "[models]\ndefault = \"gpt-x\"",
            "`models.default` in `~/work/agentwright.toml`: `gpt-x` is not a model; write `provider:model`",
        ),
        (
            "[components.agent]\ntemperature = 3",
            "`components.agent.temperature` in `~/work/agentwright.toml`: 3 is not from 0 to 2",
        ),
        (
            "[components.agent]\ntier = \"weak\"\nmodel = \"a:b\"",
            "`components.agent.model` in `~/work/agentwright.toml`: choose either `tier` or `model`",
        ),
        (
            "[models.price.\"a:b\"]\ninput = -1\noutput = 1",
            "`models.price.a:b.input` in `~/work/agentwright.toml`: -1 is not from 0 to 1000000",
        ),
        ("[models.price.\"a:b\"]\ninput = 1", "`models.price.a:b` in `~/work/agentwright.toml`: `output` is missing"),
        (
            "[features]\nmeta_planning = \"yes\"",
            "`features.meta_planning` in `~/work/agentwright.toml`: the text `yes` is not `true` or `false`",
        ),
        (
            "[[approval.rule]]\ntool = \"calendar\"\naction = \"ask\"",
            "`approval.rule.0.tool` in `~/work/agentwright.toml`: `calendar` is not a pattern for tools; write `calendar.add`, `calendar.*` or `*`",
        ),
        (
            "[[approval.rule]]\nwhen = \"efect == 'write'\"\naction = \"ask\"",
            "`approval.rule.0.when` in `~/work/agentwright.toml`: `efect` is unknown; the nearest is `effect`, and known are `tool`, `domain`, `effect`, `external`, `reversible`, `arguments`, `role`, `confidence`, `cost`, `strategy`, `agents`, `new_agents`",
        ),
        (
            "[approval]\nplans = \"some\"",
            "`approval.plans` in `~/work/agentwright.toml`: `some` is not one of `rules`, `teams`, `always`",
        ),
        (
            "[[approval.rule]]\ntool = \"calendar.*\"\naction = \"perhaps\"",
            "`approval.rule.0.action` in `~/work/agentwright.toml`: `perhaps` is not one of `allow`, `ask`, `deny`",
        ),
        (
            "[notifications]\nwebhook = \"example.org\"",
            "`notifications.webhook` in `~/work/agentwright.toml`: it is not a URL that begins with `http://` or `https://`",
        ),
        (
            "[database]\nurl = \"mysql://x\"",
            "`database.url` in `~/work/agentwright.toml`: `mysql://x` is not a database; write `sqlite:PATH` or `postgres://…`",
        ),
        ("models = 3", "`models` in `~/work/agentwright.toml`: 3 is not a table"),
        ("[models", "`~/work/agentwright.toml` is not TOML"),
    ];
    for (project, words) in cases {
        assert_eq!(refused(project), words);
    }
}

#[test]
fn the_example_of_the_documentation_is_a_configuration() {
    let project = r#"
        [models]
        weak = "ollama:qwen3:4b"
        default = "openai:gpt-x"
        strong = "anthropic/claude-x"
        price."openai:gpt-x" = { input = 2.5, output = 10 }
        [fast_path]
        enabled = true
        accept = 0.95
        plan_below = 0.70
        alpha = 0.01
        delta = 0.05
        [budget.run]
        usd = 0.50
        tokens = 200000
        tool_calls = 40
        wall = "60s"
        on_exceed = "ask"
        [learning]
        interval = "1h"
        min_traces = 10
        confidence = 0.7
        auto_update = false
        [[approval.rule]]
        tool = "calendar.*"
        when = "effect == 'write'"
        action = "ask"
    "#;
    let loaded = Scene { project, ..Scene::default() }.load().expect("valid");
    let budget = domain::budget::Budget::from(&loaded.config.budget.run);
    assert_eq!((budget.usd.map(|usd| usd.as_dollars()), budget.wall.map(|wall| wall.as_secs())), (Some(0.5), Some(60)));
    insta::assert_snapshot!(normal(&loaded.shown().toml_with_origins(), &loaded));
}

#[test]
fn what_is_shown_can_be_read_again_and_hides_secrets() {
    let project = "[database]\nurl = \"postgres://me:hunter2@db/app\"\n[notifications]\nwebhook = \"https://hooks.example.org/T/hunter2\"";
    let loaded = Scene { project, ..Scene::default() }.load().expect("valid");
    let shown = loaded.shown().toml();
    assert!(!shown.contains("hunter2") && !loaded.shown().json().to_string().contains("hunter2"), "{shown}");
    assert!(shown.contains("postgres://me:***@db/app"));
    let again: config::Config = toml::from_str(&shown).expect("a configuration");
    assert_eq!(again.planning, loaded.config.planning);
}

#[test]
fn a_key_is_found_where_everybody_keeps_it_or_where_the_file_says() {
    let variables =
        &[("OPENAI_API_KEY", "sk-1"), ("OTHER", "sk-2"), ("OLLAMA_HOST", "0.0.0.0"), ("ANTHROPIC_API_KEY", "")];
    let project = "[providers.mine]\nbase_url = \"http://box:8000/v1\"\napi_key_env = \"OTHER\"";
    let loaded = Scene { project, variables, ..Scene::default() }.load().expect("valid");
    let key = |provider: &str| loaded.access(provider).key.map(|key| key.expose().to_owned());
    assert_eq!(
        [key("openai"), key("mine"), key("anthropic"), key("ollama")],
        [Some("sk-1".into()), Some("sk-2".into()), None, None]
    );
    assert_eq!(loaded.access("ollama").base_url.as_deref(), Some("http://127.0.0.1:11434/v1"));
    assert_eq!(loaded.access("mine").base_url.as_deref(), Some("http://box:8000/v1"));
    let trouble = |model: &str| loaded.trouble_with(&model.parse().expect("a model"));
    assert_eq!(trouble("anthropic:x"), Some("`ANTHROPIC_API_KEY` is not set".into()));
    assert_eq!((trouble("openai:x"), trouble("ollama:x")), (None, None));
    assert!(loaded.lines_for_a_model()[0].starts_with("`OPENAI_API_KEY` is set; add these lines to"));
}

fn normal(text: &str, loaded: &Loaded) -> String {
    let home = loaded.project_file().and_then(Path::parent).and_then(Path::parent).expect("a home");
    text.replace(&home.display().to_string(), "~")
}
