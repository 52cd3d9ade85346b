//! Puts plans and calls before a person where rules or the configuration say so, and does what the person says. Nothing of
//! a plan happens before this has let it pass, and what passes is what was shown.

mod call;
mod consent;
mod verdict;

use domain::approval::Proposal;
use domain::plan::{Plan, Strategy};
use domain::run::FailureKind;

pub(crate) use self::call::{Cleared, call};
pub(crate) use self::consent::Consent;
use self::consent::{calls_of, intents_of};
use self::verdict::{Matter, Said, verdict, verdict_before};
use crate::engine::Results;
use crate::plan::{NoPlan, Planned, Planning, step_lines};
use crate::policy::{Action, Arguments, Case, Decision, foresee, rule_for_plan};
use crate::propose::{self, Intended, Reason};
use crate::record::Halt;
use crate::settings::Propose;
use crate::work::Work;

/// A plan that is under way, with what was done of it.
pub(crate) type UnderWay<'u> = Option<(&'u Plan, &'u Results)>;

/// What the rules and the configuration say about a plan.
enum Wanted {
    Nobody,
    Person(Reason),
    Never(String),
}

/// The plan that is carried out: as it is where nobody needs to be asked, as a person agreed to it otherwise.
pub(crate) async fn plan(
    work: &Work<'_>,
    planning: &mut Planning,
    mut planned: Planned,
    strategy: Strategy,
    under_way: UnderWay<'_>,
) -> Result<Result<Planned, NoPlan>, Halt> {
    for responses in 0.. {
        work.consent.carries_out(&planned, strategy);
        let name = format!("plan/{}/approval", planned.version);
        let reason = match wanted(work, &planned, strategy, &name) {
            Wanted::Nobody => return Ok(Ok(planned)),
            Wanted::Never(error) => return Ok(Err(NoPlan { kind: FailureKind::Rejected, error })),
            Wanted::Person(reason) => reason,
        };
        let hash = propose::hash_of_plan(&planned.plan, planned.configuration.as_ref());
        let matter = Matter { name: &name, hash, plainly: propose::hash_of_plan(&planned.plan, None) };
        let said = match work.request.wishes.dry {
            true => verdict_before(work, &matter).unwrap_or(Said::Yes),
            false => verdict(work, &matter, || question(work, &planned, strategy, reason.clone())).await?,
        };
        let words = match said {
            Said::Yes => {
                work.consent.agree(&planned);
                return Ok(Ok(planned));
            }
            Said::No(words) => return Ok(Err(rejected(&planned, &words))),
            Said::Instead { what, by } => {
                let changed = planning.changed(work, &planned, &what, by).await?;
                if let Ok(changed) = &changed {
                    work.consent.carries_out(changed, strategy);
                    work.consent.agree(changed);
                }
                return Ok(changed);
            }
            Said::Words(words) => words,
        };
        if responses >= work.runtime.settings.max_replans {
            return Ok(Err(rejected(&planned, &format!("it was changed as often as it may; they said: {words}"))));
        }
        planned = match planning.respond(work, &planned, &words, under_way).await? {
            Ok(next) => planning.ready(work, next, strategy).await?,
            Err(no_plan) => return Ok(Err(no_plan)),
        };
    }
    Ok(Err(rejected(&planned, "it was never agreed to")))
}

fn rejected(planned: &Planned, words: &str) -> NoPlan {
    let error = match &planned.doubtful {
        Some(doubt) => format!("{doubt}, and {words}"),
        None => format!("the plan is not carried out: {words}"),
    };
    NoPlan { kind: FailureKind::Rejected, error }
}

