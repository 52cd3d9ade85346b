//! A server that speaks as Home Assistant does: REST and WebSocket on one port, with the shapes of its developer
//! documentation. Its lamps obey at once, late or never.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use futures::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_tungstenite::tungstenite::Message;

use crate::language::request;

pub(crate) const TOKEN: &str = "long-lived";

/// The server; it ends with its owner.
pub(crate) struct Assistant {
    pub(crate) base: String,
    pub(crate) shared: Arc<Shared>,
    _serving: JoinSet<()>,
}

#[derive(Default)]
pub(crate) struct Shared {
    states: Mutex<BTreeMap<String, Value>>,
    /// What services were called, with what.
    pub(crate) calls: Mutex<Vec<(String, Value)>>,
    /// How often a WebSocket was opened.
    pub(crate) sockets: Mutex<usize>,
    /// Changes that devices make only once somebody watches.
    late: Mutex<BTreeMap<String, Value>>,
    /// Whether it is a version that knows no floors.
    pub(crate) old: AtomicBool,
    /// The status line that services are answered with, if not the usual one.
    pub(crate) trouble: Mutex<Option<&'static str>>,
}

impl Assistant {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("bound");
        let base = format!("http://{}/", listener.local_addr().expect("address"));
        let shared = Arc::new(Shared { states: Mutex::new(states()), ..Shared::default() });
        let mut serving = JoinSet::new();
        let for_all = Arc::clone(&shared);
        serving.spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((socket, _)) = listener.accept().await {
                connections.spawn(serve(socket, Arc::clone(&for_all)));
            }
        });
        Self { base, shared, _serving: serving }
    }

    pub(crate) fn calls(&self) -> Vec<(String, Value)> {
        self.shared.calls.lock().expect("not poisoned").clone()
    }
}

fn states() -> BTreeMap<String, Value> {
    let state = |id: &str, state: &str, attributes: Value| {
        let at = "2026-03-01T12:00:00.000000+00:00";
        let context = json!({"id": "01JA9HHN7STQ6PXMWBMD1NHY2T", "parent_id": null, "user_id": null});
        let state = json!({"entity_id": id, "state": state, "attributes": attributes, "last_changed": at,
                           "last_reported": at, "last_updated": at, "context": context});
        (id.to_owned(), state)
    };
    BTreeMap::from([
        state(
            "light.ceiling",
            "on",
            json!({"friendly_name": "Kitchen Ceiling", "supported_color_modes": ["color_temp", "hs"], "color_mode": "hs",
                   "brightness": 128, "rgb_color": [0, 0, 255], "supported_features": 40}),
        ),
        state(
            "light.late",
            "off",
            json!({"friendly_name": "Late Lamp", "supported_color_modes": ["brightness"], "brightness": null}),
        ),
        state("light.dead", "off", json!({"friendly_name": "Dead Lamp", "supported_color_modes": ["onoff"]})),
        state("light.gone", "unavailable", json!({"friendly_name": "Gone Lamp", "supported_color_modes": ["onoff"]})),
        state(
            "cover.shade",
            "open",
            json!({"friendly_name": "Shade", "device_class": "shade", "current_position": 100, "supported_features": 15}),
        ),
        state("lock.door", "locked", json!({"friendly_name": "Front Door", "supported_features": 0})),
        state(
            "climate.flat",
            "heat",
            json!({"friendly_name": "Flat", "temperature": 20.0, "current_temperature": 19.5, "min_temp": 7, "max_temp": 35,
                   "hvac_modes": ["off", "heat", "cool"], "supported_features": 385}),
        ),
        state(
            "media_player.radio",
            "playing",
            json!({"friendly_name": "Radio", "volume_level": 0.4, "supported_features": 152461}),
        ),
        state(
            "sensor.phone_battery",
            "81",
            json!({"friendly_name": "Phone Battery", "device_class": "battery", "unit_of_measurement": "%"}),
        ),
        state("switch.firmware", "on", json!({"friendly_name": "Ceiling Firmware Updates"})),
        state("scene.evening", "2026-02-28T20:00:00+00:00", json!({"friendly_name": "Evening"})),
        state("sun.sun", "above_horizon", json!({"friendly_name": "Sun"})),
    ])
}

