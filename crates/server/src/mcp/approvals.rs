//! `list_approvals` and `approve`: what people are asked, and what they say to it.

use domain::approval::{ApprovalFilter, ApprovalId, ApprovalStatus};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::catalogue::{Offered, Reply, Touch};
use super::desk::Desk;
use super::standing::Asked;
use crate::access::{Area, Role};
use crate::approvals::ApprovalPage;
use crate::approvals::decide;
use crate::error::ApiError;
use crate::schema;

/// `list_approvals`
pub(super) struct List;

/// How many.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Filter {
    /// At most so many; 20 when absent.
    #[schemars(range(min = 1, max = 100))]
    limit: Option<u16>,
}

/// What people are asked, those with the most at stake first.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Inbox {
    approvals: Vec<Pending>,
}

/// Something that somebody has to decide.
#[derive(Debug, Serialize, JsonSchema)]
struct Pending {
    /// The run that asks.
    run: String,
    /// The question in one sentence.
    question: String,
    #[serde(flatten)]
    asked: Asked,
    /// Of a call: the tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<String>,
    /// Of a call: its arguments as they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    arguments: Option<Value>,
    /// Of a plan: the whole of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<Value>,
}

impl From<ApprovalPage> for Pending {
    fn from(page: ApprovalPage) -> Self {
        Self {
            run: page.run_id.to_string(),
            asked: Asked::from(&page),
            question: page.question,
            tool: page.tool.map(|tool| tool.to_string()),
            arguments: page.arguments,
            // Our own types always serialise.
            plan: page.plan.and_then(|plan| serde_json::to_value(plan).ok()),
        }
    }
}

impl Offered for List {
    const NAME: &'static str = "list_approvals";
    const WORDS: &'static str = "Lists what runs want a person to approve, those with the most at stake first.";
    const NEEDS: (Area, Role) = (Area::Approvals, Role::Viewer);
    const TOUCH: Touch = Touch::Looks;
    type Arguments = Filter;
    type Answer = Inbox;

    async fn call(desk: Desk, Filter { limit }: Filter) -> Result<Reply<Inbox>, ApiError> {
        let limit = schema::page_length(limit)?;
        let filter = ApprovalFilter { run: None, status: Some(ApprovalStatus::Pending) };
        let (pending, _) = desk.app.store.approvals(&filter, Timestamp::now(), None, limit).await?;
        let approvals = pending.into_iter().map(|it| ApprovalPage::from(it).into()).collect();
        Ok(Reply::Answer(Inbox { approvals }))
    }
}

/// `approve`
pub(super) struct Decide;

/// What somebody says to a proposal.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Said {
    /// Which proposal, as `apr_…`.
    #[schemars(with = "String")]
    approval: ApprovalId,
    /// The rest is what the API takes too.
    #[serde(flatten)]
    #[schemars(with = "Decision")]
    decide: decide::Decide,
}

/// What is decided.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "it says what the schema says about what `decide::Decide` reads")]
struct Decision {
    /// What is wanted.
    decision: Verb,
    /// The `hash` of what the person saw.
    hash: String,
    /// Why, in a few words; it stands in the ledger.
    reason: Option<String>,
    /// With `edit`, of a plan: the whole plan as it is to be carried out.
    plan: Option<Map<String, Value>>,
    /// With `edit`, of a call: all of its arguments as they are to be.
    arguments: Option<Map<String, Value>>,
    /// With `respond`: what is to be taken into account before it is proposed again.
    message: Option<String>,
}

/// The four verbs.
#[derive(JsonSchema)]
#[schemars(rename_all = "snake_case")]
#[expect(dead_code, reason = "it says what the schema says about what `decide::Decide` reads")]
enum Verb {
    /// It is carried out as it is proposed.
    Approve,
    /// It is carried out as it is in `plan` or `arguments`.
    Edit,
    /// It is not carried out.
    Reject,
    /// It is proposed again, with `message` in mind.
    Respond,
}

/// What was decided.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Decided {
    /// Which proposal.
    approval: String,
    /// Where it stands now.
    status: String,
    /// The run that goes on.
    run: String,
}

impl Offered for Decide {
    const NAME: &'static str = "approve";
    const WORDS: &'static str = "Decides what a run proposes: approve, reject, edit or respond. Only for decisions that a \
        person has made; the first one counts.";
    const NEEDS: (Area, Role) = (Area::Approvals, Role::Approver);
    const TOUCH: Touch = Touch::Settles;
    type Arguments = Said;
    type Answer = Decided;

    async fn call(desk: Desk, Said { approval, decide }: Said) -> Result<Reply<Decided>, ApiError> {
        let page = decide::put(&desk.app, &desk.caller, approval, decide, None).await?;
        let (status, run) = (page.status.word().to_owned(), page.run_id.to_string());
        Ok(Reply::Answer(Decided { approval: approval.to_string(), status, run }))
    }

    fn words(decided: &Decided) -> String {
        format!("`{}` is {}; `get_run` says how {} stands", decided.approval, decided.status, decided.run)
    }
}
