//! One run while it is being advanced: the only way from its stages to models and tools. Every call is journaled,
//! metered, limited in time, and decided on by the policy.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use domain::budget::OnExceed;
use domain::chat::{Ask, ModelError, Reply, Tier};
use domain::event::{Event, Need, is_yes};
use domain::hash::Hash;
use domain::id::{StepId, ToolName};
use domain::intent::Priority;
use domain::request::Request;
use domain::tool::{CallContext, Tool, ToolError, Toolbox};
use domain::view::spent_by;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use serde_json::Value;

use crate::Runtime;
use crate::approve::{self, Cleared, Consent};
use crate::heed::Kind;
use crate::lend;
use crate::messages;
use crate::meter::{Meter, Reservation};
use crate::record::{Halt, Journal};
use crate::settle;
use crate::toolbox::RunTools;
use crate::verify::Given;

/// Everything the stages of one run need.
pub(crate) struct Work<'r> {
    pub(crate) runtime: &'r Runtime,
    pub(crate) request: &'r Request,
    pub(crate) journal: &'r Journal,
    pub(crate) meter: &'r Meter,
    pub(crate) consent: Consent,
    tools: RunTools,
    kind: OnceLock<Kind>,
    heeded: OnceLock<Vec<String>>,
}

/// A call of a tool: under which key, on whose behalf, and what the plan allows.
pub(crate) struct ToolUse<'c> {
    pub(crate) key: &'c str,
    pub(crate) step: Option<&'c StepId>,
    pub(crate) allowed: &'c [ToolName],
    pub(crate) priority: Priority,
    /// Arguments that say whom or what is reached, and that come from the results of tools.
    pub(crate) tainted: &'c [String],
    pub(crate) chosen: Chosen<'c>,
}

/// Who chose the arguments of a call.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Chosen<'c> {
    /// The plan, in these words.
    Shown(&'c Value),
    /// A model that saw what went wrong.
    Repaired,
    /// An agent.
    ByAgent,
}

impl<'r> Work<'r> {
    /// A run that is about to be advanced.
    pub(crate) fn new(runtime: &'r Runtime, request: &'r Request, journal: &'r Journal, meter: &'r Meter) -> Self {
        let (consent, tools) = (Consent::default(), RunTools::over(&runtime.tools));
        Self { runtime, request, journal, meter, consent, tools, kind: OnceLock::new(), heeded: OnceLock::new() }
    }

    /// Says what the run is about, once that is known.
    pub(crate) fn is_about(&self, kind: Kind) {
        let _ = self.kind.set(kind);
    }

    /// What the run is about.
    pub(crate) fn kind(&self) -> Option<&Kind> {
        self.kind.get()
    }

    /// Says what the agents of the run are to heed of what was learnt.
    pub(crate) fn has_agents_heed(&self, points: Vec<String>) {
        let _ = self.heeded.set(points);
    }

    /// What the agents of the run are to heed of what was learnt.
    pub(crate) fn heeded(&self) -> &[String] {
        self.heeded.get().map_or(&[], Vec::as_slice)
    }

    /// When the request was made, by the clock of the person who made it.
    pub(crate) fn moment(&self) -> Zoned {
        let zone = self.request.zone.as_deref().and_then(|zone| TimeZone::get(zone).ok());
        self.request.at.to_zoned(zone.unwrap_or_else(TimeZone::system))
    }

    /// The tools of this run.
    pub(crate) fn tools(&self) -> &dyn Toolbox {
        &self.tools
    }

    /// The agents among them, and what these can reach.
    pub(crate) fn agents(&self) -> &RunTools {
        &self.tools
    }
}

