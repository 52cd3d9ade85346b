//! What people are asked to decide, and how that stands.

use std::sync::Arc;

use domain::approval::{
    Approval, ApprovalFilter, ApprovalId, ApprovalStatus, Decided, Proposal, ProposedEffect, Risk, Subject, Verdict,
};
use domain::event::{Entry, Event, Need};
use domain::id::RunId;
use domain::plan::Call;
use domain::run::Ending;
use domain::store::{Cursor, RunFilter, Signalled, Store, StoreError, Token};
use serde_json::{Value, json};

use super::language::{accepted, answered, at, claimed, commit, completed, due, entry_at, finished, waiting};

fn proposal(risk: Risk) -> Proposal {
    let call = Call { tool: "mail.send".parse().expect("a tool"), arguments: json!({"to": "ü\u{0}\u{1F408}"}) };
    Proposal {
        subject: Subject::Call { step: None, call },
        summary: "Writes \u{0} a letter".into(),
        why: "it cannot be taken back".into(),
        rule: Some("mail".into()),
        agents: Vec::new(),
        effects: vec![ProposedEffect {
            step: None,
            tool: "mail.send".parse().expect("a tool"),
            words: "sends a letter".into(),
            reversible: false,
            external: true,
        }],
        estimate: None,
        findings: Vec::new(),
        risk,
    }
}

fn approval(risk: Risk) -> Need {
    let proposal = proposal(risk);
    Need::Approval { question: "May I?".into(), hash: proposal.hash(), proposal: Some(Box::new(proposal)) }
}

fn decided_by(second: i64, name: &str, answer: Value, by: Option<&str>) -> Entry {
    let event = Event::Answered { name: name.into(), answer, by: by.map(str::to_owned) };
    entry_at(second, &format!("answer/{name}"), event)
}

/// A run that asks one question.
async fn asking(store: &Arc<dyn Store>, second: i64, name: &str, risk: Risk, until: Option<i64>) -> Token {
    let token = claimed(store, "write a letter").await;
    commit(store, token, vec![waiting(second, name, approval(risk), until.map(at))]).await;
    token
}

async fn shown(store: &Arc<dyn Store>, run: RunId, name: &str, second: i64) -> Approval {
    store.approval(ApprovalId::of(run, name), at(second)).await.expect("read").expect("there")
}

async fn standing(store: &Arc<dyn Store>, run: RunId, name: &str, second: i64) -> ApprovalStatus {
    shown(store, run, name, second).await.status
}

/// The ids of what a filter lets through at second 10, page by page.
async fn listed(store: &Arc<dyn Store>, filter: ApprovalFilter, limit: usize) -> Vec<ApprovalId> {
    let (mut ids, mut cursor) = (Vec::new(), None);
    loop {
        let (page, next) = store.approvals(&filter, at(10), cursor.as_ref(), limit).await.expect("approvals");
        assert!(page.len() <= limit && (next.is_none() || page.len() == limit), "a page is as long as it may be");
        ids.extend(page.into_iter().map(|approval| approval.id));
        match next {
            Some(next) => cursor = Some(next),
            None => return ids,
        }
    }
}

pub(super) async fn a_question_is_shown_as_it_was_asked(store: Arc<dyn Store>) {
    let token = asking(&store, 3, "plan/1/approval", Risk::High, Some(50)).await;
    let proposal = proposal(Risk::High);
    let expected = Approval {
        id: ApprovalId::of(token.run, "plan/1/approval"),
        run: token.run,
        name: "plan/1/approval".into(),
        question: "May I?".into(),
        hash: proposal.hash(),
        proposal,
        asked_at: at(3),
        expires_at: Some(at(50)),
        status: ApprovalStatus::Pending,
        decided: None,
    };
    assert_eq!(shown(&store, token.run, "plan/1/approval", 4).await, expected);
    let (all, next) = store.approvals(&ApprovalFilter::default(), at(4), None, 9).await.expect("approvals");
    assert_eq!((all, next), (vec![expected], None));
    let other = ApprovalId::of(token.run, "plan/2/approval");
    assert_eq!(store.approval(other, at(4)).await.expect("read"), None);
}

