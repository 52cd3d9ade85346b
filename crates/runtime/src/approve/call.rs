//! Whether one call may be made, at the moment it is to be made: by the rules, by what a person agreed to with the plan, or
//! by what a person says now.

use domain::event::Event;
use domain::hash::Hash;
use domain::plan::Call;
use domain::tool::{Effect, ToolError, ToolSpec};
use serde_json::Value;

use super::verdict::{Matter, Said, verdict, verdict_before};
use crate::edit;
use crate::policy::{Arguments, Case, Decision, certain_rule, decide};
use crate::propose::{self, Reason};
use crate::record::Halt;
use crate::work::{Chosen, ToolUse, Work};

/// What is done about a call.
pub(crate) enum Cleared {
    /// It is made, with these arguments.
    Call(Value),
    /// It is not.
    Refused(ToolError),
    /// It is not, and whoever chose it is told this.
    Told(String),
}

/// Decides, or asks a person.
pub(crate) async fn call(
    work: &Work<'_>,
    tool: &ToolSpec,
    arguments: Value,
    using: &ToolUse<'_>,
) -> Result<Cleared, Halt> {
    let denied = |detail: String| Cleared::Refused(ToolError::Denied { tool: tool.name.clone(), detail });
    let rules = &work.runtime.settings.rules;
    let known = work.consent.known_at(using.step, work.meter.spent().usage.cost.as_dollars());
    let agreed = work.consent.any();
    let case = Case { tool, arguments: Arguments::Given(&arguments), tainted: using.tainted, known: &known, agreed };
    let reason = match decide(rules, using.allowed, &case) {
        Decision::Allow | Decision::Intent => return Ok(Cleared::Call(arguments)),
        Decision::Deny { reason } => return Ok(denied(reason)),
        Decision::Ask { reason, rule } => Reason { why: reason, rule },
    };
    let name = format!("{}/approval", using.key);
    let asked = work.journal.known(&format!("{name}/waiting")).is_some();
    if !asked && (made(work, tool, using.key) || work.journal.gate().is_some()) {
        return Ok(Cleared::Call(arguments));
    }
    if !asked && agreed_to(work, &case, using, &reason) {
        return Ok(Cleared::Call(arguments));
    }
    let hash = propose::hash_of_call(&tool.name, using.step, &arguments);
    let plainly = Hash::of_json(&(&tool.name, &arguments));
    let matter = Matter { name: &name, hash, plainly };
    let said = if work.request.wishes.dry {
        match verdict_before(work, &matter) {
            Some(said) => said,
            // A write is withheld anyway; anything else would leave without anybody's consent.
            None if tool.effect.is_write() => Said::Yes,
            None => Said::No("a person would be asked first, and this run only tries things out".into()),
        }
    } else {
        let question = || format!("May `{}` be called with {arguments}? ({})", tool.name, reason.why);
        verdict(work, &matter, || (question(), propose::call(tool, using.step, &arguments, reason.clone()))).await?
    };
    Ok(match said {
        Said::Yes => Cleared::Call(arguments),
        Said::No(words) => denied(words),
        Said::Words(words) if matches!(using.chosen, Chosen::ByAgent) => {
            Cleared::Told(format!("The person who was asked has not agreed yet. They say: {words}"))
        }
        Said::Words(words) => denied(format!("a person says: {words}")),
        Said::Instead { what, .. } => match edit::arguments(&work.measures(), &known, using.step, tool, &what) {
            Ok(()) => Cleared::Call(what),
            Err(findings) => {
                let wrong: Vec<String> = findings.into_iter().map(|finding| finding.says).collect();
                denied(format!("what a person wants instead cannot be done: {}", wrong.join("; ")))
            }
        },
    })
}

/// Whether it has been made already: what is done is not asked about.
fn made(work: &Work<'_>, tool: &ToolSpec, key: &str) -> bool {
    match tool.effect {
        Effect::Read | Effect::Egress => matches!(work.journal.known(key), Some(Event::ToolCalled { .. })),
        Effect::Write { .. } => work.journal.known(&format!("{key}/sent/1")).is_some(),
    }
}

/// Whether a person saw it in the plan and agreed, and nothing has come to light since: no other rule, and no target that
/// the results of tools decide.
fn agreed_to(work: &Work<'_>, case: &Case<'_>, using: &ToolUse<'_>, reason: &Reason) -> bool {
    let Chosen::Shown(template) = using.chosen else { return false };
    let shown = Call { tool: case.tool.name.clone(), arguments: template.clone() };
    if reason.rule.is_none() || !using.tainted.is_empty() || !work.consent.covers(using.step, &shown) {
        return false;
    }
    let planned = Case { arguments: Arguments::Planned(template), known: &work.consent.known(), ..*case };
    let foreseen = certain_rule(&work.runtime.settings.rules, &planned).flatten();
    foreseen.map(ToString::to_string) == reason.rule
}
