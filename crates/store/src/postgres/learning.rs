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

use super::columns::collect;
use super::fault::fault;
use super::{Postgres, revision};
use crate::filter::whole;
use crate::instant::nanos;
use crate::learnt;

#[async_trait]
impl Learning for Postgres {
    async fn take_up_learning(&self, worker: &str, now: Timestamp, until: Timestamp) -> Result<bool, StoreError> {
        let taken = sqlx::query(
            "UPDATE learning
             SET learner = $1, until = $3
             WHERE learner IS NULL OR learner = $1 OR until <= $2",
        )
        .bind(worker)
        .bind(nanos(now))
        .bind(nanos(until))
        .execute(&self.pool)
        .await
        .map_err(fault)?;
        Ok(taken.rows_affected() == 1)
    }

    async fn lay_down_learning(&self, worker: &str) -> Result<(), StoreError> {
        sqlx::query("UPDATE learning SET learner = NULL, until = NULL WHERE learner = $1")
            .bind(worker)
            .execute(&self.pool)
            .await
            .map_err(fault)
            .map(drop)
    }

    async fn learned(&self) -> Result<Learned, StoreError> {
        let rows = sqlx::query("SELECT revision, cycles, mark, state, learner, until FROM learning")
            .fetch_all(&self.pool)
            .await;
        Ok(collect(rows, |row| learnt::learned(row))?.into_iter().next().unwrap_or_default())
    }

    async fn revise(&self, revision: u64, change: Revision) -> Result<bool, StoreError> {
        let mut transaction = self.pool.begin().await.map_err(fault)?;
        let revised = revision::revise(&mut transaction, revision as i64, &change).await?;
        transaction.commit().await.map_err(fault)?;
        Ok(revised)
    }

    async fn taken(&self, traces: &[TraceId]) -> Result<Vec<Sketch>, StoreError> {
        let rows = sqlx::query("SELECT sketch FROM evidence WHERE trace = ANY($1) ORDER BY trace")
            .bind(traces.iter().map(TraceId::as_str).collect::<Vec<_>>())
            .fetch_all(&self.pool)
            .await;
        collect(rows, |row| learnt::body(row))
    }

    async fn evidence(&self, after: Option<&TraceId>, limit: usize) -> Result<Vec<Sketch>, StoreError> {
        let rows = sqlx::query("SELECT sketch FROM evidence WHERE trace > $1 ORDER BY trace LIMIT $2")
            .bind(after.map(TraceId::as_str).unwrap_or_default())
            .bind(whole(limit))
            .fetch_all(&self.pool)
            .await;
        collect(rows, |row| learnt::body(row))
    }

    async fn observations(&self, experiment: &ExperimentId) -> Result<Vec<Observation>, StoreError> {
        let rows = sqlx::query(
            "SELECT experiment, trace, arm, success FROM observation WHERE experiment = $1 ORDER BY ordinal",
        )
        .bind(experiment.to_string())
        .fetch_all(&self.pool)
        .await;
        collect(rows, |row| learnt::observation(row))
    }

    async fn lessons(&self) -> Result<Vec<Lesson>, StoreError> {
        let rows = sqlx::query("SELECT body FROM lesson ORDER BY changed_at DESC, id").fetch_all(&self.pool).await;
        collect(rows, |row| learnt::body(row))
    }

    async fn lesson(&self, id: &LessonId) -> Result<Option<Lesson>, StoreError> {
        let rows =
            sqlx::query("SELECT body FROM lesson WHERE id = $1").bind(id.to_string()).fetch_all(&self.pool).await;
        Ok(collect(rows, |row| learnt::body(row))?.into_iter().next())
    }

    async fn guideline_versions(&self, agent: &Symbol) -> Result<Vec<(Version, bool)>, StoreError> {
        let rows = sqlx::query(
            "SELECT body, EXISTS (
                 SELECT 1
                 FROM guideline
                 WHERE guideline.agent = made.agent
                     AND (guideline.major, guideline.minor, guideline.patch) = (made.major, made.minor, made.patch)
             )
             FROM guideline_version AS made
             WHERE agent = $1
             ORDER BY major DESC, minor DESC, patch DESC",
        )
        .bind(agent.as_str())
        .fetch_all(&self.pool)
        .await;
        collect(rows, |row| learnt::body_and_truth(row))
    }

    async fn guidelines(&self) -> Result<Vec<Version>, StoreError> {
        let rows = sqlx::query(
            "SELECT body
             FROM guideline JOIN guideline_version USING (agent, major, minor, patch)
             ORDER BY agent",
        )
        .fetch_all(&self.pool)
        .await;
        collect(rows, |row| learnt::body(row))
    }

    async fn experiments(&self, open: bool) -> Result<Vec<Experiment>, StoreError> {
        let statement = match open {
            true => "SELECT body FROM experiment WHERE open ORDER BY started_at DESC, id DESC",
            false => "SELECT body FROM experiment ORDER BY started_at DESC, id DESC",
        };
        collect(sqlx::query(statement).fetch_all(&self.pool).await, |row| learnt::body(row))
    }

    async fn reports(&self, limit: usize) -> Result<Vec<Report>, StoreError> {
        let rows = sqlx::query("SELECT report FROM cycle ORDER BY number DESC LIMIT $1")
            .bind(whole(limit))
            .fetch_all(&self.pool)
            .await;
        collect(rows, |row| learnt::body(row))
    }
}
