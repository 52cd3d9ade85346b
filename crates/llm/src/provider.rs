//! Who speaks which wire, where they live, and whether they want a key.

use genai::adapter::AdapterKind;

/// The protocol a provider speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wire {
    /// Chat completions, as OpenAI defined them and most others copied.
    OpenAi,
    /// Messages.
    Anthropic,
    /// Whatever `genai` speaks to this one.
    Genai(AdapterKind),
}

/// What is known about a provider without being told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Provider {
    pub(crate) wire: Wire,
    /// Absent where `genai` or only the configuration can know.
    pub(crate) base_url: Option<&'static str>,
    pub(crate) key: Key,
}

/// Whether a call without a key is worth trying at the provider's own address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Key {
    Required,
    Optional,
}

/// The provider of this name; one that nobody knows is taken to be OpenAI-compatible at a configured address.
pub(crate) fn provider(name: &str) -> Provider {
    if let Some((base_url, key)) = openai_compatible(name) {
        return Provider { wire: Wire::OpenAi, base_url: Some(base_url), key };
    }
    match name {
        "anthropic" => {
            Provider { wire: Wire::Anthropic, base_url: Some("https://api.anthropic.com/v1"), key: Key::Required }
        }
        "google" => genai(AdapterKind::Gemini),
        other => match AdapterKind::from_lower_str(other) {
            Some(kind) => genai(kind),
            None => Provider { wire: Wire::OpenAi, base_url: None, key: Key::Optional },
        },
    }
}

fn genai(kind: AdapterKind) -> Provider {
    Provider { wire: Wire::Genai(kind), base_url: None, key: Key::Required }
}

fn openai_compatible(name: &str) -> Option<(&'static str, Key)> {
    Some(match name {
        "openai" => ("https://api.openai.com/v1", Key::Required),
        "openrouter" => ("https://openrouter.ai/api/v1", Key::Required),
        "groq" => ("https://api.groq.com/openai/v1", Key::Required),
        "deepseek" => ("https://api.deepseek.com/v1", Key::Required),
        "mistral" => ("https://api.mistral.ai/v1", Key::Required),
        "xai" => ("https://api.x.ai/v1", Key::Required),
        "together" => ("https://api.together.xyz/v1", Key::Required),
        "fireworks" => ("https://api.fireworks.ai/inference/v1", Key::Required),
        "cerebras" => ("https://api.cerebras.ai/v1", Key::Required),
        "moonshot" => ("https://api.moonshot.ai/v1", Key::Required),
        "ollama" => ("http://localhost:11434/v1", Key::Optional),
        "vllm" => ("http://localhost:8000/v1", Key::Optional),
        "llamacpp" => ("http://localhost:8080/v1", Key::Optional),
        "lmstudio" => ("http://localhost:1234/v1", Key::Optional),
        _ => return None,
    })
}