pub(super) async fn other_questions_are_no_approvals(store: Arc<dyn Store>) {
    let token = claimed(&store, "ask").await;
    let bare = Need::Approval { question: "May I?".into(), hash: proposal(Risk::Low).hash(), proposal: None };
    let needs = [bare, Need::Answer { question: "?".into() }, Need::Budget { question: "?".into() }];
    for (n, need) in needs.into_iter().enumerate() {
        commit(&store, token, vec![waiting(1, &format!("w{n}"), need, None)]).await;
        assert_eq!(store.approval(ApprovalId::of(token.run, &format!("w{n}")), at(2)).await.expect("read"), None);
    }
    assert!(listed(&store, ApprovalFilter::default(), 9).await.is_empty());
    assert_eq!(store.waits(None, 9).await.expect("waits").len(), 3);
}

pub(super) async fn the_first_answer_decides(store: Arc<dyn Store>) {
    let run = asking(&store, 3, "a", Risk::Medium, Some(50)).await.run;
    let answer = json!({"decision": "reject", "hash": proposal(Risk::Medium).hash(), "reason": "no\u{0} \u{1F408}"});
    let first = store.signal(run, decided_by(7, "a", answer.clone(), Some("Ann \u{0}"))).await.expect("signalled");
    assert_eq!(first, Signalled::Recorded);
    let second = store.signal(run, decided_by(8, "a", json!(true), Some("Bob"))).await.expect("signalled");
    assert!(matches!(second, Signalled::Late(_)), "{second:?}");
    let decided = Decided { answer: answer.clone(), by: Some("Ann \u{FFFD}".into()), at: at(7) };
    // However late one looks.
    for now in [0, 9, 99] {
        let shown = shown(&store, run, "a", now).await;
        assert_eq!((shown.status, shown.decided.as_ref()), (ApprovalStatus::Decided, Some(&decided)));
    }
    assert!(Verdict::read(&answer, proposal(Risk::Medium).hash()).is_some());
    let plain = asking(&store, 3, "a", Risk::Medium, None).await.run;
    store.signal(plain, answered(8, "a", true)).await.expect("signalled");
    let decided = Decided { answer: json!(true), by: None, at: at(8) };
    assert_eq!(shown(&store, plain, "a", 9).await.decided, Some(decided));
}

pub(super) async fn an_answer_before_the_question_decides_it(store: Arc<dyn Store>) {
    let run = accepted(&store, "early").await;
    store.signal(run, decided_by(1, "a", json!("yes"), Some("Ann"))).await.expect("signalled");
    assert!(listed(&store, ApprovalFilter::default(), 9).await.is_empty(), "nothing was asked yet");
    let token = store.claim(run, "me").await.expect("claimed").token;
    commit(&store, token, vec![waiting(2, "a", approval(Risk::Low), Some(at(5)))]).await;
    store.release(token, None).await.expect("released");
    let shown = shown(&store, run, "a", 9).await;
    let decided = Decided { answer: json!("yes"), by: Some("Ann".into()), at: at(1) };
    assert_eq!((shown.status, shown.asked_at, shown.decided), (ApprovalStatus::Decided, at(2), Some(decided)));
    assert_eq!(due(&store, 2).await, [run]);
}

pub(super) async fn a_question_expires_by_itself(store: Arc<dyn Store>) {
    let token = asking(&store, 3, "a", Risk::Low, Some(50)).await;
    for (now, expected) in [(49, ApprovalStatus::Pending), (50, ApprovalStatus::Expired), (60, ApprovalStatus::Expired)]
    {
        assert_eq!(standing(&store, token.run, "a", now).await, expected);
    }
    // Once the run has noticed it is so whatever the clock of who looks says.
    commit(&store, token, vec![decided_by(51, "a", Value::Null, Some("expiry"))]).await;
    let shown = shown(&store, token.run, "a", 0).await;
    assert_eq!((shown.status, shown.decided), (ApprovalStatus::Expired, None));
    let patient = asking(&store, 3, "a", Risk::Low, None).await;
    assert_eq!(standing(&store, patient.run, "a", 1_000_000).await, ApprovalStatus::Pending);
}

pub(super) async fn what_nobody_answered_is_withdrawn_when_the_run_ends(store: Arc<dyn Store>) {
    let token = asking(&store, 3, "open", Risk::High, Some(50)).await;
    commit(&store, token, vec![waiting(3, "said", approval(Risk::Low), None)]).await;
    store.signal(token.run, answered(4, "said", false)).await.expect("signalled");
    commit(&store, token, vec![finished(5, Ending::Cancelled { reason: None })]).await;
    for now in [0, 6, 60] {
        assert_eq!(standing(&store, token.run, "open", now).await, ApprovalStatus::Withdrawn);
        assert_eq!(standing(&store, token.run, "said", now).await, ApprovalStatus::Decided);
    }
    assert_eq!(store.waits(None, 9).await.expect("waits"), []);
    assert_eq!(store.waits(Some(token.run), 9).await.expect("waits"), []);
    let late = store.signal(token.run, answered(6, "open", true)).await.expect("signalled");
    assert!(matches!(late, Signalled::Ended(_)), "{late:?}");
}

