//! A real broker, mosquitto, and devices on it that announce themselves, obey and say so.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rumqttc::{AsyncClient, Event, MqttOptions, Packet, QoS};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::watch;
use tokio::task::JoinSet;

/// A broker that ends with its owner.
pub(crate) struct Broker {
    pub(crate) port: u16,
    folder: tempfile::TempDir,
    child: Child,
}

impl Broker {
    pub(crate) async fn start(more: &str) -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("address").port();
        drop(listener);
        let folder = tempfile::tempdir().expect("folder");
        let text = format!(
            "listener {port} 127.0.0.1\npersistence false\nlog_dest stderr\nset_tcp_nodelay true\nuser root\n{more}\n"
        );
        std::fs::write(folder.path().join("mosquitto.conf"), text).expect("written");
        let child = run(folder.path()).await;
        Self { port, folder, child }
    }

    pub(crate) async fn stop(&mut self) {
        self.child.kill().await.expect("stopped");
    }

    /// Runs again on the same port. What it had retained is gone.
    pub(crate) async fn restart(&mut self) {
        self.child = run(self.folder.path()).await;
    }
}

async fn run(folder: &Path) -> Child {
    let program = ["/usr/sbin/mosquitto", "/usr/local/sbin/mosquitto", "/opt/homebrew/sbin/mosquitto"];
    let program = program.into_iter().find(|path| Path::new(path).exists()).unwrap_or("mosquitto");
    let mut command = Command::new(program);
    command.arg("-c").arg(folder.join("mosquitto.conf")).stderr(Stdio::piped()).kill_on_drop(true);
    let mut child = command.spawn().expect("these tests need mosquitto: .ci/prepare installs it");
    let mut lines = BufReader::new(child.stderr.take().expect("piped")).lines();
    let ready = async {
        let mut said = Vec::new();
        while let Ok(Some(line)) = lines.next_line().await {
            if line.contains("running") {
                return lines;
            }
            said.push(line);
        }
        panic!("mosquitto does not start: {said:?}");
    };
    let lines = tokio::time::timeout(Duration::from_secs(20), ready).await.expect("mosquitto starts");
    // The pipe stays open: a broker that cannot log does not live long.
    child.stderr = Some(lines.into_inner().into_inner());
    child
}

/// Devices on a broker.
pub(crate) struct Devices {
    /// Every command that came, with its topic.
    pub(crate) commands: Arc<Mutex<Vec<(String, String)>>>,
    client: AsyncClient,
    announced: watch::Receiver<u32>,
    _running: JoinSet<()>,
}

/// What is published, retained, on a topic.
type Retained = BTreeMap<String, String>;

