//! What two templates have in common. What differs between them must be explained by the words that differ in the same
//! place; then the two say more than each alone: what changes, and how it is written.

use domain::skill::{Example, Lifted, Parameter, Piece, Source, Template, TextPiece};
use serde_json::Value;

use super::align::{Column, Segment, align};
use super::judge::settled;
use super::lift::name;
use super::meet::{meet, narrow};
use super::place::{Place, lifted, written};
use super::said::plain;

/// How many requests a template remembers.
const MOST_REQUESTS: usize = 16;

/// A template that both are instances of; nothing where they are not the same shape.
pub fn unify(one: &Template, other: &Template) -> Option<Template> {
    if one.family() != other.family() {
        return None;
    }
    let segments = align(one, other)?;
    let columns: Vec<&Column> = segments
        .iter()
        .filter_map(|segment| match segment {
            Segment::Column(column) => Some(column),
            Segment::Words(_) => None,
        })
        .collect();
    let plans: Vec<Value> = plans(one)?.into_iter().chain(plans(other)?).collect();
    let requests: Vec<&String> = one.requests().iter().chain(other.requests()).collect();
    let rows: Vec<Vec<Example>> =
        (0..requests.len()).map(|row| columns.iter().map(|column| column.said[row].clone()).collect()).collect();
    let holed: Vec<Lifted> = plans
        .iter()
        .zip(&requests)
        .zip(&rows)
        .map(|((plan, request), row)| lifted(plan, Place::Frame, request, row))
        .collect();
    let mut plan = meet(&holed.iter().zip(&plans).collect::<Vec<_>>())?;
    // What earlier requests ruled out stays ruled out, though they may be forgotten.
    for (which, template) in [one, other].into_iter().enumerate() {
        let becomes = |parameter: usize| columns.iter().position(|column| column.was[which] == Some(parameter));
        narrow(&mut plan, &renumbered(template.plan(), &becomes));
    }
    let kept = worth_keeping(&rows);
    let mut parameters: Vec<Parameter> = Vec::new();
    for column in &columns {
        let taken: Vec<&str> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        let name = name(&plan, parameters.len(), column.kind, &taken);
        parameters.push(settled(Parameter {
            name,
            kind: column.kind,
            examples: kept.iter().map(|row| column.said[*row].clone()).collect(),
            within: column.within.clone(),
            required: true,
        }));
    }
    let mut holes = 0..;
    let pieces = segments.iter().filter_map(|segment| match segment {
        Segment::Words(words) => Some(Piece::Words(words.clone())),
        Segment::Column(_) => holes.next().map(Piece::Hole),
    });
    let requests = kept.iter().map(|row| requests[*row].clone()).collect();
    Template::new(pieces.collect(), parameters, plan, requests).ok()
}

/// The plans that a template was made from.
fn plans(template: &Template) -> Option<Vec<Value>> {
    let of_request = |(row, request): (usize, &String)| {
        let said: Vec<Example> = template.parameters().iter().map(|it| it.examples[row].clone()).collect();
        written(template.plan(), request, &said).ok()
    };
    template.requests().iter().enumerate().map(of_request).collect()
}

/// A plan whose holes are those of other parameters; sources that are no longer there are left out.
fn renumbered(plan: &Lifted, becomes: &dyn Fn(usize) -> Option<usize>) -> Lifted {
    let renumber = |sources: &std::collections::BTreeSet<Source>| {
        let kept = sources
            .iter()
            .filter_map(|source| becomes(source.parameter).map(|parameter| Source { parameter, form: source.form }));
        kept.collect()
    };
    match plan {
        Lifted::Fixed(_) | Lifted::Request => plan.clone(),
        Lifted::Hole(sources) => Lifted::Hole(renumber(sources)),
        Lifted::Text(pieces) => {
            let piece = |piece: &TextPiece| match piece {
                TextPiece::Words(words) => TextPiece::Words(words.clone()),
                TextPiece::Hole(sources) => TextPiece::Hole(renumber(sources)),
            };
            Lifted::Text(pieces.iter().map(piece).collect())
        }
        Lifted::List(items) => Lifted::List(items.iter().map(|item| renumbered(item, becomes)).collect()),
        Lifted::Fields(fields) => {
            Lifted::Fields(fields.iter().map(|(name, field)| (name.clone(), renumbered(field, becomes))).collect())
        }
    }
}

/// The requests that say something the ones before did not, as many as are remembered.
fn worth_keeping(rows: &[Vec<Example>]) -> Vec<usize> {
    let normal = |row: &Vec<Example>| -> Vec<Vec<String>> {
        row.iter().map(|example| plain(&example.said).into_iter().map(|(word, _)| word).collect()).collect()
    };
    let mut seen = Vec::new();
    let mut kept = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let said = normal(row);
        if kept.len() < MOST_REQUESTS && !seen.contains(&said) {
            seen.push(said);
            kept.push(at);
        }
    }
    kept
}
