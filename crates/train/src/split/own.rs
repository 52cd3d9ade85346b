//! Our own sentences: what a household says to its assistant, which public sets of questions to banks and airlines lack.

use super::dice::Dice;

/// One request each, to be joined with others.
pub(super) fn singles(count: usize, dice: &mut Dice) -> Vec<String> {
    (0..count).map(|_| fill(dice.pick::<&str>(SINGLES), dice)).collect()
}

/// One request each, though a conjunction or a comma stands in it.
pub(super) fn with_conjunction(count: usize, dice: &mut Dice) -> Vec<String> {
    (0..count).map(|_| fill(dice.pick::<&str>(WITH_CONJUNCTION), dice)).collect()
}

/// Puts a value in the place of each name in braces.
fn fill(template: &str, dice: &mut Dice) -> String {
    let mut text = String::new();
    for (at, piece) in template.split(['{', '}']).enumerate() {
        let values = SLOTS.iter().find(|(name, _)| at % 2 == 1 && *name == piece);
        text.push_str(values.map_or(piece, |(_, values)| dice.pick::<&str>(values)));
    }
    text
}

const SLOTS: &[(&str, &[&str])] = &[
    ("room", &["kitchen", "bedroom", "living room", "hall", "garage", "bathroom", "office", "attic", "nursery"]),
    ("thing", &["light", "lamp", "fan", "heater", "radio", "tv", "coffee maker", "speaker", "vacuum", "humidifier"]),
    ("cover", &["blinds", "curtains", "shutters", "garage door", "gate", "windows", "front door", "back door"]),
    ("number", &["five", "ten", "3", "15", "twenty", "45", "eight", "two", "ninety"]),
    ("time", &["seven", "6 am", "half past nine", "noon", "8:15", "five pm", "10 o'clock", "midnight"]),
    ("day", &["today", "tomorrow", "on friday", "next monday", "on sunday", "this weekend", "on the third"]),
    ("person", &["anna", "my boss", "mum", "tom", "the plumber", "dr silva", "my sister", "lena"]),
    ("place", &["oslo", "porto", "leeds", "kyoto", "the lake", "berlin", "denver", "granada"]),
    ("event", &["the dentist", "dinner", "the team meeting", "yoga", "lunch", "the school play", "a haircut"]),
    ("food", &["milk", "eggs", "bread", "rice", "apples", "coffee", "butter", "tomatoes"]),
    ("music", &["jazz", "the news", "some piano music", "my running playlist", "the radio", "a podcast"]),
    ("topic", &["the wifi password", "train tickets", "the lease", "cheap flights", "pasta recipes", "the tax letter"]),
    ("scene", &["movie", "good night", "reading", "dinner", "party", "away"]),
    ("chore", &["water the plants", "take out the bins", "feed the cat", "pay the rent", "buy stamps", "pick up the parcel"]),
];

const SINGLES: &[&str] = &[
    "turn on the {thing}", "turn off the {thing}", "turn the {thing} off", "switch on the {room} {thing}",
    "turn off the {room} light", "turn off the lights in the {room}", "switch the {thing} off", "turn off all the lights",
    "dim the lights to {number} percent", "dim the {room} lights", "make the {room} warmer", "set the heating to {number} degrees",
    "set the {room} light to blue", "lock the {cover}", "unlock the {cover}", "open the {cover}", "close the {cover}",
    "shut the {cover}", "start the {scene} scene", "start the {thing}", "stop the {thing}", "is the {cover} open",
    "is the {room} {thing} on", "arm the alarm", "set a timer for {number} minutes", "start a {number} minute timer",
    "set an alarm for {time}", "wake me at {time}", "wake me up at {time}", "cancel the timer", "pause the timer",
    "how much time is left", "snooze the alarm", "remind me to {chore}", "remind me to {chore} at {time}",
    "remind me at {time} to {chore}", "remind me about {event} {day}", "what's the weather in {place}", "what's the weather like",
    "what is the weather {day}", "will it rain {day}", "is it going to snow in {place}", "how cold is it outside",
    "how warm will it be {day}", "do i need an umbrella", "should i take a coat", "weather in {place} {day}",
    "add {event} {day} at {time} to my calendar", "put {event} in my calendar {day}", "move {event} to {time}",
    "cancel {event} {day}", "what's on my calendar {day}", "what do i have {day}", "when is {event}", "am i free {day}",
    "schedule {event} with {person} {day}", "invite {person} to {event}", "search for {topic}", "look up {topic}",
    "find my notes about {topic}", "search my files for {topic}", "google {topic}", "what do my notes say about {topic}",
    "play {music}", "play some {music}", "skip this song", "turn the volume up", "turn it up", "mute the tv", "pause the music",
    "stop the music", "add {food} to my shopping list", "put {food} on the list", "what's on my shopping list",
    "call {person}", "text {person}", "text {person} that i'm late", "send {person} a message", "email {person} the report",
    "read my messages", "what time is it", "what time is it in {place}", "how far is it to {place}", "what can you do",
    "how are you", "tell me a joke", "how long is my commute", "how do i get to {place}", "what is {number} times {number}",
    "remember that {person} likes {food}", "what did i ask you to remember", "summarize the news", "read me the headlines",
    "who won the match", "how much is a ticket to {place}", "order {food}", "book a table for {number} {day}",
];

const WITH_CONJUNCTION: &[&str] = &[
    "turn on the {thing} and the {thing}", "turn off the {room} and {room} lights", "turn on the {room} {thing} and the {room} {thing}",
    "turn off the lights in the {room} and the {room}", "turn off the lights in the {room} and in the {room}",
    "close the {cover} and the {cover}", "set timers for {number} and {number} minutes", "set alarms for {time} and {time}",
    "set a timer for one hour and {number} minutes", "remind me to buy {food} and {food}", "remind me to {chore} and {chore}",
    "add {food} and {food} to my shopping list", "add {food}, {food} and {food} to my shopping list",
    "add {food} to the list and {food}", "put {food}, {food}, and {food} on the list", "call {person} and {person}",
    "schedule {event} with {person} and {person} {day}", "what's the difference between {food} and {food}",
    "how far is it between {place} and {place}", "what's the weather in {place} and {place}",
    "am i free between {time} and {time}", "find {music} and play it", "find my phone and make it ring",
    "set the heating to {number} and the {room} to {number}", "hey, turn on the {thing}", "good morning, what's the weather {day}",
    "ok, cancel the timer please", "it's dark in here, turn on the {thing}", "i'm cold, turn up the heating",
    "i'm going out, lock the {cover}", "tell {person} that i'm late and that dinner is at {time}",
    "remind me to call {person} and ask about {topic}", "text {person} that the train is late and i'll be there at {time}",
    "add {event} {day}, {time}, at the office", "what is {number} plus {number}", "play something calm and slow",
    "go ahead and turn off the {thing}", "go to my calendar and add {event} {day}", "make the lights warm and dim",
    "search for hotels in {place} with a pool and a view", "turn on the {thing} and leave it on", "try and find {topic}",
    "send a message to {person} saying see you {day} and bring {food}", "in {place}, what's the weather {day}",
    "when does {event} start and end", "turn the {room} {thing} on and off", "check the {cover} and let me know",
];
