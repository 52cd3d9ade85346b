//! Criticises a plan: with a model that did not make it, or from what was proved about it.

use domain::chat::Message;
use domain::critique::{Critique, Issue, Scores, Severity, Verdict};
use domain::event::Event;
use domain::finding::{Finding, Weight};
use domain::plan::{Plan, PlanDraft};
use domain::score::Score;
use domain::stage::Stage;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ask::{Question, ask};
use crate::context::cap;
use crate::prompt::{Prompt, render};
use crate::recall::Recalled;
use crate::record::Halt;
use crate::think::{Answer, words};
use crate::work::Work;

/// What the component is called in configuration.
pub(crate) const COMPONENT: &str = Stage::Critic.component();

/// How much less complete a plan is taken to be that mentions nothing of its request.
const UNMENTIONED: f64 = 0.4;
/// How much of a plan or a thought a critic reads.
const CHARS: usize = 12_000;

/// What a critic is told.
#[derive(Serialize)]
pub(crate) struct CritiquePrompt<'p> {
    request: &'p str,
    answers: &'p [Answer],
    thought: Option<&'p str>,
    plan: &'p str,
    tools: &'p str,
    findings: &'p [String],
    guidelines: &'p [String],
}

impl Prompt for CritiquePrompt<'_> {
    const NAME: &'static str = "critique";
}

/// What there is to criticise.
pub(crate) struct Subject<'s> {
    pub(crate) plan: &'s Plan,
    pub(crate) findings: &'s [Finding],
    pub(crate) thought: Option<&'s str>,
    pub(crate) answers: &'s [Answer],
}

/// A critique as critics write it.
#[derive(Debug, Deserialize, JsonSchema)]
struct Draft {
    /// How good the plan is in five respects.
    scores: Scores,
    /// How good it is; the mean of the scores when absent.
    #[serde(default, alias = "overallScore", alias = "overall_score")]
    overall: Option<Score>,
    /// What to do with it.
    #[serde(default, alias = "recommendation")]
    verdict: Option<Verdict>,
    /// What is wrong with it.
    #[serde(default)]
    issues: Vec<Issue>,
    /// What is good about it.
    #[serde(default)]
    strengths: Vec<String>,
    /// What only the person can say.
    #[serde(default, alias = "followUpQuestions")]
    follow_up_questions: Vec<String>,
    /// The judgement in words.
    #[serde(default)]
    summary: String,
}

/// A critique of a version, on record.
pub(crate) async fn critique(
    work: &Work<'_>,
    recalled: &Recalled,
    version: u32,
    subject: &Subject<'_>,
) -> Result<Critique, Halt> {
    let key = format!("critique/{version}");
    let critique = judge(work, recalled, &key, subject).await?;
    let event = Event::Critiqued { version, critique: Box::new(critique.clone()) };
    work.journal.record(key, event).await?;
    Ok(critique)
}

/// A critique, with a model where there is one.
pub(crate) async fn judge(
    work: &Work<'_>,
    recalled: &Recalled,
    key: &str,
    subject: &Subject<'_>,
) -> Result<Critique, Halt> {
    let request = work.request.text.as_str();
    if !work.asks(COMPONENT) {
        return Ok(by_proof(request, subject));
    }
    let plan = serde_json::to_string_pretty(&PlanDraft::from(subject.plan.clone())).unwrap_or_default();
    let findings: Vec<String> = subject.findings.iter().map(ToString::to_string).collect();
    let prompt = CritiquePrompt {
        request,
        answers: subject.answers,
        thought: subject.thought,
        plan: &cap(&plan, CHARS),
        tools: &work.tools().listing(Some(&subject.plan.tools())),
        findings: &findings,
        guidelines: &recalled.points(COMPONENT),
    };
    let messages = vec![Message::User { text: render(work, &prompt)? }];
    let model_key = format!("{key}/model");
    let question =
        Question { key: &model_key, component: COMPONENT, tier: Stage::Critic.tier().unwrap_or_default(), messages };
    let answered: Result<Draft, _> = ask(work, question).await?;
    Ok(answered.map_or_else(|_| by_proof(request, subject), settle))
}

/// What a draft amounts to: the verdict is never better than the score, and a critic who says no is heard.
fn settle(draft: Draft) -> Critique {
    let overall = draft.overall.unwrap_or_else(|| draft.scores.mean());
    let worst = draft.issues.iter().map(|issue| issue.severity).max();
    let allowed = match worst {
        Some(Severity::Critical) => Verdict::Revise,
        _ => Verdict::Approve,
    };
    let said = draft.verdict.unwrap_or(Verdict::Approve);
    Critique {
        scores: draft.scores,
        overall,
        verdict: Verdict::of(overall).min(said).min(allowed),
        issues: draft.issues,
        strengths: draft.strengths,
        follow_up_questions: draft.follow_up_questions,
        summary: draft.summary,
    }
}

