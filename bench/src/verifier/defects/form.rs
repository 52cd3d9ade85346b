//! Plans that do not hang together, and tools that are not there.

use domain::finding::Code;
use domain::hash::Hash;
use serde_json::json;

use super::{Defect, argument, at, call, step, steps};

pub(super) const DEFECTS: &[Defect] = &[
    Defect {
        name: "steps are no list",
        plant: |_, _, plan, _| {
            plan["steps"] = json!("first this, then that");
            Some(Code::NotAPlan)
        },
    },
    Defect {
        name: "no steps",
        plant: |_, _, plan, _| {
            *plan = json!({"goal": "nothing", "steps": []});
            Some(Code::NoSteps)
        },
    },
    Defect {
        name: "too many steps",
        plant: |_, _, plan, _| {
            let more = (0..101).map(|n| json!({"id": format!("more{n}"), "goal": "more"}));
            steps(plan).extend(more);
            Some(Code::TooManySteps)
        },
    },
    Defect {
        name: "a name twice",
        plant: |_, dice, plan, _| {
            let steps = steps(plan);
            let twin = steps[at(dice, steps.len())].clone();
            steps.push(twin);
            Some(Code::SameId)
        },
    },
    Defect {
        name: "waits for an unknown step",
        plant: |_, dice, plan, _| {
            step(dice, plan)["depends_on"] = json!(["nowhere"]);
            Some(Code::UnknownStep)
        },
    },
    Defect {
        name: "refers to an unknown step",
        plant: |set, dice, plan, _| {
            let (arguments, name) = argument(set, dice, plan, |_, schema| schema["type"] == "string")?;
            arguments[&name] = json!("${nowhere.name}");
            Some(Code::UnknownStep)
        },
    },
    Defect {
        name: "answer with an unknown step",
        plant: |_, _, plan, _| {
            plan["answer"] = json!("It is ${nowhere.name}.");
            Some(Code::UnknownStep)
        },
    },
    Defect {
        name: "a circle",
        plant: |_, dice, plan, _| {
            let steps = steps(plan);
            let (one, other) = (at(dice, steps.len()), at(dice, steps.len()));
            let ids = [steps[one]["id"].clone(), steps[other]["id"].clone()];
            (one != other).then(|| {
                steps[one]["depends_on"] = json!([ids[1]]);
                steps[other]["depends_on"] = json!([ids[0]]);
                Code::Circle
            })
        },
    },
    Defect {
        name: "waits for itself",
        plant: |_, dice, plan, _| {
            let step = step(dice, plan);
            step["depends_on"] = json!([step["id"]]);
            Some(Code::OwnResult)
        },
    },
    Defect {
        name: "unreadable name",
        plant: |_, dice, plan, _| {
            step(dice, plan)["id"] = json!("my step!");
            Some(Code::BadName)
        },
    },
    Defect {
        name: "unreadable condition",
        plant: |_, dice, plan, _| {
            let broken = ["${s1.x} >", "s1 is done", "(${s1.x}", "${s1.x} = 3", "exists 5"];
            step(dice, plan)["when"] = json!(broken[at(dice, broken.len())]);
            Some(Code::BadCondition)
        },
    },
    Defect {
        name: "unreadable reference",
        plant: |set, dice, plan, _| {
            let (arguments, name) = argument(set, dice, plan, |_, _| true)?;
            let broken = ["${s1.}", "${s1[x]}", "${}", "${s1"];
            arguments[&name] = json!(broken[at(dice, broken.len())]);
            Some(Code::BadReference)
        },
    },
    Defect {
        name: "arguments are a list",
        plant: |set, dice, plan, _| {
            call(set, dice, plan, |_| true)?.0["arguments"] = json!(["Oslo"]);
            Some(Code::ArgumentsNoObject)
        },
    },
    Defect {
        name: "impossible number of turns",
        plant: |_, dice, plan, _| {
            let agent = steps(plan).iter_mut().find(|step| step.get("tool").is_none())?;
            agent["max_iterations"] = json!([0, 51, -1, 1_000][at(dice, 4)]);
            Some(Code::Turns)
        },
    },
    Defect {
        name: "a step without a task",
        plant: |_, dice, plan, _| {
            let step = step(dice, plan);
            *step = json!({"id": step["id"]});
            Some(Code::EmptyStep)
        },
    },
    Defect {
        name: "misspelt tool",
        plant: |set, dice, plan, _| {
            let (step, spec) = call(set, dice, plan, |_| true)?;
            step["tool"] = json!(format!("{}x", spec.name));
            Some(Code::UnknownTool)
        },
    },
    Defect {
        name: "misspelt tool of an agent",
        plant: |_, _, plan, _| {
            let agent = steps(plan).iter_mut().find(|step| step.get("tool").is_none())?;
            agent["tools"] = json!(["wether.now"]);
            Some(Code::UnknownTool)
        },
    },
    Defect {
        name: "misspelt tool of an intent",
        plant: |_, _, plan, _| {
            plan["intents"] = json!([{"tool": "leter.send", "arguments": {}}]);
            Some(Code::UnknownTool)
        },
    },
    Defect {
        name: "a declaration that changed",
        plant: |set, dice, plan, circumstances| {
            let (_, spec) = call(set, dice, plan, |_| true)?;
            circumstances.pins = Some([(spec.name.clone(), Hash::of(b"as it was"))].into());
            Some(Code::ChangedTool)
        },
    },
];
