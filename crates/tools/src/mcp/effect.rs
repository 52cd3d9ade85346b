//! What calling a server's tool does to the world, as far as anybody may believe it.

use domain::tool::{Effect, Repeat};
use serde::{Deserialize, Serialize};

use super::definition::Hints;

/// What the user says a tool does, whatever its server says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum McpEffect {
    /// Nothing.
    Read,
    /// Nothing, but data leaves the machine.
    Egress,
    /// Something that cannot be taken back.
    Write,
}

/// How a tool's effect is found.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Belief {
    /// What the user says, which counts for more than everything else.
    pub(crate) told: Option<McpEffect>,
    /// Whether the server's hints are believed where they make things easier.
    pub(crate) trust_hints: bool,
    /// Whether the server is reached over a network.
    pub(crate) remote: bool,
}

/// The effect of a tool. What is not said is taken for the worst, as the protocol has it.
pub(crate) fn effect(hints: &Hints, belief: Belief) -> Effect {
    let worst = Effect::Write { reversible: false, repeat: Repeat::Never, external: true, targets: Vec::new() };
    match belief.told {
        Some(McpEffect::Read) => return Effect::Read,
        Some(McpEffect::Egress) => return Effect::Egress,
        Some(McpEffect::Write) => return worst,
        None if !belief.trust_hints => return worst,
        None => {}
    }
    let external = belief.remote || hints.open_world.unwrap_or(true);
    if hints.read_only == Some(true) {
        return if external { Effect::Egress } else { Effect::Read };
    }
    Effect::Write {
        reversible: hints.destructive == Some(false),
        repeat: if hints.idempotent == Some(true) { Repeat::SameKey } else { Repeat::Never },
        external,
        targets: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRUSTED: Belief = Belief { told: None, trust_hints: true, remote: false };

    fn hints(read_only: bool, open_world: Option<bool>) -> Hints {
        Hints { read_only: Some(read_only), open_world, ..Hints::default() }
    }

    #[test]
    fn a_read_only_tool_of_a_closed_world_reads_and_any_other_sends_data_out() {
        assert_eq!(effect(&hints(true, Some(false)), TRUSTED), Effect::Read);
        assert_eq!(effect(&hints(true, None), TRUSTED), Effect::Egress);
        assert_eq!(effect(&hints(true, Some(false)), Belief { remote: true, ..TRUSTED }), Effect::Egress);
    }

    #[test]
    fn what_nobody_says_is_the_worst() {
        let worst = Effect::Write { reversible: false, repeat: Repeat::Never, external: true, targets: Vec::new() };
        assert_eq!(effect(&Hints::default(), TRUSTED), worst);
        let mild = Hints { destructive: Some(false), idempotent: Some(true), open_world: Some(false), read_only: None };
        assert_eq!(
            effect(&mild, TRUSTED),
            Effect::Write { reversible: true, repeat: Repeat::SameKey, external: false, targets: Vec::new() }
        );
        assert_eq!(effect(&mild, Belief { trust_hints: false, ..TRUSTED }), worst);
        assert_eq!(effect(&hints(true, Some(false)), Belief { trust_hints: false, ..TRUSTED }), worst);
    }

    #[test]
    fn the_user_has_the_last_word() {
        let told = |told| Belief { told: Some(told), trust_hints: false, remote: true };
        assert_eq!(effect(&Hints::default(), told(McpEffect::Read)), Effect::Read);
        assert!(effect(&hints(true, Some(false)), told(McpEffect::Write)).is_write());
    }
}
