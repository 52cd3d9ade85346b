//! The house: lights, covers, heating, locks, music, scenes and what sensors say.
//!
//! Four tools over one seam, [`House`](house::House), which three houses implement: a virtual one on a shelf, Home
//! Assistant, and whatever announces itself over MQTT. Decisions (which device is meant, what a wish comes to, what to
//! say) are made here and are the same for all three; houses only look and do.
//!
//! Every result has `said`, a sentence for people. What cannot be done is a result too, with nothing changed: `unknown`
//! where nothing has the name, `ambiguous` where several have, `refused` where it makes no sense.

mod action;
mod colour;
mod control;
mod furniture;
mod home;
mod home_assistant;
mod house;
mod journal;
mod list;
mod mqtt;
mod once;
mod reading;
mod record;
mod say;
mod scene_save;
mod scenes;
mod state;
mod target;
mod told;
mod virtual_home;
mod wish;

use std::sync::Arc;

use domain::shelf::Shelf;
use domain::tool::Tool;
use reqwest::{Client, Url};

use self::home::Home;
use self::home_assistant::HomeAssistant;
use self::mqtt::{Broker, Mqtt};
use self::once::Once;
use self::scenes::Scenes;
use self::virtual_home::VirtualHome;

/// Which house it is.
pub enum SmartHome {
    /// One that exists in the store only.
    Virtual {
        /// Where its state and its scenes are kept.
        shelf: Arc<dyn Shelf>,
    },
    /// One that Home Assistant keeps.
    HomeAssistant {
        /// Where it is, for example `http://homeassistant.local:8123`.
        url: Url,
        /// A long-lived access token.
        token: String,
        /// The guarded client.
        client: Client,
        /// Where the calls of late and the scenes saved here are kept.
        shelf: Arc<dyn Shelf>,
    },
    /// Whatever announces itself over MQTT.
    Mqtt {
        /// Where the broker is.
        host: String,
        /// 1883 by custom.
        port: u16,
        /// Whom the broker knows us as.
        user: Option<String>,
        /// What goes with the user.
        password: Option<String>,
        /// Where devices announce themselves, `homeassistant` by custom.
        prefix: String,
        /// Where the calls of late and the scenes saved here are kept.
        shelf: Arc<dyn Shelf>,
    },
}

/// The tools for a house. Nothing is reached before the first call or the first question for names.
pub fn smart_home(with: SmartHome) -> Vec<Arc<dyn Tool>> {
    let home = match with {
        SmartHome::Virtual { shelf } => {
            let first = scenes::first(&furniture::furnished());
            Home::here(VirtualHome::new(Arc::clone(&shelf)), Scenes::new(shelf, first))
        }
        SmartHome::HomeAssistant { url, token, client, shelf } => {
            let house = HomeAssistant::new(url, token, client);
            Home::elsewhere(Once { house, shelf: Arc::clone(&shelf) }, Scenes::new(shelf, Vec::new()))
        }
        SmartHome::Mqtt { host, port, user, password, prefix, shelf } => {
            let house = Mqtt::new(Broker { host, port, user, password, prefix });
            Home::elsewhere(Once { house, shelf: Arc::clone(&shelf) }, Scenes::new(shelf, Vec::new()))
        }
    };
    let home = Arc::new(home);
    vec![
        Arc::new(control::Control::new(Arc::clone(&home))),
        Arc::new(list::List::new(Arc::clone(&home))),
        Arc::new(scene_save::SceneSave::new(Arc::clone(&home))),
        Arc::new(state::State::new(home)),
    ]
}
