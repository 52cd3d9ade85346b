//! Plans that nobody has to make: they came with the request, a judgement or a role means them, or they worked before.

use domain::finding::Finding;
use domain::id::ToolName;
use domain::library::Draft;
use domain::plan::{ActionDraft, Notes, Plan, PlanDraft, StepDraft};
use domain::role::Role;
use domain::run::FailureKind;
use serde_json::Value;

use super::{NoPlan, Planned, Planning, Sound, draft};
use crate::lend;
use crate::recall::{Recalled, recall};
use crate::record::Halt;
use crate::verify::{self, Verified};
use crate::work::Work;

impl Planning {
    /// The plan that came with the request.
    pub(crate) async fn given(&mut self, work: &Work<'_>, draft: &Value) -> Result<Result<Planned, NoPlan>, Halt> {
        self.attempts += 1;
        lend::meet(work, draft).await?;
        let mut proved = self.prove_draft(work, draft);
        if let Ok((_, verified)) = &mut proved {
            verified.findings.extend(verify::unread(draft));
            self.proved(work, &verified.findings, Some(verified.bounds)).await?;
        }
        self.take(work, proved).await
    }

    /// The plan that a judgement means. What is obvious is proved, but there is nothing to tell about it.
    pub(crate) async fn clear(&mut self, work: &Work<'_>, draft: PlanDraft) -> Result<Result<Planned, NoPlan>, Halt> {
        self.attempts += 1;
        let proved = self.prove_draft(work, &serde_json::to_value(draft).unwrap_or_default());
        self.take(work, proved).await
    }

    /// The plan that worked for such a request before, with what this one says: proved like any other.
    pub(crate) async fn again(
        &mut self,
        work: &Work<'_>,
        draft: PlanDraft,
        from: &Draft,
    ) -> Result<Option<Planned>, Halt> {
        self.attempts += 1;
        let draft = serde_json::to_value(draft).unwrap_or_default();
        lend::meet(work, &draft).await?;
        match self.prove_draft(work, &draft) {
            Err(findings) => self.refuse(work, &findings).await.map(|()| None),
            Ok((plan, verified)) => {
                self.proved(work, &verified.findings, Some(verified.bounds)).await?;
                let pins = verify::pins(work.tools(), &plan);
                let rationale = format!("{} `{}` did this before", from.body.kind(), from.name);
                let notes = Notes { rationale, pins, from: Some(from.name.clone()), ..Notes::default() };
                let sound = Sound { plan, configuration: None, notes: Some(notes), verified };
                self.accept(work, sound, None).await.map(Some)
            }
        }
    }

    /// Whether a plan could be carried out now.
    pub(crate) fn holds(&self, work: &Work<'_>, draft: &PlanDraft) -> bool {
        self.prove_draft(work, &serde_json::to_value(draft).unwrap_or_default()).is_ok()
    }

    async fn take(
        &mut self,
        work: &Work<'_>,
        proved: Result<(Plan, Verified), Vec<Finding>>,
    ) -> Result<Result<Planned, NoPlan>, Halt> {
        match proved {
            Ok((plan, verified)) => {
                let sound = Sound { plan, configuration: None, notes: None, verified };
                self.accept(work, sound, None).await.map(Ok)
            }
            Err(findings) => {
                self.refuse(work, &findings).await?;
                Ok(Err(NoPlan { kind: FailureKind::Plan, error: draft::said(&findings).join("; ") }))
            }
        }
    }

    /// One step for the agent of a role, which knows what was said before.
    pub(crate) async fn role(&mut self, work: &Work<'_>, role: &Role) -> Result<Result<Planned, NoPlan>, Halt> {
        let Recalled { memories, recent, .. } = recall(work).await?;
        let mut prompt = role.prompt.trim().to_owned();
        for (title, lines) in
            [("Earlier in this conversation, newest first", &recent), ("What you remember", &memories)]
        {
            if !lines.is_empty() {
                prompt.push_str(&format!("\n\n{title}:\n- {}", lines.join("\n- ")));
            }
        }
        let there = |tool: &&ToolName| work.tools().tool(tool).is_some();
        let how = ActionDraft {
            prompt,
            tools: role.tools.iter().filter(there).map(ToString::to_string).collect(),
            ..ActionDraft::default()
        };
        let text = work.request.text.as_str().to_owned();
        let step = StepDraft { id: Some(role.name.clone()), goal: text.clone(), how, ..StepDraft::default() };
        self.clear(work, PlanDraft { goal: text, steps: vec![step], ..PlanDraft::default() }).await
    }

    fn prove_draft(&self, work: &Work<'_>, draft: &Value) -> Result<(Plan, Verified), Vec<Finding>> {
        let plan = verify::read(draft)?;
        let verified = verify::verify(&plan, &self.measures(work, None));
        if verified.holds() { Ok((plan, verified)) } else { Err(verified.findings) }
    }
}
