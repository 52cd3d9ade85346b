//! What was learnt, and changing it.

use async_trait::async_trait;
use domain::guideline::{
    Experiment, ExperimentId, Learned, Learning, Lesson, LessonId, Observation, Report, Revision, Version,
};
use domain::id::TraceId;
use domain::store::StoreError;
use domain::symbol::Symbol;
use domain::trace::Sketch;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};

use super::Sqlite;
use super::columns::collect;
use super::fault::Failure;
use crate::batch::json;
use crate::filter::whole;
use crate::instant::nanos;
use crate::learnt::{self, arm_word, changed_version, experiment_body, readable};

#[async_trait]
impl Learning for Sqlite {
    async fn take_up_learning(&self, worker: &str, now: Timestamp, until: Timestamp) -> Result<bool, StoreError> {
        let worker = worker.to_owned();
        let write = move |connection: &Connection| {
            let taken = connection
                .prepare_cached(
                    "UPDATE learning
                     SET learner = ?1, until = ?3
                     WHERE learner IS NULL OR learner = ?1 OR until <= ?2",
                )?
                .execute(params![worker, nanos(now), nanos(until)])?;
            Ok(taken == 1)
        };
        self.writer.write(write).await
    }

    async fn lay_down_learning(&self, worker: &str) -> Result<(), StoreError> {
        let worker = worker.to_owned();
        let write = move |connection: &Connection| {
            connection
                .prepare_cached("UPDATE learning SET learner = NULL, until = NULL WHERE learner = ?1")?
                .execute([&worker])?;
            Ok(())
        };
        self.writer.write(write).await
    }

    async fn learned(&self) -> Result<Learned, StoreError> {
        let read = |connection: &Connection| {
            let mut statement =
                connection.prepare_cached("SELECT revision, cycles, mark, state, learner, until FROM learning")?;
            Ok(collect(statement.query([])?, |row| learnt::learned(row))?.into_iter().next().unwrap_or_default())
        };
        self.readers.read(read).await
    }

    async fn revise(&self, revision: u64, change: Revision) -> Result<bool, StoreError> {
        self.writer.write(move |connection| revise(connection, revision, &change)).await
    }

    async fn taken(&self, traces: &[TraceId]) -> Result<Vec<Sketch>, StoreError> {
        let traces = json(&traces);
        let read = move |connection: &Connection| {
            let mut statement = connection.prepare_cached(
                "SELECT sketch FROM evidence WHERE trace IN (SELECT value FROM json_each(?1)) ORDER BY trace",
            )?;
            collect(statement.query([&traces])?, |row| learnt::body(row))
        };
        self.readers.read(read).await
    }

    async fn evidence(&self, after: Option<&TraceId>, limit: usize) -> Result<Vec<Sketch>, StoreError> {
        let after = after.map(|after| after.as_str().to_owned()).unwrap_or_default();
        let read = move |connection: &Connection| {
            let mut statement =
                connection.prepare_cached("SELECT sketch FROM evidence WHERE trace > ?1 ORDER BY trace LIMIT ?2")?;
            collect(statement.query(params![after, whole(limit)])?, |row| learnt::body(row))
        };
        self.readers.read(read).await
    }

    async fn observations(&self, experiment: &ExperimentId) -> Result<Vec<Observation>, StoreError> {
        let experiment = experiment.to_string();
        let read = move |connection: &Connection| {
            let mut statement = connection.prepare_cached(
                "SELECT experiment, trace, arm, success FROM observation WHERE experiment = ?1 ORDER BY ordinal",
            )?;
            collect(statement.query([&experiment])?, |row| learnt::observation(row))
        };
        self.readers.read(read).await
    }

    async fn lessons(&self) -> Result<Vec<Lesson>, StoreError> {
        let read = |connection: &Connection| {
            let mut statement = connection.prepare_cached("SELECT body FROM lesson ORDER BY changed_at DESC, id")?;
            collect(statement.query([])?, |row| learnt::body(row))
        };
        self.readers.read(read).await
    }

    async fn lesson(&self, id: &LessonId) -> Result<Option<Lesson>, StoreError> {
        let id = id.to_string();
        let read = move |connection: &Connection| {
            let mut statement = connection.prepare_cached("SELECT body FROM lesson WHERE id = ?1")?;
            Ok(collect(statement.query([&id])?, |row| learnt::body(row))?.into_iter().next())
        };
        self.readers.read(read).await
    }