/// What the proof alone says: faults make a plan unfeasible, approvals less safe, waste less efficient, and words of the
/// request that occur nowhere in the plan less complete.
pub(crate) fn by_proof(request: &str, subject: &Subject<'_>) -> Critique {
    let count = |weight| subject.findings.iter().filter(|finding| finding.weight == weight).count();
    let (fatal, approvals, notices) = (count(Weight::Fatal), count(Weight::Approval), count(Weight::Notice));
    let less = |number: usize, each: f64| Score::nearest(1.0 - each * number as f64);
    let missing = missing(request, subject.plan);
    // A plan can say the same in other words: what it does not mention is worth a look, and no more.
    let mentioned = Score::nearest(1.0 - UNMENTIONED * missing.len() as f64 / words(request).len().max(1) as f64);
    let scores = Scores {
        correctness: if fatal == 0 { mentioned } else { Score::ZERO },
        completeness: mentioned,
        feasibility: if fatal == 0 { Score::ONE } else { Score::ZERO },
        efficiency: less(notices, 0.15),
        safety: less(approvals, 0.2),
    };
    let overall = if fatal == 0 { scores.mean() } else { Score::ZERO };
    let unsaid = (!missing.is_empty()).then(|| Issue {
        severity: Severity::Low,
        category: "completeness".into(),
        description: format!("the plan does not mention `{}`", missing.join("`, `")),
        suggestion: "see whether that is part of it under another name".into(),
        affected_steps: Vec::new(),
    });
    let issues = subject.findings.iter().map(issue).chain(unsaid).collect();
    let strengths = (fatal == 0).then(|| "everything that can be proved about it holds".to_owned());
    Critique {
        scores,
        overall,
        verdict: Verdict::of(overall),
        issues,
        strengths: strengths.into_iter().collect(),
        follow_up_questions: Vec::new(),
        summary: match fatal {
            0 => "Everything that can be proved about it holds; nobody has judged what it is worth.".into(),
            _ => "It cannot be carried out.".into(),
        },
    }
}

fn issue(finding: &Finding) -> Issue {
    Issue {
        severity: match finding.weight {
            Weight::Fatal => Severity::Critical,
            Weight::Approval => Severity::Medium,
            Weight::Notice => Severity::Low,
        },
        category: finding.code.clone(),
        description: finding.says.clone(),
        suggestion: String::new(),
        affected_steps: finding.step.iter().cloned().collect(),
    }
}

/// The words of a request that occur nowhere in its plan.
fn missing(request: &str, plan: &Plan) -> Vec<String> {
    let said = words(&serde_json::to_string(&PlanDraft::from(plan.clone())).unwrap_or_default());
    words(request).into_iter().filter(|word| !said.contains(word)).collect()
}

/// What a planner and a thinker are told of a critique.
pub(crate) fn objections(critique: &Critique) -> Vec<String> {
    let mut lines: Vec<String> = critique
        .issues
        .iter()
        .filter(|issue| issue.severity > Severity::Low)
        .map(|issue| {
            let steps = match issue.affected_steps.as_slice() {
                [] => String::new(),
                steps => format!(" (step `{}`)", steps.join("`, `")),
            };
            let better =
                if issue.suggestion.is_empty() { String::new() } else { format!(". Better: {}", issue.suggestion) };
            format!("{}{steps}{better}", issue.description)
        })
        .collect();
    if critique.verdict != Verdict::Approve && !critique.summary.is_empty() {
        lines.push(critique.summary.clone());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::Prompts;

    fn draft(json: serde_json::Value) -> Critique {
        settle(serde_json::from_value(json).expect("a draft"))
    }

    fn all(score: f64) -> serde_json::Value {
        serde_json::json!({"correctness": score, "completeness": score, "feasibility": score, "efficiency": score, "safety": score})
    }

    #[test]
    fn a_critic_that_approves_with_score_zero_rejects() {
        let critique = draft(serde_json::json!({"scores": all(0.0), "overall": 0, "verdict": "approve"}));
        assert_eq!((critique.overall, critique.verdict), (Score::ZERO, Verdict::Reject));
    }

    #[test]
    fn a_critic_that_says_no_is_heard_whatever_its_scores() {
        assert_eq!(draft(serde_json::json!({"scores": all(0.9), "verdict": "reject"})).verdict, Verdict::Reject);
        let critical = serde_json::json!([{"severity": "critical", "description": "it deletes everything"}]);
        assert_eq!(draft(serde_json::json!({"scores": all(1.0), "issues": critical})).verdict, Verdict::Revise);
        assert_eq!(draft(serde_json::json!({"scores": all(0.7)})).verdict, Verdict::Revise);
        assert_eq!(draft(serde_json::json!({"scores": all(0.8)})).verdict, Verdict::Approve);
    }

    #[test]
    fn without_a_model_the_proof_speaks() {
        let plan: Plan = serde_json::from_value(serde_json::json!({"steps": [
            {"id": "look", "goal": "weather in Oslo", "tool": "weather.current", "arguments": {"city": "Oslo"}}]}))
        .expect("a plan");
        let subject = Subject { plan: &plan, findings: &[], thought: None, answers: &[] };
        assert_eq!(by_proof("weather Oslo", &subject).verdict, Verdict::Approve);
        assert!(by_proof("weather Oslo, and feed the elephants", &subject).scores.completeness < Score::ONE);
        let fatal = Finding { code: "AW-PLAN-001".into(), step: None, says: "no".into(), weight: Weight::Fatal };
        let subject = Subject { findings: std::slice::from_ref(&fatal), ..subject };
        assert_eq!(by_proof("weather Oslo", &subject).overall, Score::ZERO);
    }

    #[test]
    fn the_prompt_reads_as_it_should() {
        let prompt = CritiquePrompt {
            request: "Do I need an umbrella?",
            answers: &[Answer { question: "When do you leave?".into(), answer: "at noon".into() }],
            thought: Some("Rain decides."),
            plan: "{\"steps\": []}",
            tools: "weather (1)",
            findings: &["AW-PLAN-030: step `look`: nothing uses it".into()],
            guidelines: &["Say please.".into()],
        };
        insta::assert_snapshot!("critique", Prompts::default().render(&prompt).expect("critique"));
        let bare = CritiquePrompt { answers: &[], thought: None, findings: &[], guidelines: &[], ..prompt };
        insta::assert_snapshot!("critique_bare", Prompts::default().render(&bare).expect("critique"));
    }
}
