//! Tools exist and are the ones that were planned with; their arguments are complete, typed and filled in.

use domain::finding::{Code, Finding};
use domain::hash::Hash;
use domain::id::ToolName;
use domain::plan::Action;
use domain::reference::{Mention, Segment};
use domain::tool::{ToolError, ToolSpec, Toolbox};

use super::Given;
use super::ground::{Ground, Site};
use super::schema::{self, Kinds, Look};

pub(super) fn check(ground: &Ground<'_>, given: &Given<'_>, findings: &mut Vec<Finding>) {
    for site in &ground.sites {
        let Some((tool, arguments)) = site.call else { continue };
        let Some(spec) = ground.spec(tool) else {
            findings.push(site.finding(Code::UnknownTool, &unknown(ground.toolbox, tool)));
            continue;
        };
        match ground.toolbox.check_draft(tool, arguments) {
            Ok(()) => {}
            Err(ToolError::BadArguments { problems, .. }) => {
                findings.extend(problems.iter().map(|problem| {
                    let (code, says) = told(spec, problem);
                    site.finding(code, &says)
                }));
            }
            Err(error) => findings.push(site.finding(Code::OutOfRange, &error.to_string())),
        }
        findings.extend(site.mentions.iter().filter_map(|mention| mistyped(ground, site, spec, mention)));
    }
    for step in ground.plan.steps() {
        for action in std::iter::once(&step.action).chain(&step.alternatives) {
            let Action::Agent(task) = action else { continue };
            for tool in task.tools.iter().filter(|tool| ground.spec(tool).is_none()) {
                let says = unknown(ground.toolbox, tool);
                findings.push(Finding::new(Code::UnknownTool, Some(step.id.as_str()), says));
            }
        }
    }
    for tool in given.configuration.iter().flat_map(|configuration| &configuration.tool_names) {
        if ground.spec(tool).is_none() {
            findings.push(Finding::new(Code::UnknownTool, None, unknown(ground.toolbox, tool)));
        }
    }
    for tool in &ground.reachable {
        findings.extend(beyond(ground, tool).map(|says| Finding::new(Code::UnknownTool, None, says)));
    }
    for tool in ground.reachable.iter().filter(|_| given.pins.is_some_and(|pins| !pins.is_empty())) {
        let pinned = given.pins.and_then(|pins| pins.get(tool));
        if let Some((pin, spec)) = pinned.zip(ground.spec(tool))
            && Hash::of_json(spec) != *pin
        {
            let says = format!("the declaration of `{tool}` has changed since it was planned with; plan again");
            findings.push(Finding::new(Code::ChangedTool, None, says));
        }
    }
}

/// What keeps an agent among the tools from doing its work: tools that are gone, or that the plan does not name.
fn beyond(ground: &Ground<'_>, agent: &ToolName) -> Option<String> {
    ground.toolbox.agent(agent)?.tools.iter().find_map(|tool| {
        if tool == agent {
            return Some(format!("the agent `{agent}` has itself among its tools; agents cannot call themselves"));
        }
        if ground.toolbox.tool(tool).is_none() {
            return Some(format!("the agent `{agent}` needs `{tool}`, which is not there any more"));
        }
        let unnamed = !ground.reachable.contains(tool);
        unnamed.then(|| format!("the agent `{agent}` uses `{tool}`; name it among the tools of the plan as well"))
    })
}

fn unknown(tools: &dyn Toolbox, name: &ToolName) -> String {
    match tools.resolve(name.as_str(), None) {
        Ok(meant) => format!("there is no tool `{name}`; the nearest is `{}`", meant.spec().name),
        Err(error) => error.to_string(),
    }
}

