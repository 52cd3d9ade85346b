//! What is known about requests without a model, kept up to date: roles when their files change, experience as runs end,
//! names as things are added.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use async_trait::async_trait;
use domain::id::ToolName;
use domain::name::Name;
use domain::role::Role;
use domain::route::Correction;
use domain::run::RunStatus;
use domain::store::{RunFilter, Store, StoreError};
use domain::tool::Toolbox;
use reflex::{Experience, Policy, Preference, Record, Router, Turn};
use runtime::Reflexes;

use crate::config::{FastPath, Loaded, Prefer};
use crate::exit::Refusal;

/// The shelf on which calibrations are kept.
pub const CALIBRATION: &str = "calibration";

/// How long files are taken to be as they were.
const FILES: Duration = Duration::from_secs(1);

/// How long experience and names are.
const EXPERIENCE: Duration = Duration::from_secs(15);
const NAMES: Duration = Duration::from_secs(2);

/// How many earlier answers of a role count.
const REMEMBERED: usize = 200;

macro_rules! shipped {
    ($($name:literal),*) => {
        [$(include_str!(concat!("../../roles/", $name, ".toml"))),*]
    };
}

const SHIPPED: [&str; 9] = shipped![
    "timer",
    "calendar",
    "weather",
    "smart_home",
    "search",
    "conversation",
    "memory",
    "notification",
    "summarization"
];

/// The roles there are, with everything that has been learned about them.
pub struct RoleBook {
    folders: Vec<PathBuf>,
    fast_path: FastPath,
    store: Arc<dyn Store>,
    tools: Arc<dyn Toolbox>,
    now: Mutex<Now>,
}

struct Now {
    looked: Instant,
    files: Vec<(PathBuf, SystemTime, u64)>,
    router: Arc<Router>,
    people: BTreeMap<Option<String>, (Instant, Arc<Router>)>,
    names: Option<(Instant, Arc<Vec<Name>>)>,
}

impl RoleBook {
    /// Reads and learns the roles. What is wrong with one is said.
    pub async fn open(loaded: &Loaded, store: Arc<dyn Store>, tools: Arc<dyn Toolbox>) -> anyhow::Result<Self> {
        let folders = loaded.role_folders();
        let files = files(&folders);
        let router = learn(&folders, &loaded.config.fast_path, tools.as_ref())?;
        let now = Now { looked: Instant::now(), files, router: Arc::new(router), people: BTreeMap::new(), names: None };
        let fast_path = loaded.config.fast_path.clone();
        Ok(Self { folders, fast_path, store, tools, now: Mutex::new(now) })
    }

    fn now(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Learns anew when a file has changed. A role that has become wrong leaves everything as it was.
    fn look(&self) {
        if self.now().looked.elapsed() < FILES {
            return;
        }
        let seen = files(&self.folders);
        let changed = {
            let mut now = self.now();
            now.looked = Instant::now();
            std::mem::replace(&mut now.files, seen.clone()) != seen
        };
        if !changed {
            return;
        }
        match learn(&self.folders, &self.fast_path, self.tools.as_ref()) {
            Ok(router) => {
                let mut now = self.now();
                now.router = Arc::new(router);
                now.people.clear();
                tracing::info!("the roles have changed and were learned anew");
            }
            Err(error) => tracing::warn!("the roles have changed but are not used: {error:#}"),
        }
    }

    async fn policy(&self, user: Option<&str>) -> Result<Policy, StoreError> {
        let mut policy = policy(&self.fast_path, self.tools.as_ref(), user);
        if let Some(kept) = self.store.kept(CALIBRATION, "thresholds").await? {
            // What was calibrated here is what is promised here.
            let share = |name: &str| kept.value[name].as_f64().filter(|share| *share > 0.0 && *share < 1.0);
            if let (Some(alpha), Some(delta), Some(thresholds)) =
                (share("alpha"), share("delta"), kept.value["thresholds"].as_object())
            {
                (policy.alpha, policy.delta) = (alpha, delta);
                let of_role = |(role, at): (&String, &serde_json::Value)| (role.clone(), at.as_f64());
                policy.thresholds = thresholds.iter().map(of_role).collect();
                policy.calibrated_on = usize::try_from(kept.value["requests"].as_u64().unwrap_or(0)).unwrap_or(0);
            }
        }
        Ok(policy)
    }

    async fn experience(&self, roles: &[String], user: Option<&str>) -> Result<Experience, StoreError> {
        let mut experience = Experience::default();
        let mut corrected = BTreeSet::new();
        for kept in self.store.shelf(Correction::SHELF).await? {
            corrected.insert(kept.key);
            // What cannot be read any more corrects nothing.
            let Ok(Correction { text, to: Some(to), .. }) = serde_json::from_value(kept.value) else { continue };
            let turn = if to == Correction::PLAN { Turn::Plan } else { Turn::Role(to) };
            experience.correct(&text, turn);
        }
        for role in roles {
            let filter = RunFilter { role: Some(role.clone()), ..RunFilter::default() };
            let mut record = Record::default();
            let page = self.store.runs(&filter, None, REMEMBERED).await?;
            // Oldest first, as they happened.
            for run in page.runs.iter().rev() {
                let wrong =
                    run.status == RunStatus::Failed || run.flags.replanned || corrected.contains(&run.run.to_string());
                match run.status {
                    _ if wrong => record.wrong += 1,
                    RunStatus::Completed => record.right += 1,
                    _ => continue,
                }
                record.habit += u32::from(!wrong && run.user.as_deref() == user);
                record.outcomes.push(wrong);
            }
            if record.right + record.wrong > 0 {
                experience.roles.insert(role.clone(), record);
            }
        }
        Ok(experience)
    }
}

#[async_trait]
impl Reflexes for RoleBook {
    async fn router(&self, user: Option<&str>) -> Arc<Router> {
        self.look();
        let user = user.map(str::to_owned);
        let base = {
            let now = self.now();
            if let Some((made, router)) = now.people.get(&user)
                && made.elapsed() < EXPERIENCE
            {
                return Arc::clone(router);
            }
            Arc::clone(&now.router)
        };
        let roles: Vec<String> = base.roles().map(|role| role.name.clone()).collect();
        let known = async {
            let experience = match self.fast_path.adapt {
                true => self.experience(&roles, user.as_deref()).await?,
                false => Experience::default(),
            };
            Ok::<_, StoreError>((self.policy(user.as_deref()).await?, experience))
        };
        let router = match known.await {
            Ok((policy, experience)) => Arc::new(base.with(policy, experience)),
            Err(error) => {
                tracing::warn!(%error, "requests are judged without experience");
                base
            }
        };
        self.now().people.insert(user, (Instant::now(), Arc::clone(&router)));
        router
    }