fn registry(kind: &str) -> Option<Value> {
    let entity = |id: &str, area: Value, device: Value, category: Value| {
        json!({"entity_id": id, "area_id": area, "device_id": device, "entity_category": category, "hidden_by": null,
               "disabled_by": null, "name": null, "original_name": "x", "platform": "demo", "unique_id": id})
    };
    Some(match kind {
        "config/floor_registry/list" => {
            json!([{"floor_id": "ground", "name": "Ground floor", "level": 0, "icon": null, "aliases": ["downstairs"]}])
        }
        "config/area_registry/list" => json!([
            {"area_id": "kitchen", "name": "Kitchen", "floor_id": "ground", "aliases": [], "icon": null, "picture": null},
            {"area_id": "bedroom", "name": "Bedroom", "floor_id": null, "aliases": ["sleeping room"], "icon": null, "picture": null},
        ]),
        "config/device_registry/list" => {
            json!([{"id": "dev1", "area_id": "kitchen", "name": "Lamp", "name_by_user": null}])
        }
        "config/entity_registry/list" => json!([
            entity("light.ceiling", json!(null), json!("dev1"), json!(null)),
            entity("light.late", json!("bedroom"), json!(null), json!(null)),
            entity("switch.firmware", json!(null), json!("dev1"), json!("config")),
            entity("sensor.phone_battery", json!(null), json!(null), json!("diagnostic")),
        ]),
        "config/entity_registry/get_entries" => json!({
            "light.ceiling": {"entity_id": "light.ceiling", "aliases": ["big light"]}, "light.late": {"aliases": []}}),
        "get_config" => json!({"unit_system": {"temperature": "°C", "length": "km"}, "version": "2026.3.1"}),
        _ => return None,
    })
}

async fn serve(mut socket: TcpStream, shared: Arc<Shared>) {
    let mut start = [0; 20];
    while socket.peek(&mut start).await.is_ok_and(|count| count > 0 && count < start.len()) {
        tokio::task::yield_now().await;
    }
    if start.starts_with(b"GET /api/websocket") {
        // A client that goes away in the middle is nothing to complain about here.
        let _ = converse(socket, &shared).await;
        return;
    }
    let request = request(&mut socket).await;
    let (status, body) = match request.contains(&format!("authorization: Bearer {TOKEN}\r\n")) {
        false => ("401 Unauthorized", json!("401: Unauthorized")),
        true => answer(&request, &shared),
    };
    let body = body.to_string();
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    let _ = socket.write_all(format!("{head}{body}").as_bytes()).await;
}

fn answer(request: &str, shared: &Shared) -> (&'static str, Value) {
    let (head, body) = request.split_once("\r\n\r\n").expect("a whole request");
    let mut line = head.lines().next().expect("a line").split(' ');
    let (method, path) = (line.next().expect("a method"), line.next().expect("a path"));
    if (method, path) == ("GET", "/api/states") {
        return ("200 OK", shared.states.lock().expect("not poisoned").values().cloned().collect());
    }
    let Some(service) = path.strip_prefix("/api/services/").filter(|_| method == "POST") else {
        return ("404 Not Found", json!({"message": "not found"}));
    };
    let data: Value = serde_json::from_str(body).expect("JSON");
    shared.calls.lock().expect("not poisoned").push((service.to_owned(), data.clone()));
    if let Some(status) = *shared.trouble.lock().expect("not poisoned") {
        return (status, json!({"message": "?"}));
    }
    let mut changed = Vec::new();
    for id in data["entity_id"].as_array().expect("a list").iter().filter_map(Value::as_str) {
        let mut states = shared.states.lock().expect("not poisoned");
        let Some(state) = states.get_mut(id) else { continue };
        let Some((new, attributes)) = obey(service, &data) else {
            return ("400 Bad Request", json!("400: Bad Request"));
        };
        match id {
            "light.dead" => {}
            "light.late" => {
                let change = json!({"s": new, "a": attributes});
                shared.late.lock().expect("not poisoned").insert(id.to_owned(), change);
            }
            _ => {
                state["state"] = json!(new);
                for (name, value) in attributes.as_object().into_iter().flatten() {
                    state["attributes"][name] = value.clone();
                }
                changed.push(state.clone());
            }
        }
    }
    ("200 OK", json!(changed))
}