pub(super) async fn the_gravest_and_then_the_oldest_come_first(store: Arc<dyn Store>) {
    let mut asked = Vec::new();
    for (n, (risk, second)) in
        [(Risk::Low, 1), (Risk::High, 5), (Risk::Medium, 2), (Risk::High, 3), (Risk::Low, 0), (Risk::Medium, 2)]
            .into_iter()
            .enumerate()
    {
        let run = asking(&store, second, &format!("a{n}"), risk, None).await.run;
        asked.push(((std::cmp::Reverse(risk), second), ApprovalId::of(run, &format!("a{n}"))));
    }
    asked.sort();
    let expected: Vec<ApprovalId> = asked.into_iter().map(|(_, id)| id).collect();
    for limit in [1, 2, 6, 9] {
        assert_eq!(listed(&store, ApprovalFilter::default(), limit).await, expected, "{limit}");
        let pending = ApprovalFilter { status: Some(ApprovalStatus::Pending), run: None };
        assert_eq!(listed(&store, pending, limit).await, expected, "{limit}");
    }
    for wrong in ["", "0", "run_1", &format!("0{:016x}apr_", 1)] {
        let refused = store.approvals(&ApprovalFilter::default(), at(1), Some(&Cursor(wrong.into())), 1).await;
        assert!(matches!(refused, Err(StoreError::BadCursor { .. })), "{refused:?}");
    }
}

pub(super) async fn questions_are_found_by_run_and_state(store: Arc<dyn Store>) {
    let pending = asking(&store, 1, "a", Risk::Low, Some(50)).await;
    let decided = asking(&store, 2, "a", Risk::Low, None).await;
    store.signal(decided.run, answered(3, "a", true)).await.expect("signalled");
    let late = asking(&store, 3, "a", Risk::Low, Some(9)).await;
    let expired = asking(&store, 4, "a", Risk::Low, Some(5)).await;
    commit(&store, expired, vec![decided_by(6, "a", Value::Null, Some("expiry"))]).await;
    let withdrawn = asking(&store, 5, "a", Risk::Low, None).await;
    commit(&store, withdrawn, vec![completed(6, "never mind")]).await;
    let all = [(ApprovalStatus::Pending, vec![pending]), (ApprovalStatus::Decided, vec![decided])];
    let rest = [(ApprovalStatus::Expired, vec![late, expired]), (ApprovalStatus::Withdrawn, vec![withdrawn])];
    for (status, tokens) in all.into_iter().chain(rest) {
        let ids: Vec<_> = tokens.iter().map(|token| ApprovalId::of(token.run, "a")).collect();
        assert_eq!(listed(&store, ApprovalFilter { run: None, status: Some(status) }, 1).await, ids, "{status:?}");
        for (token, id) in tokens.iter().zip(ids) {
            for asked in ApprovalStatus::ALL {
                let filter = ApprovalFilter { run: Some(token.run), status: Some(asked) };
                let expected = if asked == status { vec![id] } else { Vec::new() };
                assert_eq!(listed(&store, filter, 9).await, expected, "{status:?} {asked:?}");
            }
            assert_eq!(listed(&store, ApprovalFilter { run: Some(token.run), status: None }, 9).await, [id]);
        }
    }
    assert_eq!(listed(&store, ApprovalFilter { run: Some(RunId::fresh()), status: None }, 9).await, []);
}

pub(super) async fn clearing_runs_deletes_what_they_asked(store: Arc<dyn Store>) {
    let over = asking(&store, 1, "a", Risk::Low, None).await;
    commit(&store, over, vec![completed(2, "done")]).await;
    let open = asking(&store, 3, "a", Risk::Low, None).await;
    assert_eq!(store.clear(&RunFilter::default()).await.expect("cleared"), 1);
    assert_eq!(listed(&store, ApprovalFilter::default(), 9).await, [ApprovalId::of(open.run, "a")]);
    assert_eq!(store.approval(ApprovalId::of(over.run, "a"), at(4)).await.expect("read"), None);
}