/// A registry's sentence about an argument, with its rule and with what would be right.
fn told(spec: &ToolSpec, problem: &str) -> (Code, String) {
    let tool = &spec.name;
    let Some((path, rest)) = problem.strip_prefix('`').and_then(|problem| problem.split_once("` ")) else {
        return match problem.strip_prefix("the arguments ") {
            Some(rest) if names_a_type(rest) => (Code::ArgumentsNoObject, format!("the arguments of `{tool}` {rest}")),
            Some(rest) => (Code::OutOfRange, format!("the arguments of `{tool}` {rest}")),
            None => (Code::OutOfRange, format!("arguments of `{tool}`: {problem}")),
        };
    };
    let code = match rest {
        _ if rest.starts_with("is missing") => Code::MissingArgument,
        _ if rest.starts_with("is not known") => Code::UnknownArgument,
        _ if rest.starts_with("is a placeholder") => Code::Placeholder,
        _ if rest.starts_with("must not be null") || names_a_type(rest) => Code::WrongType,
        _ => Code::OutOfRange,
    };
    let wanted = match code {
        Code::MissingArgument | Code::Placeholder => wanted(spec, path),
        _ => None,
    };
    let wanted = wanted.map(|must| format!("; it must be {must}")).unwrap_or_default();
    (code, format!("argument `{path}` of `{tool}` {rest}{wanted}"))
}

/// `must be a string, got 5`, but not `must be a multiple of 5, got 3`.
fn names_a_type(rest: &str) -> bool {
    let Some(rest) = rest.strip_prefix("must be a") else { return false };
    let word = rest.trim_start_matches('n').trim_start().split([',', ' ']).next().unwrap_or_default();
    ["string", "integer", "number", "boolean", "array", "object", "null"].contains(&word)
}

fn wanted(spec: &ToolSpec, path: &str) -> Option<String> {
    let path: Vec<Segment> = path.split('.').map(|name| Segment::Field(name.to_owned())).collect();
    match schema::look(&spec.parameters, &spec.parameters, &path) {
        Look::Is(schemas) => schemas.first().and_then(|schema| schema::must(&spec.parameters, schema)),
        Look::Gone(_) | Look::Unknown => None,
    }
}

/// Whether a reference brings something that the argument cannot be.
fn mistyped(ground: &Ground<'_>, site: &Site<'_>, spec: &ToolSpec, mention: &Mention) -> Option<Finding> {
    let root = &spec.parameters;
    let Look::Is(schemas) = schema::look(root, root, &mention.at) else { return None };
    let kinds =
        schemas.iter().map(|schema| schema::kinds(root, schema)).reduce(|one, other| Some(one?.or(other?)))??;
    let (argument, tool) = (shown(&mention.at), &spec.name);
    let must = kinds.present().words();
    let reference = &mention.reference;
    if !mention.whole {
        let says = format!(
            "argument `{argument}` of `{tool}` must be {must}, but words around `{reference}` make it a string; give \
             the reference alone"
        );
        return (!kinds.may_be(Kinds::STRING)).then(|| site.finding(Code::ReferenceType, &says));
    }
    let brought = ground.kinds(reference)?.present();
    if !brought.may_be(kinds) {
        // Words around it are what makes a number text.
        let aloud = kinds.may_be(Kinds::STRING) && !brought.may_be(Kinds::ARRAY.or(Kinds::OBJECT));
        let hint = if aloud { "; with words around it, it would be one" } else { "" };
        let says =
            format!("argument `{argument}` of `{tool}` must be {must}, but `{reference}` is {}{hint}", brought.words());
        return Some(site.finding(Code::ReferenceType, &says));
    }
    let (choices, allowed) = (ground.choices(reference)?, schemas.iter().map(|schema| schema::choices(root, schema)));
    let allowed: Vec<_> = allowed.collect::<Option<Vec<_>>>()?.concat();
    if choices.iter().any(|choice| choice.is_null() || allowed.contains(choice)) {
        return None;
    }
    let must = schemas.first().and_then(|schema| schema::must(root, schema)).unwrap_or_default();
    let says = format!("argument `{argument}` of `{tool}` must be {must}, but `{reference}` is never one of them");
    Some(site.finding(Code::ReferenceType, &says))
}

fn shown(path: &[Segment]) -> String {
    let mut text = String::new();
    for segment in path {
        match segment {
            Segment::Field(name) if text.is_empty() => text.push_str(name),
            Segment::Field(name) => text.push_str(&format!(".{name}")),
            Segment::Item(at) => text.push_str(&format!("[{at}]")),
        }
    }
    text
}
