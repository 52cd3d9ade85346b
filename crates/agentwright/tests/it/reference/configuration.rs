//! The keys of the configuration: what each is for from the comments in the code, what it is from the code itself.

use std::collections::BTreeMap;

use agentwright::config::Config;

use super::{root, up_to_date};

/// A field of a section as it stands in the code.
struct Field {
    name: String,
    kind: String,
    says: String,
}

#[test]
fn the_reference_of_the_configuration_is_up_to_date() {
    let sections = sections();
    let usual = toml::Table::try_from(Config::default()).expect("a table");
    let mut text = String::from(
        "# Configuration\n\nEvery key of `agentwright.toml`, in the order of the code. `AGENTWRIGHT__SECTION__KEY` sets the \
         same from outside; `agentwright config show --origin` says what holds here, and why.\n",
    );
    let mut deeper = vec![(String::new(), "Config".to_owned(), Some(usual))];
    while let Some((path, kind, usual)) = deeper.pop() {
        let fields = sections.get(&kind).unwrap_or_else(|| panic!("`{kind}` is not in the code"));
        let mut rows = String::new();
        let mut below = Vec::new();
        for field in fields {
            let key = if path.is_empty() { field.name.clone() } else { format!("{path}.{}", field.name) };
            let value = usual.as_ref().and_then(|usual| usual.get(&field.name));
            match sections.contains_key(&field.kind) {
                true => below.push((key, field.kind.clone(), value.and_then(toml::Value::as_table).cloned())),
                false => {
                    let usually = value.map_or_else(|| "—".to_owned(), |value| format!("`{value}`"));
                    rows.push_str(&format!("| `{}` | {usually} | {} |\n", field.name, field.says.replace('|', "\\|")));
                }
            }
        }
        if !rows.is_empty() {
            text.push_str(&format!("\n## `[{path}]`\n\n| key | usually | |\n|---|---|---|\n{rows}"));
        }
        deeper.extend(below.into_iter().rev());
    }
    up_to_date("configuration.md", &text);
}

/// The structs of the configuration, by name.
fn sections() -> BTreeMap<String, Vec<Field>> {
    let folder = root().join("crates/agentwright/src/config");
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            read(&std::fs::read_to_string(path).expect("readable"), &mut found);
        }
    }
    found
}

fn read(source: &str, found: &mut BTreeMap<String, Vec<Field>>) {
    let (mut open, mut fields, mut says) = (None, Vec::new(), String::new());
    for line in source.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix("pub struct ").and_then(|rest| rest.strip_suffix(" {")) {
            (open, says) = (Some(name.to_owned()), String::new());
        } else if let Some(words) = line.strip_prefix("///") {
            says = format!("{says} {}", words.trim());
        } else if let (Some(name), "}") = (&open, line) {
            // What has nothing of its own to set is a value.
            if !fields.is_empty() {
                found.insert(name.clone(), std::mem::take(&mut fields));
            }
            open = None;
        } else if let Some((name, kind)) = field(line).filter(|_| open.is_some()) {
            fields.push(Field { name, kind, says: std::mem::take(&mut says).trim().to_owned() });
        } else if !line.starts_with("#[") {
            says.clear();
        }
    }
}

/// `pub name: Option<Kind>,` as its name and the kind within.
fn field(line: &str) -> Option<(String, String)> {
    let (name, kind) = line.strip_prefix("pub ")?.strip_suffix(',')?.split_once(": ")?;
    let within = kind.rsplit(['<', ' ']).next().unwrap_or(kind).trim_end_matches('>');
    Some((name.trim_start_matches("r#").to_owned(), within.to_owned()))
}
