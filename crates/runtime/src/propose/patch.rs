//! What makes one plan out of another, written as JSON Patch.

use domain::approval::Patch;
use serde_json::Value;

/// The operations that make `after` out of `before`, in the order in which they apply.
pub(super) fn between(before: &Value, after: &Value) -> Vec<Patch> {
    let mut patches = Vec::new();
    compare(&mut patches, String::new(), before, after);
    patches
}

fn compare(patches: &mut Vec<Patch>, path: String, before: &Value, after: &Value) {
    match (before, after) {
        (before, after) if before == after => {}
        (Value::Object(old), Value::Object(new)) => {
            for name in old.keys().filter(|name| !new.contains_key(*name)) {
                patches.push(patch("remove", within(&path, name), None));
            }
            for (name, value) in new {
                match old.get(name) {
                    Some(was) => compare(patches, within(&path, name), was, value),
                    None => patches.push(patch("add", within(&path, name), Some(value))),
                }
            }
        }
        (Value::Array(old), Value::Array(new)) => lists(patches, &path, old, new),
        (_, after) => patches.push(patch("replace", path, Some(after))),
    }
}

/// What both lists begin and end with stays; what lies between is changed place by place, then cut or added to.
fn lists(patches: &mut Vec<Patch>, path: &str, old: &[Value], new: &[Value]) {
    let start = old.iter().zip(new).take_while(|(was, is)| was == is).count();
    let (old, new) = (&old[start..], &new[start..]);
    let end = old.iter().rev().zip(new.iter().rev()).take_while(|(was, is)| was == is).count();
    let (old, new) = (&old[..old.len() - end], &new[..new.len() - end]);
    let both = old.len().min(new.len());
    for (at, (was, is)) in old.iter().zip(new).enumerate() {
        compare(patches, within(path, &(start + at).to_string()), was, is);
    }
    for at in (both..old.len()).rev() {
        patches.push(patch("remove", within(path, &(start + at).to_string()), None));
    }
    for (at, added) in new.iter().enumerate().skip(both) {
        patches.push(patch("add", within(path, &(start + at).to_string()), Some(added)));
    }
}

fn patch(op: &str, path: String, value: Option<&Value>) -> Patch {
    Patch { op: op.to_owned(), path, value: value.cloned() }
}

fn within(path: &str, name: &str) -> String {
    format!("{path}/{}", name.replace('~', "~0").replace('/', "~1"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    /// Does what a patch says.
    fn apply(value: &mut Value, patch: &Patch) {
        let path: Vec<String> =
            patch.path.split('/').skip(1).map(|name| name.replace("~1", "/").replace("~0", "~")).collect();
        let Some((last, above)) = path.split_last() else {
            *value = patch.value.clone().expect("a value");
            return;
        };
        let parent = above.iter().fold(value, |value, name| match value {
            Value::Array(items) => &mut items[name.parse::<usize>().expect("a place")],
            other => other.get_mut(name).expect("it is there"),
        });
        match (parent, patch.op.as_str()) {
            (Value::Array(items), "add") => {
                items.insert(last.parse().expect("a place"), patch.value.clone().expect("a value"))
            }
            (Value::Array(items), "remove") => drop(items.remove(last.parse().expect("a place"))),
            (Value::Array(items), _) => {
                items[last.parse::<usize>().expect("a place")] = patch.value.clone().expect("a value");
            }
            (Value::Object(fields), "remove") => drop(fields.remove(last).expect("it is there")),
            (Value::Object(fields), _) => drop(fields.insert(last.clone(), patch.value.clone().expect("a value"))),
            (other, _) => panic!("{other} has no parts"),
        }
    }

    fn anything() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![Just(Value::Null), any::<bool>().prop_map(Value::from), (0..4).prop_map(Value::from)];
        leaf.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map("[a-c/~]{1,2}", inner, 0..4).prop_map(|map| json!(map)),
            ]
        })
    }

    proptest! {
        #[test]
        fn one_value_becomes_the_other(before in anything(), after in anything()) {
            let mut value = before.clone();
            between(&before, &after).iter().for_each(|patch| apply(&mut value, patch));
            prop_assert_eq!(value, after);
        }
    }

    #[test]
    fn only_what_differs_is_named() {
        let before = json!({"steps": [{"id": "a"}, {"id": "b", "tools": ["x.y"]}, {"id": "c"}]});
        let after = json!({"steps": [{"id": "a"}, {"id": "b", "tools": ["x.z"]}, {"id": "c"}, {"id": "d"}]});
        let patches = between(&before, &after);
        let said: Vec<String> = patches.iter().map(|patch| format!("{} {}", patch.op, patch.path)).collect();
        assert_eq!(said, ["replace /steps/1/tools/0", "add /steps/3"]);
        assert!(between(&before, &before).is_empty());
    }
}
