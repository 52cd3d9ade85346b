//! Who may do what: roles, the areas they reach, and what each URL needs.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// What somebody may do. Each may also do what those before it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Looks at things.
    Viewer,
    /// Asks for things, and sends traces.
    Runner,
    /// Decides what runs may do.
    Approver,
    /// Changes how things are done: stages, library, guidelines, routes.
    Editor,
    /// Says who may do what.
    Admin,
}

impl Role {
    /// All of them, those who may least first.
    pub const ALL: [Role; 5] = [Role::Viewer, Role::Runner, Role::Approver, Role::Editor, Role::Admin];

    /// As it is written.
    pub fn word(self) -> &'static str {
        match self {
            Role::Viewer => "viewer",
            Role::Runner => "runner",
            Role::Approver => "approver",
            Role::Editor => "editor",
            Role::Admin => "admin",
        }
    }
}

impl FromStr for Role {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let role = Role::ALL.into_iter().find(|role| role.word() == text);
        role.ok_or_else(|| format!("there is no role `{text}`; there are `{}`", Role::ALL.map(Role::word).join("`, `")))
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// A part of the API that a key can be kept to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Area {
    /// Requests and what comes of them.
    Runs,
    /// What people are asked.
    Approvals,
    /// Stages of reasoning, called one by one.
    Stages,
    /// What can be called.
    Tools,
    /// Which ways requests go.
    Routes,
    /// Agents, cohorts and skills.
    Library,
    /// What agents did.
    Traces,
    /// What was learnt.
    Learning,
    /// What is remembered.
    Memories,
    /// Keys, people, settings, the audit trail, figures about the server.
    Admin,
}

impl Area {
    /// All of them.
    pub const ALL: [Area; 10] = [
        Area::Runs,
        Area::Approvals,
        Area::Stages,
        Area::Tools,
        Area::Routes,
        Area::Library,
        Area::Traces,
        Area::Learning,
        Area::Memories,
        Area::Admin,
    ];

    /// As it is written.
    pub fn word(self) -> &'static str {
        match self {
            Area::Runs => "runs",
            Area::Approvals => "approvals",
            Area::Stages => "stages",
            Area::Tools => "tools",
            Area::Routes => "routes",
            Area::Library => "library",
            Area::Traces => "traces",
            Area::Learning => "learning",
            Area::Memories => "memories",
            Area::Admin => "admin",
        }
    }
}

impl FromStr for Area {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let area = Area::ALL.into_iter().find(|area| area.word() == text);
        area.ok_or_else(|| format!("there is no area `{text}`; there are `{}`", Area::ALL.map(Area::word).join("`, `")))
    }
}

impl fmt::Display for Area {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// What it takes to be answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Needs {
    /// Nothing: it holds nobody's data.
    Nothing,
    /// Somebody who has signed in, whatever their role: it is about themselves.
    Person,
    /// Somebody with at least this role, whose key reaches this area.
    Somebody(Area, Role),
}

/// What somebody was given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    /// What they may do.
    pub role: Role,
    /// Where; everywhere if there is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scopes: Vec<Area>,
}

impl Grant {
    /// A role everywhere.
    pub fn everywhere(role: Role) -> Self {
        Self { role, scopes: Vec::new() }
    }

    /// Whether somebody who has this may give another it away.
    pub(crate) fn covers(&self, other: &Grant) -> Result<(), Missing> {
        if self.role < other.role {
            return Err(Missing::Role { has: self.role, needs: other.role });
        }
        let reach: &[Area] = if other.scopes.is_empty() { &Area::ALL } else { &other.scopes };
        match reach.iter().find(|area| !self.scopes.is_empty() && !self.scopes.contains(area)) {
            Some(area) => Err(Missing::Scope(*area)),
            None => Ok(()),
        }
    }

    /// Whether this is enough for something, and what is missing where it is not.
    pub(crate) fn allows(&self, area: Area, role: Role) -> Result<(), Missing> {
        if !self.scopes.is_empty() && !self.scopes.contains(&area) {
            return Err(Missing::Scope(area));
        }
        if self.role < role { Err(Missing::Role { has: self.role, needs: role }) } else { Ok(()) }
    }
}

/// Why a grant is not enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Missing {
    /// Come with another key, or have a role given.
    #[error("this needs the role `{needs}`; yours is `{has}`")]
    Role {
        /// What they have.
        has: Role,
        /// What it takes.
        needs: Role,
    },
    /// Come with a key that reaches it.
    #[error("this key does not reach `{0}`")]
    Scope(Area),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_role_may_do_what_those_before_it_may() {
        for has in Role::ALL {
            for needs in Role::ALL {
                assert_eq!(Grant::everywhere(has).allows(Area::Runs, needs).is_ok(), has >= needs);
            }
        }
    }

    #[test]
    fn scopes_keep_a_role_to_its_areas() {
        let grant = Grant { role: Role::Admin, scopes: vec![Area::Traces] };
        assert_eq!(grant.allows(Area::Traces, Role::Runner), Ok(()));
        assert_eq!(grant.allows(Area::Runs, Role::Viewer), Err(Missing::Scope(Area::Runs)));
    }

    #[test]
    fn nobody_gives_away_more_than_they_have() {
        let all = Grant::everywhere(Role::Editor);
        let some = Grant { role: Role::Editor, scopes: vec![Area::Traces, Area::Runs] };
        assert_eq!(all.covers(&some), Ok(()));
        assert_eq!(some.covers(&all), Err(Missing::Scope(Area::Approvals)));
        assert_eq!(some.covers(&Grant { role: Role::Viewer, scopes: vec![Area::Runs] }), Ok(()));
        let admin = Grant::everywhere(Role::Admin);
        assert_eq!(all.covers(&admin), Err(Missing::Role { has: Role::Editor, needs: Role::Admin }));
    }
}
