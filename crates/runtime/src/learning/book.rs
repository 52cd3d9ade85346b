//! What was learnt so far, read once, and what is to change about it: written all at once or not at all.

use std::collections::BTreeMap;

use domain::guideline::{
    Author, Experiment, ExperimentStatus, Lesson, LessonId, LessonStatus, Point, Revision, Version,
};
use domain::store::{Store, StoreError};
use domain::symbol::Symbol;
use jiff::Timestamp;

/// What was learnt so far, with what is to change.
pub(super) struct Book {
    revision: u64,
    /// How many cycles there were.
    pub(super) cycles: u64,
    lessons: BTreeMap<LessonId, Lesson>,
    /// What each agent is told now, and the newest version there is of it.
    told: BTreeMap<Symbol, (Version, Version)>,
    experiments: Vec<Experiment>,
    /// What is to change.
    pub(super) change: Revision,
    /// What was done about it, a sentence each.
    pub(super) done: Vec<String>,
}

impl Book {
    pub(super) async fn read(store: &dyn Store) -> Result<Self, StoreError> {
        let learned = store.learned().await?;
        let lessons = store.lessons().await?.into_iter().map(|lesson| (lesson.id.clone(), lesson)).collect();
        let mut told = BTreeMap::new();
        for version in store.guidelines().await? {
            let newest = store.guideline_versions(&version.agent).await?;
            let newest = newest.into_iter().map(|(version, _)| version).max_by_key(|version| version.version);
            let newest = newest.unwrap_or_else(|| version.clone());
            told.insert(version.agent.clone(), (version, newest));
        }
        Ok(Self {
            revision: learned.revision,
            cycles: learned.cycles,
            lessons,
            told,
            experiments: store.experiments(false).await?,
            change: Revision::default(),
            done: Vec::new(),
        })
    }

    /// Writes the changes down. Says whether nobody was faster.
    pub(super) async fn write(self, store: &dyn Store) -> Result<bool, StoreError> {
        store.revise(self.revision, self.change).await
    }

    pub(super) fn lessons(&self) -> impl Iterator<Item = &Lesson> {
        self.lessons.values()
    }

    /// All lessons, by id.
    pub(super) fn all(&self) -> Vec<Lesson> {
        self.lessons.values().cloned().collect()
    }

    pub(super) fn lesson(&self, id: &LessonId) -> Option<&Lesson> {
        self.lessons.get(id)
    }

    /// Experiments, those begun first first.
    pub(super) fn experiments(&self) -> &[Experiment] {
        &self.experiments
    }

    /// What an agent is told now.
    pub(super) fn told(&self, agent: &Symbol) -> Option<&Version> {
        self.told.get(agent).map(|(now, _)| now)
    }

    /// Keeps a lesson as it is now.
    pub(super) fn put(&mut self, lesson: Lesson) {
        self.change.lessons.retain(|other| other.id != lesson.id);
        self.change.lessons.push(lesson.clone());
        self.lessons.insert(lesson.id.clone(), lesson);
    }

    /// Has a lesson come to where it stands now.
    pub(super) fn turn(&mut self, id: &LessonId, status: LessonStatus, because: impl Into<String>, at: Timestamp) {
        if let Some(lesson) = self.lessons.get(id).cloned() {
            self.put(Lesson { status, because: because.into(), changed_at: at, ..lesson });
        }
    }

    /// Keeps an experiment as it is now.
    pub(super) fn keep(&mut self, experiment: Experiment) {
        self.change.experiments.retain(|other| other.id != experiment.id);
        self.change.experiments.push(experiment.clone());
        match self.experiments.iter_mut().find(|other| other.id == experiment.id) {
            Some(known) => *known = experiment,
            None => self.experiments.push(experiment),
        }
    }

    /// Ends the experiments about a lesson, or those that a test picks out.
    pub(super) fn end_experiments(
        &mut self,
        which: impl Fn(&Experiment) -> bool,
        status: ExperimentStatus,
        because: &str,
        at: Timestamp,
    ) -> usize {
        let open = self.experiments.iter().filter(|one| one.status.is_open() && which(one));
        let ended: Vec<Experiment> = open.cloned().collect();
        for experiment in &ended {
            self.keep(Experiment { status, because: because.to_owned(), ended_at: Some(at), ..experiment.clone() });
        }
        ended.len()
    }

    /// Makes versions of what agents are told out of the lessons that are active now, where these differ from what is
    /// told. What people wrote stays as it is and where it is.
    pub(super) fn publish(&mut self, by: &Author, because: &str, at: Timestamp) {
        let mut lines = learn::points::lines(&self.all());
        for agent in self.told.keys() {
            lines.entry(agent.clone()).or_default();
        }
        let mut made = Vec::new();
        for (agent, learnt) in lines {
            let said = self.told(&agent).into_iter().flat_map(|version| &version.points);
            let said = said.filter(|point| point.lesson.is_none()).cloned();
            let points: Vec<Point> = said.chain(learnt).collect();
            match self.told.get(&agent) {
                Some((now, _)) if now.points == points => {}
                Some((now, newest)) => made.push(now.next(newest.version, points, because, by.clone(), at)),
                None if points.is_empty() => {}
                None => made.push(Version::first(agent, points, because, by.clone(), at)),
            }
        }
        made.into_iter().for_each(|version| self.turn_to(version, true));
    }

    /// Has an agent told a version from now on, which may be a new one.
    pub(super) fn turn_to(&mut self, version: Version, new: bool) {
        self.done.push(format!("`{}` is told version {} ({})", version.agent, version.version, version.because));
        self.change.turned.push((version.agent.clone(), version.version));
        if new {
            self.change.versions.push(version.clone());
        }
        let newest = self.told.remove(&version.agent).map(|(_, newest)| newest);
        let newest = newest.filter(|newest| newest.version > version.version).unwrap_or_else(|| version.clone());
        self.told.insert(version.agent.clone(), (version, newest));
    }
}
