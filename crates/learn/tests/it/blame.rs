//! Which move of a failed trace is looked at first.

use learn::blame::{decisive, fit};
use learn::sketch;

use crate::stories::story;

#[test]
fn shares_add_up_and_the_likeliest_comes_first() {
    let failed =
        sketch(&story(false, &["user: find it", "agent: I will look.", "search {} ! not found", "agent: Sorry."]));
    let moves = decisive(&failed);
    assert_eq!(moves.len(), 4);
    assert!((moves.iter().map(|(_, share)| share).sum::<f64>() - 1.0).abs() < 1e-9);
    assert!(moves.windows(2).all(|pair| pair[0].1 >= pair[1].1));
    assert!(moves[0].0 > 0, "who asked is not to blame: {moves:?}");
    assert!(decisive(&sketch(&story(false, &[]))).is_empty());
}

#[test]
fn a_sign_that_always_marks_the_decisive_move_is_learnt() {
    let log = |at: usize| {
        let mut lines = vec!["agent: nothing of note"; 8];
        lines[at] = "agent: let's assume it is so";
        (sketch(&story(false, &lines)), at)
    };
    let known: Vec<_> = (0..40).map(|at| log(at % 8)).collect();
    let blame = fit(&known);
    assert!((0..8).all(|at| blame.decisive(&log(at).0)[0].0 == at));
    assert!(blame.weights().any(|(sign, weight)| sign == "assumes" && weight > 0.1));
}