    fn roles(&self) -> Arc<Router> {
        Arc::clone(&self.now().router)
    }

    fn refresh(&self) {
        self.now().people.clear();
    }

    async fn names(&self) -> Arc<Vec<Name>> {
        if let Some((made, names)) = &self.now().names
            && made.elapsed() < NAMES
        {
            return Arc::clone(names);
        }
        let mut names = Vec::new();
        for spec in self.tools.specs() {
            if let Some(tool) = self.tools.tool(&spec.name) {
                names.extend(tool.names().await);
            }
        }
        let names = Arc::new(names);
        self.now().names = Some((Instant::now(), Arc::clone(&names)));
        names
    }
}

/// What is configured for somebody.
fn policy(fast_path: &FastPath, tools: &dyn Toolbox, user: Option<&str>) -> Policy {
    let mut preferences = fast_path.prefer.clone();
    preferences.extend(user.and_then(|user| fast_path.people.get(user)).cloned().unwrap_or_default());
    let preference = |prefer| match prefer {
        Prefer::Fast => Preference::Fast,
        Prefer::Plan => Preference::Plan,
    };
    Policy {
        enabled: fast_path.enabled,
        accept: fast_path.accept.get(),
        plan_below: fast_path.plan_below.get(),
        alpha: fast_path.alpha.get(),
        delta: fast_path.delta.get(),
        adapt: fast_path.adapt,
        preferences: preferences.into_iter().map(|(role, prefer)| (role, preference(prefer))).collect(),
        thresholds: BTreeMap::new(),
        calibrated_on: 0,
        harmless: harmless(tools),
    }
}

/// The tools that change nothing.
fn harmless(tools: &dyn Toolbox) -> BTreeSet<ToolName> {
    tools.specs().into_iter().filter(|spec| !spec.effect.is_write()).map(|spec| spec.name.clone()).collect()
}

/// The shipped roles and those in folders: a later one of the same name replaces an earlier one.
fn learn(folders: &[PathBuf], fast_path: &FastPath, tools: &dyn Toolbox) -> anyhow::Result<Router> {
    let mut roles: BTreeMap<String, Role> = BTreeMap::new();
    for source in SHIPPED {
        let mut role: Role = toml::from_str(source)?;
        role.shipped = true;
        // A domain that is not configured has no tools, and its actions are not offered.
        role.actions.retain(|action| action.tool.as_ref().is_none_or(|tool| tools.tool(tool).is_some()));
        roles.insert(role.name.clone(), role);
    }
    for (path, _, _) in files(folders) {
        let role = read(&path, tools)?;
        roles.insert(role.name.clone(), role);
    }
    let router = Router::new(roles.into_values().collect(), policy(fast_path, tools, None), Experience::default());
    router.map_err(|error| Refusal::configuration("the roles do not go together").because(error).hint(HINT).into())
}

const HINT: &str = "`docs/roles.md` describes every key";

fn read(path: &Path, tools: &dyn Toolbox) -> anyhow::Result<Role> {
    let wrong = |error: anyhow::Error| {
        Refusal::configuration(format!("the role in `{}` cannot be used", path.display())).because(error).hint(HINT)
    };
    let text = std::fs::read_to_string(path).map_err(|error| wrong(error.into()))?;
    let role: Role = toml::from_str(&text).map_err(|error| wrong(error.into()))?;
    Router::check(&role).map_err(|error| wrong(error.into()))?;
    for tool in role.actions.iter().filter_map(|action| action.tool.as_ref()).chain(&role.tools) {
        tools.resolve(tool.as_str(), None).map_err(|error| wrong(anyhow::anyhow!("{error}")))?;
    }
    Ok(role)
}

/// The role files there are, each with what tells it from a changed one.
fn files(folders: &[PathBuf]) -> Vec<(PathBuf, SystemTime, u64)> {
    let mut found = Vec::new();
    for folder in folders {
        let Ok(entries) = std::fs::read_dir(folder) else { continue };
        let mut here: Vec<_> = entries
            .filter_map(|entry| {
                let path = entry.ok()?.path();
                let about = path.metadata().ok()?;
                let is_role = path.extension().is_some_and(|extension| extension == "toml") && about.is_file();
                is_role.then(|| (path, about.modified().unwrap_or(SystemTime::UNIX_EPOCH), about.len()))
            })
            .collect();
        here.sort();
        found.extend(here);
    }
    found
}