/// What a service does to an entity, for the services that this house has.
fn obey(service: &str, data: &Value) -> Option<(&'static str, Value)> {
    Some(match service {
        "light/turn_on" => {
            let brightness = data["brightness_pct"].as_f64().map_or(255.0, |percent| (percent * 2.55).round());
            let mut attributes = json!({"brightness": brightness});
            if !data["rgb_color"].is_null() {
                attributes["rgb_color"] = data["rgb_color"].clone();
            }
            ("on", attributes)
        }
        "light/turn_off" => ("off", json!({"brightness": null, "rgb_color": null})),
        "cover/close_cover" => ("closing", json!({})),
        "cover/set_cover_position" => ("open", json!({"current_position": data["position"]})),
        "lock/unlock" => ("unlocked", json!({})),
        "climate/set_temperature" => ("heat", json!({"temperature": data["temperature"]})),
        "media_player/volume_set" => ("playing", json!({"volume_level": data["volume_level"]})),
        "media_player/media_next_track" => ("playing", json!({})),
        "scene/turn_on" => ("2026-03-01T12:00:00+00:00", json!({})),
        _ => return None,
    })
}

async fn converse(socket: TcpStream, shared: &Shared) -> Option<()> {
    let mut stream = tokio_tungstenite::accept_async(socket).await.ok()?;
    *shared.sockets.lock().expect("not poisoned") += 1;
    let text = |value: Value| Message::text(value.to_string());
    stream.send(text(json!({"type": "auth_required", "ha_version": "2026.3.1"}))).await.ok()?;
    while let Some(Ok(message)) = stream.next().await {
        let Ok(asked) = serde_json::from_str::<Value>(message.to_text().ok()?) else { return None };
        let id = &asked["id"];
        let kind = asked["type"].as_str()?;
        let result = |result: Value| json!({"id": id, "type": "result", "success": true, "result": result});
        match kind {
            "auth" if asked["access_token"] == TOKEN => {
                stream.send(text(json!({"type": "auth_ok", "ha_version": "2026.3.1"}))).await.ok()?;
            }
            "auth" => {
                stream
                    .send(text(json!({"type": "auth_invalid", "message": "Invalid access token or password"})))
                    .await
                    .ok()?;
                return None;
            }
            "subscribe_entities" => {
                stream.send(text(result(Value::Null))).await.ok()?;
                let states = shared.states.lock().expect("not poisoned").clone();
                let wanted = asked["entity_ids"].as_array()?.iter().filter_map(Value::as_str);
                let added: Value = wanted
                    .filter_map(|id| states.get_key_value(id))
                    .map(|(id, state)| {
                        (id.clone(), json!({"s": state["state"], "a": state["attributes"], "c": "01", "lc": 1.0}))
                    })
                    .collect();
                stream.send(text(json!({"id": id, "type": "event", "event": {"a": added}}))).await.ok()?;
                let late = std::mem::take(&mut *shared.late.lock().expect("not poisoned"));
                for (entity, change) in late {
                    let event = json!({"c": {entity: {"+": change}}});
                    stream.send(text(json!({"id": id, "type": "event", "event": event}))).await.ok()?;
                }
            }
            kind => match registry(kind).filter(|_| !(kind.contains("floor") && shared.old.load(Ordering::Relaxed))) {
                Some(list) => stream.send(text(result(list))).await.ok()?,
                None => {
                    let error = json!({"code": "unknown_command", "message": "Unknown command."});
                    stream
                        .send(text(json!({"id": id, "type": "result", "success": false, "error": error})))
                        .await
                        .ok()?;
                }
            },
        }
    }
    Some(())
}