/// Whether a person has to agree. Where it is on record that one was asked, that stays so.
fn wanted(work: &Work<'_>, planned: &Planned, strategy: Strategy, name: &str) -> Wanted {
    let settings = &work.runtime.settings;
    let asked = work.journal.known(&format!("{name}/waiting")).is_some();
    let rule = rule_for_plan(&settings.rules, &work.consent.known());
    if let Some(rule) = rule.filter(|rule| rule.action == Action::Deny) {
        return Wanted::Never(format!("the plan is not carried out: {rule} forbids it"));
    }
    let reason = reason(work, planned, strategy, rule.map(|rule| (rule.action, rule.to_string())));
    match (reason, asked, work.journal.gate()) {
        (Some(reason), true, _) | (Some(reason), false, None) => Wanted::Person(reason),
        (None, true, _) => Wanted::Person(Reason { why: "a person was asked before".into(), rule: None }),
        (None, false, _) | (Some(_), false, Some(_)) => Wanted::Nobody,
    }
}

fn reason(work: &Work<'_>, planned: &Planned, strategy: Strategy, rule: Option<(Action, String)>) -> Option<Reason> {
    let settings = &work.runtime.settings;
    if let Some(doubt) = &planned.doubtful {
        return Some(Reason { why: doubt.clone(), rule: None });
    }
    let changes = !work.consent.any() || work.consent.leaves_out(&planned.plan, work.runtime.tools.as_ref());
    let allowed = matches!(rule, Some((Action::Allow, _)));
    if let Some((Action::Ask, rule)) = rule
        && changes
    {
        return Some(Reason { why: format!("{rule} wants a person to agree to the plan"), rule: Some(rule) });
    }
    if let Some(reason) = by_its_calls(work, planned, strategy) {
        return Some(reason);
    }
    let why = match (settings.propose, strategy) {
        (Propose::Teams | Propose::Always, Strategy::Cohort) => "a team of agents carries it out",
        (Propose::Always, _) if planned.notes.is_some() => "every plan is put before a person",
        (Propose::Always | Propose::Teams | Propose::Rules, _) => return None,
    };
    (changes && !allowed).then(|| Reason { why: why.to_owned(), rule: None })
}

/// A call that the plan makes by itself and that a rule wants a person to agree to. An agent's own calls are asked about
/// when it makes them.
fn by_its_calls(work: &Work<'_>, planned: &Planned, strategy: Strategy) -> Option<Reason> {
    let known = work.consent.known();
    let allowed = planned.plan.tools();
    let own = match strategy {
        Strategy::SingleAgent => intents_of(&planned.plan).into_iter().map(|call| (None, call)).collect::<Vec<_>>(),
        Strategy::TaskGraph | Strategy::Cohort => calls_of(&planned.plan).collect(),
    };
    own.into_iter().filter(|(step, call)| !work.consent.covers(*step, call)).find_map(|(_, call)| {
        let tool = work.runtime.tools.tool(&call.tool)?;
        let arguments = Arguments::Planned(&call.arguments);
        let case = Case { tool: tool.spec(), arguments, tainted: &[], known: &known, agreed: work.consent.any() };
        match foresee(&work.runtime.settings.rules, &allowed, &case)? {
            Decision::Ask { reason, rule } => Some(Reason { why: format!("`{}`: {reason}", call.tool), rule }),
            Decision::Allow | Decision::Intent | Decision::Deny { .. } => None,
        }
    })
}

/// The question in a sentence, and all there is to see.
fn question(work: &Work<'_>, planned: &Planned, strategy: Strategy, reason: Reason) -> (String, Proposal) {
    let steps: Vec<String> = step_lines(&planned.plan, &Results::default())
        .iter()
        .map(|step| format!("{}: {} {}", step.id, step.goal, step.how).trim_end().to_owned())
        .collect();
    let steps = steps.join("; ");
    let question = match &planned.doubtful {
        Some(doubt) => format!("{}. Carry it out all the same? {steps}", capitalised(doubt)),
        None => format!("May this plan be carried out? {steps} ({})", reason.why),
    };
    let base = work.consent.base();
    let intended = Intended {
        version: planned.version,
        plan: &planned.plan,
        configuration: planned.configuration.as_ref(),
        members: &planned.members,
        strategy,
        forecast: planned.forecast.as_ref(),
        findings: &planned.findings,
    };
    let base = base.as_ref().map(|(version, draft)| (*version, draft));
    (question, propose::plan(work.runtime.tools.as_ref(), &intended, base, reason))
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