    async fn guideline_versions(&self, agent: &Symbol) -> Result<Vec<(Version, bool)>, StoreError> {
        let agent = agent.to_string();
        let read = move |connection: &Connection| {
            let mut statement = connection.prepare_cached(
                "SELECT body, EXISTS (
                     SELECT 1
                     FROM guideline
                     WHERE guideline.agent = made.agent
                         AND (guideline.major, guideline.minor, guideline.patch) = (made.major, made.minor, made.patch)
                 )
                 FROM guideline_version AS made
                 WHERE agent = ?1
                 ORDER BY major DESC, minor DESC, patch DESC",
            )?;
            collect(statement.query([&agent])?, |row| learnt::body_and_truth(row))
        };
        self.readers.read(read).await
    }

    async fn guidelines(&self) -> Result<Vec<Version>, StoreError> {
        let read = |connection: &Connection| {
            let mut statement = connection.prepare_cached(
                "SELECT body
                 FROM guideline JOIN guideline_version USING (agent, major, minor, patch)
                 ORDER BY agent",
            )?;
            collect(statement.query([])?, |row| learnt::body(row))
        };
        self.readers.read(read).await
    }

    async fn experiments(&self, open: bool) -> Result<Vec<Experiment>, StoreError> {
        let read = move |connection: &Connection| {
            let mut statement = connection.prepare_cached(match open {
                true => "SELECT body FROM experiment WHERE open = 1 ORDER BY started_at DESC, id DESC",
                false => "SELECT body FROM experiment ORDER BY started_at DESC, id DESC",
            })?;
            collect(statement.query([])?, |row| learnt::body(row))
        };
        self.readers.read(read).await
    }

    async fn reports(&self, limit: usize) -> Result<Vec<Report>, StoreError> {
        let read = move |connection: &Connection| {
            let mut statement = connection.prepare_cached("SELECT report FROM cycle ORDER BY number DESC LIMIT ?1")?;
            collect(statement.query([whole(limit)])?, |row| learnt::body(row))
        };
        self.readers.read(read).await
    }
}

fn revise(connection: &Connection, revision: u64, change: &Revision) -> Result<bool, Failure> {
    let (mark, state) = change.state.as_ref().map(|(mark, state)| (*mark as i64, state)).unzip();
    let raised = connection
        .prepare_cached(
            "UPDATE learning
             SET revision = revision + 1, cycles = cycles + ?2, mark = coalesce(?3, mark), state = coalesce(?4, state)
             WHERE revision = ?1",
        )?
        .execute(params![revision as i64, change.report.is_some(), mark, state])?;
    if raised == 0 {
        return Ok(false);
    }
    for (trace, sketch) in &change.evidence {
        match sketch {
            Some(sketch) => connection
                .prepare_cached(
                    "INSERT INTO evidence (trace, sketch) VALUES (?1, ?2)
                     ON CONFLICT (trace) DO UPDATE SET sketch = excluded.sketch",
                )?
                .execute(params![trace.as_str(), json(sketch)])?,
            None => connection.prepare_cached("DELETE FROM evidence WHERE trace = ?1")?.execute([trace.as_str()])?,
        };
    }
    for seen in &change.observations {
        connection
            .prepare_cached(
                "INSERT INTO observation (experiment, trace, arm, success) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (experiment, trace) DO UPDATE SET arm = excluded.arm, success = excluded.success",
            )?
            .execute(params![seen.experiment.to_string(), seen.trace.as_str(), arm_word(seen.arm), seen.success])?;
    }
    for lesson in &change.lessons {
        connection
            .prepare_cached(
                "INSERT INTO lesson (id, changed_at, body) VALUES (?1, ?2, ?3)
                 ON CONFLICT (id) DO UPDATE SET changed_at = excluded.changed_at, body = excluded.body",
            )?
            .execute(params![lesson.id.to_string(), nanos(lesson.changed_at), readable(lesson)?])?;
    }
    for version in &change.versions {
        make(connection, version)?;
    }
    for (agent, version) in &change.turned {
        connection
            .prepare_cached(
                "INSERT INTO guideline (agent, major, minor, patch) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (agent) DO UPDATE
                 SET major = excluded.major, minor = excluded.minor, patch = excluded.patch",
            )?
            .execute(params![agent.as_str(), version.major, version.minor, version.patch])?;
    }
    for experiment in &change.experiments {
        connection
            .prepare_cached(
                "INSERT INTO experiment (id, open, started_at, body) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (id) DO UPDATE
                 SET open = excluded.open, started_at = excluded.started_at, body = excluded.body",
            )?
            .execute(params![
                experiment.id.to_string(),
                experiment.status.is_open(),
                nanos(experiment.started_at),
                experiment_body(experiment)?,
            ])?;
    }
    if let Some(report) = &change.report {
        connection
            .prepare_cached("INSERT INTO cycle (number, report) VALUES (?1, ?2)")?
            .execute(params![report.cycle as i64, readable(report)?])?;
    }
    Ok(true)
}

/// Keeps a version; one that is there already must say the same.
fn make(connection: &Connection, version: &Version) -> Result<(), Failure> {
    let number = version.version;
    let key = params![version.agent.as_str(), number.major, number.minor, number.patch];
    let there: Option<Vec<u8>> = connection
        .prepare_cached(
            "SELECT hash FROM guideline_version WHERE agent = ?1 AND major = ?2 AND minor = ?3 AND patch = ?4",
        )?
        .query_row(key, |row| row.get(0))
        .optional()?;
    match there {
        Some(hash) if hash == version.hash.bytes() => Ok(()),
        Some(_) => Err(changed_version(version).into()),
        None => {
            connection
                .prepare_cached(
                    "INSERT INTO guideline_version (agent, major, minor, patch, hash, body)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                )?
                .execute(params![
                    version.agent.as_str(),
                    number.major,
                    number.minor,
                    number.patch,
                    version.hash.bytes(),
                    json(version),
                ])?;
            Ok(())
        }
    }
}
