//! What a client of AG-UI sends: a thread and its messages, or answers to what interrupted it.

use domain::approval::{Approval, ApprovalId, Ruling, Verdict};
use domain::chat::Message;
use domain::id::RunId;
use domain::request::Lent;
use domain::store::{Signalled, StoreError};
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::access::{Area, Role};
use crate::app::App;
use crate::approvals::decide::settle;
use crate::caller::Caller;
use crate::error::ApiError;
use crate::openai::chat::Said;
use crate::openai::models::Model;
use crate::talk::messages::{self, Choice, Parts};
use crate::talk::turn::{Turn, questions};
use crate::talk::{self, Talk};

/// A run of a thread. What is not named here is passed over.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NewAgentRun {
    /// The conversation.
    pub(super) thread_id: String,
    /// What the client calls this run.
    pub(super) run_id: String,
    /// The run that led to this one.
    #[serde(default)]
    pub(super) parent_run_id: Option<String>,
    /// The conversation so far; its last message is from the user, or from a tool.
    #[schema(value_type = Vec<Object>)]
    messages: Vec<Map<String, Value>>,
    /// Functions that the client carries out itself: a model is asked directly.
    #[serde(default)]
    tools: Option<Vec<Lending>>,
    /// What is to be known throughout.
    #[serde(default)]
    context: Option<Vec<Known>>,
    /// `model` is one of `GET /v1/models`; all else is passed over.
    #[serde(default)]
    #[schema(value_type = Option<Value>)]
    forwarded_props: Option<Value>,
    /// Answers to what interrupted an earlier run of the thread.
    #[serde(default)]
    resume: Option<Vec<Resume>>,
}

/// A function of the client.
#[derive(Debug, Deserialize, ToSchema)]
struct Lending {
    name: String,
    #[serde(default)]
    description: Option<String>,
    /// JSON schema of an object.
    #[serde(default)]
    #[schema(value_type = Option<Value>)]
    parameters: Option<Value>,
}

/// Something to be known throughout.
#[derive(Debug, Deserialize, ToSchema)]
struct Known {
    description: String,
    value: String,
}

/// The answer to an interrupt.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Resume {
    interrupt_id: String,
    status: ResumeStatus,
    /// The answer: words to a question; to an approval a decision, or `{"decision": …}` with what belongs to it.
    #[serde(default)]
    #[schema(value_type = Option<Value>)]
    payload: Option<Value>,
}

/// Whether somebody answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum ResumeStatus {
    Resolved,
    Cancelled,
}

impl NewAgentRun {
    pub(super) fn resumes(&self) -> bool {
        self.resume.as_ref().is_some_and(|entries| !entries.is_empty())
    }

    /// What is said.
    pub(super) fn talk(self) -> Result<Talk, ApiError> {
        let mut said: Vec<Message> = Vec::new();
        for known in self.context.unwrap_or_default() {
            said.push(Message::System { text: messages::clean(&format!("{}: {}", known.description, known.value)) });
        }
        for (at, message) in self.messages.into_iter().enumerate() {
            // What is shown on the way is no part of what was said.
            if matches!(message.get("role").and_then(Value::as_str), Some("activity" | "reasoning")) {
                continue;
            }
            let message: Said = serde_json::from_value(Value::Object(message))
                .map_err(|why| ApiError::invalid(&format!("messages[{at}]"), why.to_string()))?;
            let read = message.read(&said, at)?;
            said.push(read);
        }
        let Parts { earlier, text, since } = messages::apart(said, "messages")?;
        let tools = self.tools.unwrap_or_default().into_iter().enumerate().map(|(at, tool)| {
            let description = tool.description.as_deref();
            messages::callable(&tool.name, description, tool.parameters.as_ref(), &format!("tools[{at}]"))
        });
        let (tools, _) = Choice::Auto.among(tools.collect::<Result<_, _>>()?)?;
        let lent = (!tools.is_empty() || !since.is_empty()).then(|| Lent { tools, since, ..Lent::default() });
        let model = self.forwarded_props.as_ref().and_then(|props| props["model"].as_str());
        let planner = model.map(Model::named).transpose()?.and_then(Model::planner);
        Ok(Talk { text, earlier, session: talk::session(&self.thread_id), user: None, planner, lent })
    }
}

/// What an interrupt is called that is a question of a run.
pub(super) fn question_id(run: RunId, name: &str) -> String {
    format!("{run}:{name}")
}