impl Work<'_> {
    /// Asks a model, unless it has answered this very question.
    pub(crate) async fn model(
        &self,
        key: &str,
        component: &str,
        tier: Tier,
        ask: &mut Ask,
    ) -> Result<Result<Reply, ModelError>, Halt> {
        let particular = self.runtime.component(component);
        let model = match self.runtime.models.choose(&particular, tier) {
            Ok(model) => model,
            Err(error) => return Ok(Err(error)),
        };
        ask.temperature = particular.temperature.or(ask.temperature);
        ask.max_tokens = particular.max_tokens.or(ask.max_tokens);
        let ask = &*ask;
        let input = Hash::of_written(&(model.chat.name(), ask));
        let reserve = || self.meter.model(ask, model.price);
        let _asked_again = self.room_in_replay(reserve).await?;
        let event = self
            .once(key, input, async {
                let _room = self.room(reserve).await?;
                let started = Instant::now();
                let reply = model.chat.reply(ask).await.map(messages::cut_short);
                Ok(Event::ModelCalled {
                    component: component.to_owned(),
                    model: model.chat.name().to_owned(),
                    reply: reply.into(),
                    millis: millis_since(started),
                })
            })
            .await?;
        match event {
            Event::ModelCalled { reply, .. } => Ok(reply.into()),
            other => Err(Halt::Diverged(format!("`{key}` is a {} on record, not a model call", other.kind()))),
        }
    }

    /// Whether a component is not to be used.
    pub(crate) fn switched_off(&self, component: &str) -> bool {
        self.runtime.component(component).disabled
    }

    /// Whether a component has a model to ask.
    pub(crate) fn asks(&self, component: &str) -> bool {
        !self.runtime.models.is_empty() && !self.switched_off(component)
    }

    /// What plans of this run are measured by.
    pub(crate) fn measures(&self) -> Given<'_> {
        Given { tools: self.tools(), ..self.runtime.measures(self.meter.budget()) }
    }

    /// Calls a tool, or declares and carries out the intent that the call is.
    pub(crate) async fn tool(
        &self,
        tool: &Arc<dyn Tool>,
        arguments: Value,
        using: ToolUse<'_>,
    ) -> Result<Result<Value, ToolError>, Halt> {
        let name = &tool.spec().name;
        if let Err(error) = self.tools.check(name, &arguments) {
            return self.refuse(using.key, name, arguments, error).await;
        }
        let arguments = match approve::call(self, tool.spec(), arguments.clone(), &using).await? {
            Cleared::Call(arguments) => arguments,
            Cleared::Refused(error) => return self.refuse(using.key, name, arguments, error).await,
            Cleared::Told(words) => return self.instead(using.key, name, arguments, Ok(Value::String(words))).await,
        };
        if let Some(agent) = self.tools.met(name) {
            // What it writes is declared where it does.
            return Box::pin(lend::carry_out(self, agent, arguments, &using)).await;
        }
        match tool.spec().effect.is_write() {
            true => settle::carry_out(self, tool, arguments, &using).await,
            false => self.read(tool, arguments, using).await,
        }
    }

    async fn read(
        &self,
        tool: &Arc<dyn Tool>,
        arguments: Value,
        using: ToolUse<'_>,
    ) -> Result<Result<Value, ToolError>, Halt> {
        let name = &tool.spec().name;
        let input = Hash::of_json(&(name, &arguments));
        let _asked_again = self.room_in_replay(|| self.meter.tool()).await?;
        let event = self
            .once(using.key, input, async {
                let _room = self.room(|| self.meter.tool()).await?;
                let started = Instant::now();
                let call = self.call_context(using.key, using.step);
                let limit = tool.spec().timeout.unwrap_or(self.runtime.settings.tool_timeout);
                let result = match tokio::time::timeout(limit, tool.call(&arguments, &call)).await {
                    Ok(result) => result,
                    Err(_) => Err(ToolError::TimedOut { tool: name.clone(), after: limit }),
                };
                Ok(Event::ToolCalled {
                    tool: name.clone(),
                    arguments,
                    result: result.into(),
                    millis: millis_since(started),
                })
            })
            .await?;
        match event {
            Event::ToolCalled { result, .. } => Ok(result.into()),
            other => Err(Halt::Diverged(format!("`{}` is a {} on record, not a tool call", using.key, other.kind()))),
        }
    }

    /// A result on record, or one that is made now; what is new to the books is paid for.
    pub(crate) async fn once<F>(&self, key: &str, input: Hash, make: F) -> Result<Event, Halt>
    where
        F: Future<Output = Result<Event, Halt>>,
    {
        let once = self.journal.once(key, input, make).await?;
        if once.fresh {
            self.meter.spend(spent_by(&once.event));
        }
        Ok(once.event)
    }

    /// In a replay, what is on record under keys that begin so: it led to a decision that is not made again.
    pub(crate) async fn as_recorded(&self, keys: &str) -> Result<(), Halt> {
        let mut entries: Vec<_> = self.journal.all_known().filter(|entry| entry.key.starts_with(keys)).collect();
        entries.sort_by_key(|entry| entry.at);
        for entry in entries {
            self.journal.again(entry).await?;
            self.meter.spend(spent_by(&entry.event));
        }
        Ok(())
    }

    /// Puts a call on record that was not made.
    async fn refuse(
        &self,
        key: &str,
        tool: &ToolName,
        arguments: Value,
        error: ToolError,
    ) -> Result<Result<Value, ToolError>, Halt> {
        self.instead(key, tool, arguments, Err(error)).await
    }

    /// Puts what is said in the place of a call on record.
    async fn instead(
        &self,
        key: &str,
        tool: &ToolName,
        arguments: Value,
        result: Result<Value, ToolError>,
    ) -> Result<Result<Value, ToolError>, Halt> {
        let input = Hash::of_json(&(tool, &arguments));
        let event = Event::ToolCalled { tool: tool.clone(), arguments, result: result.clone().into(), millis: 0 };
        self.once(key, input, async { Ok(event) }).await?;
        Ok(result)
    }

    /// Room in the budget, now or after a person has said so.
    pub(crate) async fn room<'m>(
        &'m self,
        reserve: impl Fn() -> Result<Reservation<'m>, String>,
    ) -> Result<Reservation<'m>, Halt> {
        loop {
            match reserve() {
                Ok(reservation) => return Ok(reservation),
                Err(limit) => self.ask_for_more(limit).await?,
            }
        }
    }

    /// In a replay room is asked for even though the result is there: where the run waited for a person, it does again.
    pub(crate) async fn room_in_replay<'m>(
        &'m self,
        reserve: impl Fn() -> Result<Reservation<'m>, String>,
    ) -> Result<Option<Reservation<'m>>, Halt> {
        match self.journal.gate() {
            Some(_) => self.room(reserve).await.map(Some),
            None => Ok(None),
        }
    }

    /// What happens at a limit: the run ends, or a person allows the same again.
    pub(crate) async fn ask_for_more(&self, limit: String) -> Result<(), Halt> {
        if self.meter.budget().on_exceed == OnExceed::Stop {
            return Err(Halt::OverBudget(limit));
        }
        let name = format!("budget/{}", self.meter.extensions() + 1);
        let need = Need::Budget { question: format!("The budget is used up: {limit}. May the run use as much again?") };
        let answer = self.journal.answer(&name, need, self.until()).await?;
        if !is_yes(&answer) {
            return Err(Halt::OverBudget(limit));
        }
        self.meter.extend();
        Ok(())
    }

    /// Until when a person is waited for.
    pub(crate) fn until(&self) -> Option<Timestamp> {
        let patience = self.runtime.settings.patience?;
        Timestamp::now().checked_add(patience).ok()
    }

    /// Who calls. The key is the receiver's means to recognise a repetition.
    pub(crate) fn call_context(&self, key: &str, step: Option<&StepId>) -> CallContext {
        CallContext {
            run: self.journal.run(),
            step: step.cloned(),
            key: format!("{}/{key}", self.journal.run()),
            now: Timestamp::now().max(self.request.at),
        }
    }

    /// Resolves when a step has had its time: by the clock, or, in a replay, when the record says so.
    pub(crate) async fn deadline(&self, key: &str, after: Duration) {
        match self.journal.gate() {
            Some(gate) => gate.turn_of(key).await,
            None => tokio::time::sleep(after).await,
        }
    }
}

fn millis_since(started: Instant) -> u64 {
    u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX)
}
