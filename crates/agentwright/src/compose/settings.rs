//! From what is configured to what the runtime is told.

use domain::guideline::{Guideline, Point};
use domain::money::Usd;
use runtime::learning::LearnPolicy;
use runtime::policy::{Action, Rule};
use runtime::{Component, Gate, Reuse, Settings};

use crate::config::{self, Loaded, Verdict};

pub(super) fn settings(loaded: &Loaded) -> Settings {
    let config = &loaded.config;
    let components = config.components.iter().map(|(name, component)| (name.clone(), of_component(component)));
    Settings {
        strategy: config.planning.strategy,
        meta_planning: config.features.meta_planning,
        max_iterations: config.planning.max_iterations.get() as u32,
        max_replans: config.planning.max_replans.get() as u32,
        max_tools: config.planning.max_tools.get() as usize,
        budget: (&config.budget.run).into(),
        validate: config.planning.validate,
        orchestration: config.planning.orchestration,
        questions: config.planning.questions,
        gate: Gate {
            deepen_below: config.gate.deepen_below.get(),
            replan_below: config.gate.replan_below.get(),
            worth: config.gate.worth.get(),
        },
        reuse: Reuse {
            whole: config.library.reuse,
            as_is: config.library.reuse_from.get(),
            adapt: config.library.adapt_from.get(),
            skill_after: config.library.skill_after.get() as u32,
            satisfied_after: config.library.satisfied_after.get(),
        },
        shortlist: config.planning.shortlist.get() as usize,
        learning: learning(loaded),
        tool_prices: config
            .tools
            .prices
            .iter()
            .map(|(tool, price)| (tool.clone(), Usd::dollars(price.get())))
            .collect(),
        weights: config.gate.weights.iter().map(|(name, weight)| (name.clone(), weight.get())).collect(),
        guidelines: guidelines(loaded),
        rules: config.approval.rule.iter().map(rule).collect(),
        propose: config.approval.plans,
        patience: Some(config.approval.expires.get()),
        components: components.collect(),
        ..Settings::default()
    }
}

/// How learning is done.
pub(super) fn learning(loaded: &Loaded) -> LearnPolicy {
    let learning = &loaded.config.learning;
    LearnPolicy {
        min_traces: learning.min_traces.get(),
        confidence: learning.confidence.get(),
        auto_update: learning.auto_update,
        reword: learning.reword,
        minimum_effect: learning.minimum_effect.get(),
        false_discoveries: learning.false_discoveries.get(),
        share: learning.share.get(),
        at_once: learning.at_once.get() as usize,
        tokens: learning.tokens.get() as usize,
    }
}

/// What the configuration and the project's `AGENTS.md` say to heed, in that order.
fn guidelines(loaded: &Loaded) -> Vec<Guideline> {
    let said = |source: &str, text: &str| Point::said(source, text.trim());
    let configured: Vec<Point> =
        loaded.config.planning.guidelines.iter().map(|text| said("planning.guidelines", text)).collect();
    let project: Vec<Point> = loaded.project_notes().iter().map(|text| said("AGENTS.md", text)).collect();
    let versions = [("configured", configured), ("project", project)];
    let spoken = versions.into_iter().filter(|(_, points)| !points.is_empty());
    spoken.map(|(version, points)| Guideline::new("all", version, points)).collect()
}

fn of_component(component: &config::Component) -> Component {
    Component {
        tier: component.tier,
        model: component.model.as_ref().map(ToString::to_string),
        temperature: component.temperature.map(config::Temperature::get),
        max_tokens: component.max_tokens.map(|tokens| tokens.get() as u32),
        disabled: !component.enabled,
    }
}

fn rule(rule: &config::Rule) -> Rule {
    let action = match rule.action {
        Verdict::Allow => Action::Allow,
        Verdict::Ask => Action::Ask,
        Verdict::Deny => Action::Deny,
    };
    Rule { tool: rule.tool.to_string(), when: rule.when.clone(), action }
}