/// Takes in the answers to what interrupted a run, which goes on.
pub(super) async fn resumed(app: &App, caller: &Caller, new: NewAgentRun, origin: String) -> Result<Turn, ApiError> {
    let mut turn: Option<Turn> = None;
    for (at, entry) in new.resume.unwrap_or_default().into_iter().enumerate() {
        let param = format!("resume[{at}]");
        let unknown = || ApiError::not_found(format!("`{}` was never asked", messages::clean(&entry.interrupt_id)));
        let (run, answer) = match (entry.interrupt_id.parse::<ApprovalId>(), entry.interrupt_id.split_once(':')) {
            (Ok(id), _) => {
                let asked = app.store.approval(id, Timestamp::now()).await?.ok_or_else(unknown)?;
                let verdict = verdict(&asked, entry.status, entry.payload.as_ref(), &param)?;
                caller.grant.allows(Area::Approvals, Role::Approver)?;
                (asked.run, Answer::Verdict(id, verdict))
            }
            (Err(_), Some((run, name))) => {
                let run: RunId = run.parse().map_err(|_| unknown())?;
                (run, said(entry.status, entry.payload, name, &param)?)
            }
            (Err(_), None) => return Err(unknown()),
        };
        if turn.as_ref().is_some_and(|turn| turn.run != run) {
            return Err(ApiError::invalid(&param, "answers must be to what interrupted one run"));
        }
        if turn.is_none() {
            let summary = app.store.run(run).await?.ok_or_else(unknown)?;
            let (after, before) = (summary.events, summary.spent.usage);
            turn = Some(Turn { after, before, ..Turn::new(run, origin.clone(), true) });
        }
        take(app, caller, run, answer).await?;
    }
    turn.ok_or_else(|| ApiError::invalid("resume", "there must be an answer"))
}

enum Answer {
    Verdict(ApprovalId, Verdict),
    Words {
        name: String,
        words: Value,
    },
    /// Nobody will answer.
    Nothing,
}

async fn take(app: &App, caller: &Caller, run: RunId, answer: Answer) -> Result<(), ApiError> {
    match answer {
        Answer::Verdict(id, verdict) => settle(app, caller, id, verdict, false).await.map(drop)?,
        Answer::Nothing => {
            app.runtime.cancel(run, Some("a question was not answered".into())).await?;
        }
        Answer::Words { name, words } => {
            let asked = questions(app, run).await?;
            let wait = asked.iter().find(|wait| wait.name == name);
            let wait =
                wait.ok_or_else(|| ApiError::conflict("not_asked", format!("{run} does not ask this any more")))?;
            if !wait.need.understands(&words) {
                return Err(ApiError::invalid("resume", format!("{words} is neither yes nor no")));
            }
            match app.runtime.answer(run, &name, words, Some(caller.to_string())).await? {
                Signalled::Recorded => {}
                Signalled::Late(_) => return Err(ApiError::conflict("answered", "it was answered already")),
                Signalled::Ended(_) => return Err(StoreError::NoSuchRun { run }.into()),
            }
        }
    }
    app.dispatch.nudge(run).await;
    Ok(())
}

/// What an answer means for what was proposed.
fn verdict(asked: &Approval, status: ResumeStatus, payload: Option<&Value>, param: &str) -> Result<Verdict, ApiError> {
    let plainly = |decision| Verdict { decision, hash: asked.hash, reason: None };
    let wrong = || {
        let param = format!("{param}.payload");
        ApiError::invalid(
            &param,
            format!("`{param}` must be a decision: `approve`, `reject`, or `{{\"decision\": …}}`"),
        )
    };
    if status == ResumeStatus::Cancelled {
        return Ok(plainly(Ruling::Reject));
    }
    match payload.ok_or_else(wrong)? {
        Value::Object(fields) => match fields.get("approved") {
            Some(Value::Bool(true)) => Ok(plainly(Ruling::Approve)),
            Some(Value::Bool(false)) => Ok(plainly(Ruling::Reject)),
            _ => {
                let mut fields = fields.clone();
                fields.entry("hash").or_insert_with(|| asked.hash.to_string().into());
                serde_json::from_value(Value::Object(fields)).map_err(|_| wrong())
            }
        },
        said => Verdict::read(said, asked.hash).ok_or_else(wrong),
    }
}

/// What somebody says to a question.
fn said(status: ResumeStatus, payload: Option<Value>, name: &str, param: &str) -> Result<Answer, ApiError> {
    if status == ResumeStatus::Cancelled {
        return Ok(Answer::Nothing);
    }
    let words = match payload {
        Some(Value::Object(mut fields)) => fields.remove("answer"),
        payload => payload,
    };
    match words {
        Some(words @ (Value::String(_) | Value::Bool(_) | Value::Number(_))) => {
            Ok(Answer::Words { name: name.to_owned(), words })
        }
        _ => {
            let param = format!("{param}.payload");
            Err(ApiError::invalid(&param, format!("`{param}` must be the answer, in words")))
        }
    }
}