impl Devices {
    /// Publishes announcements and first states, and answers commands with the states that `obey` says.
    pub(crate) async fn on(
        broker: &Broker,
        retained: Retained,
        obey: fn(&str, &str) -> Vec<(&'static str, String)>,
    ) -> Self {
        let mut options = MqttOptions::new(format!("devices-{}", broker.port), "127.0.0.1", broker.port);
        options.set_max_packet_size(1 << 20, 1 << 20);
        let (client, mut events) = AsyncClient::new(options, 64);
        events.network_options.set_tcp_nodelay(true);
        let commands: Arc<Mutex<Vec<(String, String)>>> = Arc::default();
        let (tell, announced) = watch::channel(0);
        let mut running = JoinSet::new();
        let (own, heard) = (client.clone(), Arc::clone(&commands));
        running.spawn(async move {
            let mut unacknowledged = 0;
            loop {
                match events.poll().await {
                    Ok(Event::Incoming(Packet::ConnAck(_))) => {
                        own.try_subscribe("set/#", QoS::AtLeastOnce).expect("room");
                        for (topic, payload) in &retained {
                            own.try_publish(topic, QoS::AtLeastOnce, true, payload.clone()).expect("room");
                        }
                        unacknowledged = retained.len();
                    }
                    Ok(Event::Incoming(Packet::PubAck(_))) => {
                        unacknowledged = unacknowledged.saturating_sub(1);
                        if unacknowledged == 0 {
                            tell.send_modify(|times| *times += 1);
                        }
                    }
                    Ok(Event::Incoming(Packet::Publish(message))) => {
                        let payload = String::from_utf8_lossy(&message.payload).into_owned();
                        for (topic, state) in obey(&message.topic, &payload) {
                            own.try_publish(topic, QoS::AtLeastOnce, true, state).expect("room");
                        }
                        heard.lock().expect("not poisoned").push((message.topic, payload));
                    }
                    Ok(_) => {}
                    Err(_) => tokio::task::yield_now().await,
                }
            }
        });
        let mut devices = Self { commands, client, announced, _running: running };
        devices.settled(0).await;
        devices
    }

    /// Returns once everything is announced, more often than `before`.
    pub(crate) async fn settled(&mut self, before: u32) {
        let waiting = self.announced.wait_for(|times| *times > before);
        tokio::time::timeout(Duration::from_secs(20), waiting).await.expect("announced").expect("running");
    }

    pub(crate) fn times(&self) -> u32 {
        *self.announced.borrow()
    }

    pub(crate) async fn publish(&self, topic: &str, payload: &str) {
        self.client.publish(topic, QoS::AtLeastOnce, true, payload).await.expect("queued");
    }

    pub(crate) fn commands(&self) -> Vec<(String, String)> {
        self.commands.lock().expect("not poisoned").clone()
    }
}

/// A flat full of devices of all kinds.
pub(crate) fn flat() -> Retained {
    let device = |name: &str, area: &str| json!({"identifiers": [name], "name": name, "suggested_area": area});
    let announcements: [(&str, Value); 13] = [
        (
            "light/lamp",
            json!({"name": null, "unique_id": "1", "command_topic": "set/lamp", "state_topic": "is/lamp",
                   "brightness_command_topic": "set/lamp/brightness", "brightness_state_topic": "is/lamp/brightness",
                   "brightness_scale": 200, "rgb_command_topic": "set/lamp/rgb", "rgb_state_topic": "is/lamp/rgb",
                   "device": device("Reading Lamp", "Living Room")}),
        ),
        (
            "light/node1/spot",
            json!({"schema": "json", "name": null, "uniq_id": "2", "cmd_t": "set/~", "stat_t": "~", "~": "is/spot",
                   "sup_clrm": ["hs"], "brightness": true, "dev": {"name": "Spot", "sa": "Kitchen"}}),
        ),
        ("light/mute", json!({"name": "Mute Lamp", "command_topic": "set/mute"})),
        ("light/deaf", json!({"name": "Deaf Lamp", "command_topic": "set/deaf", "state_topic": "is/deaf"})),
        (
            "switch/plug",
            json!({"name": "Plug", "command_topic": "set/plug", "state_topic": "is/plug", "payload_on": "1",
                   "payload_off": "0", "value_template": "{{ value_json.relay }}"}),
        ),
        (
            "cover/blind",
            json!({"name": "Blind", "device_class": "blind", "command_topic": "set/blind", "state_topic": "is/blind",
                   "set_position_topic": "set/blind/position", "position_topic": "is/blind/position"}),
        ),
        (
            "climate/heater",
            json!({"name": "Heater", "mode_command_topic": "set/heater/mode", "mode_state_topic": "is/heater/mode",
                   "temperature_command_topic": "set/heater/t", "temperature_state_topic": "is/heater/t",
                   "current_temperature_topic": "is/heater", "current_temperature_template": "{{ value_json.now }}",
                   "modes": ["off", "heat"]}),
        ),
        ("lock/door", json!({"name": "Door", "command_topic": "set/door", "state_topic": "is/door"})),
        ("scene/party", json!({"name": "Party", "command_topic": "set/party", "payload_on": "GO"})),
        (
            "sensor/air_humidity",
            json!({"name": "Humidity", "state_topic": "is/air", "value_template": "{{ value_json.humidity | round }}",
                   "device_class": "humidity", "unit_of_measurement": "%", "device": device("Air", "Kitchen"),
                   "availability": [{"topic": "is/air/there"}]}),
        ),
        (
            "sensor/lamp_linkquality",
            json!({"name": "Link", "state_topic": "is/lamp/link", "entity_category": "diagnostic"}),
        ),
        (
            "device/box",
            json!({"dev": {"name": "Box"}, "o": {"name": "test"}, "cmps": {
                "a": {"p": "binary_sensor", "name": "Window", "dev_cla": "window", "stat_t": "is/box/window"},
                "b": {"p": "button", "name": "Reboot", "cmd_t": "set/box/reboot"}}}),
        ),
        ("light/broken", json!("not an object")),
    ];
    let mut retained: Retained = announcements
        .into_iter()
        .map(|(place, config)| (format!("homeassistant/{place}/config"), config.to_string()))
        .collect();
    for (topic, state) in [
        ("is/lamp", "OFF"),
        ("is/lamp/brightness", "100"),
        ("is/lamp/rgb", "0,255,0"),
        ("is/spot", r#"{"state": "ON", "brightness": 51, "color": {"h": 240, "s": 100}}"#),
        ("is/deaf", "OFF"),
        ("is/plug", r#"{"relay": 0}"#),
        ("is/blind", "open"),
        ("is/blind/position", "100"),
        ("is/heater/mode", "heat"),
        ("is/heater/t", "20"),
        ("is/heater", r#"{"now": 18.2}"#),
        ("is/door", "LOCKED"),
        ("is/air", r#"{"humidity": 54.6}"#),
        ("is/air/there", "online"),
        ("is/box/window", "ON"),
    ] {
        retained.insert(topic.to_owned(), state.to_owned());
    }
    retained
}

/// What the devices of the flat report after a command.
pub(crate) fn obey(topic: &str, payload: &str) -> Vec<(&'static str, String)> {
    let told = payload.to_owned();
    match topic {
        "set/lamp" => vec![("is/lamp", told)],
        "set/lamp/brightness" => vec![("is/lamp/brightness", told)],
        "set/lamp/rgb" => vec![("is/lamp/rgb", told)],
        "set/is/spot" => vec![("is/spot", told)],
        "set/plug" => vec![("is/plug", format!("{{\"relay\": {told}}}"))],
        "set/blind" if payload == "CLOSE" => vec![("is/blind", "closing".into())],
        "set/blind/position" => vec![("is/blind/position", told), ("is/blind", "open".into())],
        "set/heater/mode" => vec![("is/heater/mode", told)],
        "set/heater/t" => vec![("is/heater/t", told)],
        "set/door" => vec![("is/door", format!("{told}ED"))],
        _ => Vec::new(),
    }
}
