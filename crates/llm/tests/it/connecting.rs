//! From a name in the configuration to a model.

use llm::{ApiKey, Http, ModelConfig, ModelName, connect};

use crate::asks::hello;

fn named(text: &str) -> (String, String) {
    let name: ModelName = text.parse().expect("a model name");
    (name.provider().to_owned(), name.model().to_owned())
}

fn refused(config: &ModelConfig) -> String {
    match connect(config, &Http::new().expect("a client")) {
        Ok(model) => format!("connected to {}", model.name()),
        Err(error) => error.to_string(),
    }
}

fn config(name: &str) -> ModelConfig {
    ModelConfig::new(name.parse().expect("a model name"))
}

#[test]
fn the_first_separator_divides_provider_and_model() {
    let pair = |provider: &str, model: &str| (provider.to_owned(), model.to_owned());
    assert_eq!(named("ollama:qwen3:4b"), pair("ollama", "qwen3:4b"));
    assert_eq!(named("openrouter/meta/llama:free"), pair("openrouter", "meta/llama:free"));
    assert_eq!(named("OpenAI:gpt"), pair("openai", "gpt"));
    assert_eq!(named("openrouter/meta/llama").0, "openrouter");
    for bad in ["gpt", ":gpt", "openai:", ""] {
        let error = bad.parse::<ModelName>().expect_err("no model");
        assert_eq!(
            error.to_string(),
            format!("`{bad}` is not a model: write `provider:model`, as in `ollama:qwen3:4b`")
        );
    }
}

#[test]
fn what_is_missing_is_named_before_anything_is_asked() {
    assert_eq!(refused(&config("openai:gpt")), "provider `openai` needs an API key");
    assert_eq!(refused(&config("gemini:flash")), "provider `gemini` needs an API key");
    assert_eq!(refused(&config("nobody:x")), "no address is known for provider `nobody`: set its base URL");
    assert_eq!(refused(&config("ollama:qwen3:4b")), "connected to ollama:qwen3:4b");
    let paid = |name: &str| ModelConfig { api_key: Some(ApiKey::new("k")), ..config(name) };
    assert_eq!(refused(&paid("cohere:command")), "connected to cohere:command");
    assert_eq!(refused(&paid("vertex:gemini")), "no address is known for provider `vertex`: set its base URL");
    let elsewhere = |url: &str| ModelConfig { base_url: Some(url.to_owned()), ..config("nobody:x") };
    assert_eq!(refused(&elsewhere("http://localhost:9/v1/")), "connected to nobody:x");
    assert_eq!(refused(&elsewhere("localhost:9")), "`localhost:9` is not a URL that can be asked");
    let key = |key: &str| ModelConfig { api_key: Some(ApiKey::new(key)), ..config("openai:gpt") };
    assert_eq!(refused(&key("  sk-1\n")), "connected to openai:gpt");
    assert_eq!(refused(&key("sk-\n1")), "the API key of `openai` contains characters that cannot be sent");
}

#[test]
fn a_key_does_not_show_itself() {
    let config = ModelConfig { api_key: Some(ApiKey::new("sk-secret")), ..config("openai:gpt") };
    assert!(!format!("{config:?}").contains("secret"));
}

#[tokio::test]
async fn scripts_and_recordings_are_models_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("script.toml");
    std::fs::write(&script, "[[steps]]\ntext = \"Hi\"\n").expect("written");
    let name = format!("scripted:{}", script.display());
    let model = connect(&config(&name), &Http::new().expect("a client")).expect("a model");
    assert_eq!((model.name(), model.reply(&hello()).await.expect("a reply").text.as_str()), (name.as_str(), "Hi"));
    assert_eq!(refused(&config("scripted:/nowhere")), "script cannot be played");
    assert_eq!(refused(&config("recorded:/nowhere")), "recording cannot be played");
}
