//! Changing what was learnt: all of it or nothing, and only if nobody changed anything since it was read.

use domain::guideline::{Experiment, Lesson, Observation, Revision, Semver, Version};
use domain::id::TraceId;
use domain::store::StoreError;
use domain::symbol::Symbol;
use domain::trace::Sketch;
use sqlx::PgConnection;

use super::fault::fault;
use crate::batch::json;
use crate::instant::nanos;
use crate::learnt::{arm_word, changed_version, experiment_body, readable};

/// Says whether the revision was the last one. Its row is changed first: whoever else revises waits, and is too late.
pub(super) async fn revise(
    connection: &mut PgConnection,
    revision: i64,
    change: &Revision,
) -> Result<bool, StoreError> {
    if !raise(connection, revision, change).await.map_err(fault)? {
        return Ok(false);
    }
    learn_from(connection, &change.evidence).await.map_err(fault)?;
    observe(connection, &change.observations).await.map_err(fault)?;
    for lesson in &change.lessons {
        keep_lesson(connection, lesson, readable(lesson)?).await.map_err(fault)?;
    }
    for version in &change.versions {
        make(connection, version).await?;
    }
    for (agent, version) in &change.turned {
        turn(connection, agent, *version).await.map_err(fault)?;
    }
    for experiment in &change.experiments {
        keep_experiment(connection, experiment, experiment_body(experiment)?).await.map_err(fault)?;
    }
    if let Some(report) = &change.report {
        sqlx::query("INSERT INTO cycle (number, report) VALUES ($1, $2)")
            .bind(report.cycle as i64)
            .bind(readable(report)?)
            .execute(connection)
            .await
            .map_err(fault)?;
    }
    Ok(true)
}

async fn raise(connection: &mut PgConnection, revision: i64, change: &Revision) -> Result<bool, sqlx::Error> {
    let (mark, state) = change.state.as_ref().map(|(mark, state)| (*mark as i64, &state[..])).unzip();
    let raised = sqlx::query(
        "UPDATE learning
         SET revision = revision + 1, cycles = cycles + $2, mark = coalesce($3, mark), state = coalesce($4, state)
         WHERE revision = $1",
    )
    .bind(revision)
    .bind(i64::from(change.report.is_some()))
    .bind(mark)
    .bind(state)
    .execute(connection)
    .await?;
    Ok(raised.rows_affected() == 1)
}

async fn learn_from(connection: &mut PgConnection, evidence: &[(TraceId, Option<Sketch>)]) -> Result<(), sqlx::Error> {
    // What is said of a trace last counts.
    let evidence: std::collections::BTreeMap<&str, Option<&Sketch>> =
        evidence.iter().map(|(trace, sketch)| (trace.as_str(), sketch.as_ref())).collect();
    let (gone, kept): (Vec<_>, Vec<_>) = evidence.into_iter().partition(|(_, sketch)| sketch.is_none());
    sqlx::query("DELETE FROM evidence WHERE trace = ANY($1)")
        .bind(gone.iter().map(|(trace, _)| *trace).collect::<Vec<_>>())
        .execute(&mut *connection)
        .await?;
    sqlx::query(
        "INSERT INTO evidence (trace, sketch)
         SELECT trace, sketch FROM UNNEST($1::TEXT[], $2::TEXT[]) AS new (trace, sketch)
         ON CONFLICT (trace) DO UPDATE
         SET sketch = excluded.sketch",
    )
    .bind(kept.iter().map(|(trace, _)| *trace).collect::<Vec<_>>())
    .bind(kept.iter().map(|(_, sketch)| json(sketch)).collect::<Vec<_>>())
    .execute(connection)
    .await
    .map(drop)
}

async fn observe(connection: &mut PgConnection, observations: &[Observation]) -> Result<(), sqlx::Error> {
    for seen in observations {
        sqlx::query(
            "INSERT INTO observation (experiment, trace, arm, success)
             VALUES ($1, $2, $3, $4)
             ON CONFLICT (experiment, trace) DO UPDATE
             SET arm = excluded.arm, success = excluded.success",
        )
        .bind(seen.experiment.to_string())
        .bind(seen.trace.as_str())
        .bind(arm_word(seen.arm))
        .bind(seen.success)
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

async fn keep_lesson(connection: &mut PgConnection, lesson: &Lesson, body: String) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO lesson (id, changed_at, body)
         VALUES ($1, $2, $3)
         ON CONFLICT (id) DO UPDATE
         SET changed_at = excluded.changed_at, body = excluded.body",
    )
    .bind(lesson.id.to_string())
    .bind(nanos(lesson.changed_at))
    .bind(body)
    .execute(connection)
    .await
    .map(drop)
}

/// Keeps a version; one that is there already must say the same.
async fn make(connection: &mut PgConnection, version: &Version) -> Result<(), StoreError> {
    let number = version.version;
    let same: Option<bool> = sqlx::query_scalar(
        "INSERT INTO guideline_version (agent, major, minor, patch, hash, body)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (agent, major, minor, patch) DO UPDATE
         SET hash = guideline_version.hash
         RETURNING hash = $5",
    )
    .bind(version.agent.as_str())
    .bind(i64::from(number.major))
    .bind(i64::from(number.minor))
    .bind(i64::from(number.patch))
    .bind(&version.hash.bytes()[..])
    .bind(json(version))
    .fetch_optional(connection)
    .await
    .map_err(fault)?;
    if same == Some(true) { Ok(()) } else { Err(changed_version(version)) }
}

async fn turn(connection: &mut PgConnection, agent: &Symbol, version: Semver) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO guideline (agent, major, minor, patch)
         VALUES ($1, $2, $3, $4)
         ON CONFLICT (agent) DO UPDATE
         SET major = excluded.major, minor = excluded.minor, patch = excluded.patch",
    )
    .bind(agent.as_str())
    .bind(i64::from(version.major))
    .bind(i64::from(version.minor))
    .bind(i64::from(version.patch))
    .execute(connection)
    .await
    .map(drop)
}

async fn keep_experiment(
    connection: &mut PgConnection,
    experiment: &Experiment,
    body: String,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO experiment (id, open, started_at, body)
         VALUES ($1, $2, $3, $4)
         ON CONFLICT (id) DO UPDATE
         SET open = excluded.open, started_at = excluded.started_at, body = excluded.body",
    )
    .bind(experiment.id.to_string())
    .bind(experiment.status.is_open())
    .bind(nanos(experiment.started_at))
    .bind(body)
    .execute(connection)
    .await
    .map(drop)
}
