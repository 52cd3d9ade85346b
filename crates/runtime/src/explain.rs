//! Says what would be used again for a request, and why or why not. Nothing is carried out, and nothing is recorded.

use domain::id::ItemName;
use domain::library::{Choice, Kind};
use domain::plan::{Plan, PlanDraft, Strategy};
use domain::score::Score;
use domain::skill::Guard;
use domain::store::StoreError;
use jiff::Zoned;
use reflex::slots::Surroundings;
use reflex::template::Extracted;
use serde::Serialize;
use serde_json::Value;

use crate::Runtime;
use crate::reuse::{Asked, CANDIDATES, Decided, WHOLE, decide};
use crate::verify::verify;

/// What would be used for a request.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explained {
    /// What would be decided; absent where nothing was ever kept that is anything like it.
    pub choice: Option<Choice>,
    /// What was looked at on the way, in that order.
    pub looked_at: Vec<Looked>,
}

/// Something that was looked at for a request.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Looked {
    /// What kind of thing.
    pub kind: Kind,
    /// Its name.
    pub name: ItemName,
    /// How well it fits.
    pub score: Score,
    /// What it was found by.
    pub found_by: String,
    /// What a request must say, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phrase: Option<String>,
    /// What was taken from the request.
    pub values: Vec<Taken>,
    /// What must be so before it is used, and whether it is.
    pub guards: Vec<Guard>,
    /// Why it cannot be used as it is; absent where it can.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
}

impl Looked {
    pub(crate) fn at(kind: Kind, name: &ItemName) -> Self {
        let (values, guards) = (Vec::new(), Vec::new());
        let (name, found_by) = (name.clone(), String::new());
        Self { kind, name, score: Score::ZERO, found_by, phrase: None, values, guards, against: None }
    }
}

/// A value that was taken from a request.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Taken {
    /// For which parameter.
    pub parameter: String,
    /// The words it was said with.
    pub said: String,
    /// What they name, where it is more than words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// How sure it is.
    pub confidence: Score,
}

impl From<&Extracted> for Taken {
    fn from(extracted: &Extracted) -> Self {
        let Extracted { parameter, value, confidence, .. } = extracted;
        let reading = value.reading.as_ref().map(|reading| reading.value.clone());
        Self { parameter: parameter.clone(), said: value.said.clone(), value: reading, confidence: *confidence }
    }
}

impl Runtime {
    /// What would be used again for a request that is made now with this strategy.
    pub async fn explain(&self, text: &str, strategy: Strategy, now: Zoned) -> Result<Explained, StoreError> {
        let found = self.find(text, &WHOLE, CANDIDATES).await?;
        let surroundings = Surroundings { now, names: &[] };
        let asked = Asked { text, surroundings: &surroundings, strategy };
        let holds = |draft: &PlanDraft| Plan::try_from(draft.clone()).is_ok_and(|plan| self.could_carry_out(&plan));
        let Decided { choice, looked } = decide(self, &asked, found, &holds).await?;
        Ok(Explained { choice: choice.map(|(choice, _)| choice), looked_at: looked })
    }

    fn could_carry_out(&self, plan: &Plan) -> bool {
        let given = self.measures(&self.settings.budget);
        verify(plan, &given).holds()
    }
}
