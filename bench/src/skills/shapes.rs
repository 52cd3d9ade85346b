//! Fifty things that people ask for again and again, each in several wordings, with the plan that each means. Many differ
//! from another by one word that changes the plan.

/// A task that is asked for with other values each time.
pub struct Shape {
    /// How people say it; values in braces.
    pub said: &'static [&'static str],
    /// Its steps: `tool key=value …`, parted by ` | `; values in angle brackets, `<length.seconds>`.
    pub plan: &'static str,
}

const fn shape(said: &'static [&'static str], plan: &'static str) -> Shape {
    Shape { said, plan }
}

/// All of them.
pub const SHAPES: [Shape; 50] = [
    shape(
        &["add {item} to the shopping list", "put {item} on the shopping list", "we need {item}, write it down"],
        "list.add list=shopping item=<item>",
    ),
    shape(
        &["remove {item} from the shopping list", "take {item} off the shopping list"],
        "list.remove list=shopping item=<item>",
    ),
    shape(&["add {task} to my to-do list", "put {task} on my to-do list"], "list.add list=to-do item=<task>"),
    shape(
        &["remind me to {task} {moment}", "{moment} remind me to {task}", "set a reminder {moment} to {task}"],
        "timer.remind text=<task> at=<moment.offset>",
    ),
    shape(
        &["remind {person} to {task} {moment}", "make sure {person} remembers to {task} {moment}"],
        "people.find name=<person> | message.schedule to=${s1.id} text='Remember to <task>' at=<moment.offset>",
    ),
    shape(
        &["set a timer for {length}", "start a {length} timer", "wake me in {length}"],
        "timer.start seconds=<length.seconds>",
    ),
    shape(&["pause the timer for {length}", "hold the timer for {length}"], "timer.pause length=<length.iso>"),
    shape(
        &["what is the weather in {place}", "how is the weather in {place}", "weather in {place}"],
        "weather.now place=<place>",
    ),
    shape(
        &["what will the weather be in {place} {day}", "weather forecast for {place} {day}"],
        "weather.forecast place=<place> day=<day.date>",
    ),
    shape(
        &["send the weather in {place} to {person}", "let {person} know the weather in {place}"],
        "weather.now place=<place> | people.find name=<person> | message.send to=${s2.id} text='Weather in <place>: ${s1.summary}'",
    ),
    shape(
        &["turn on the {device}", "switch on the {device}", "switch the {device} on"],
        "home.turn_on device=<device.id>",
    ),
    shape(
        &["turn off the {device}", "switch off the {device}", "switch the {device} off"],
        "home.turn_off device=<device.id>",
    ),
    shape(
        &["dim the {device} to {percent}", "set the {device} to {percent}"],
        "home.dim device=<device.id> level=<percent.number>",
    ),
    shape(
        &["make the {device} {colour}", "change the colour of the {device} to {colour}"],
        "home.colour device=<device.id> colour=<colour>",
    ),
    shape(
        &["turn off the {device} in {length}", "switch off the {device} after {length}"],
        "timer.start seconds=<length.seconds> | home.turn_off device=<device.id> after=${s1.id}",
    ),
    shape(&["play the song {title}", "put on the song {title}"], "music.play kind=song title=<title>"),
    shape(&["play the album {title}", "put on the album {title}"], "music.play kind=album title=<title>"),
    shape(
        &["queue the song {title} after this one", "play the song {title} next"],
        "music.queue kind=song title=<title>",
    ),
    shape(&["play {genre} music", "put on some {genre}"], "music.radio genre=<genre>"),
    shape(
        &["tell {person} {quote}", "text {person} {quote}", "send {person} a message saying {quote}"],
        "people.find name=<person> | message.send to=${s1.id} text=<quote>",
    ),
    shape(&["mail {person} {quote}", "write {person} a mail saying {quote}"], "mail.send to=<person> text=<quote>"),
    shape(&["call {person}", "ring {person}"], "people.find name=<person> | phone.call number=${s1.number}"),
    shape(
        &["what is the phone number of {person}", "which number does {person} have"],
        "people.find name=<person> | agent: Say the phone number of <person>, which is ${s1.number}.",
    ),
    shape(
        &["pay {person} {money}", "send {money} to {person}"],
        "people.find name=<person> | bank.pay to=${s1.account} amount=<money.number> currency=<money.unit>",
    ),
    shape(
        &["ask {person} for {money}", "request {money} from {person}"],
        "people.find name=<person> | bank.request from=${s1.account} amount=<money.number> currency=<money.unit>",
    ),
    shape(
        &["how much did I spend on {category} {period}", "what did {category} cost me {period}"],
        "bank.spent category=<category> from=<period.from> to=<period.to>",
    ),
    shape(
        &["set a budget of {money} for {category}", "I want to spend at most {money} on {category}"],
        "bank.budget category=<category> limit=<money.number>",
    ),
    shape(
        &["book a flight from {place} to {place2} {day}", "fly me from {place} to {place2} {day}"],
        "flight.search from=<place> to=<place2> day=<day.date> | flight.book offer=${s1.offers[0].id}",
    ),
    shape(
        &["book a train from {place} to {place2} {day}", "I need a train from {place} to {place2} {day}"],
        "train.search from=<place> to=<place2> day=<day.date> | train.book offer=${s1.offers[0].id}",
    ),
    shape(
        &["find flights from {place} to {place2} {day}", "which flights go from {place} to {place2} {day}"],
        "flight.search from=<place> to=<place2> day=<day.date>",
    ),
    shape(
        &["find {number} hotels in {place}", "show me {number} hotels in {place}"],
        "hotel.search place=<place> limit=<number.number>",
    ),
    shape(
        &[
            "book a table for {number} at {restaurant} {moment}",
            "reserve a table at {restaurant} for {number} {moment}",
        ],
        "table.search name=<restaurant> | table.book place=${s1.id} people=<number.number> at=<moment.offset>",
    ),
    shape(
        &["schedule a meeting with {person} {moment}", "set up a meeting with {person} {moment}"],
        "people.find name=<person> | calendar.add title='Meeting with <person>' at=<moment.offset> guests=[${s1.id}]",
    ),
    shape(
        &["move the meeting with {person} to {moment}", "shift the meeting with {person} to {moment}"],
        "calendar.find text='Meeting with <person>' | calendar.move event=${s1.id} at=<moment.offset>",
    ),
    shape(
        &["cancel the meeting with {person} {day}", "call off the meeting with {person} {day}"],
        "calendar.find text='Meeting with <person>' day=<day.date> | calendar.remove event=${s1.id}",
    ),
    shape(&["what is on my calendar {day}", "which meetings do I have {day}"], "calendar.list day=<day.date>"),
    shape(
        &["block {length} {day} for {topic}", "keep {length} free {day} for {topic}"],
        "calendar.block minutes=<length.minutes> day=<day.date> title=<topic>",
    ),
    shape(
        &["water the {plant} {often}", "the {plant} should be watered {often}"],
        "garden.water plant=<plant> rule=<often.rule>",
    ),
    shape(&["stop watering the {plant}", "do not water the {plant} any more"], "garden.stop plant=<plant>"),
    shape(&["delete the file {file}", "erase the file {file}"], "files.delete path=<file>"),
    shape(&["delete the folder {folder}", "erase the folder {folder}"], "files.delete_folder path=<folder>"),
    shape(
        &["copy the file {file} to the folder {folder}", "put a copy of {file} into the folder {folder}"],
        "files.copy from=<file> to='<folder>/<file>'",
    ),
    shape(
        &["send the file {file} to {person}", "share the file {file} with {person}"],
        "people.find name=<person> | files.read path=<file> | mail.send to=${s1.mail} text=${s2.content}",
    ),
    shape(
        &["summarise the file {file}", "give me a summary of the file {file}"],
        "files.read path=<file> | agent: Summarise this file, called <file>: ${s1.content}",
    ),
    shape(
        &["translate {quote} to {language}", "how do you say {quote} in {language}"],
        "text.translate text=<quote> to=<language>",
    ),
    shape(
        &["search the web for {topic}", "look up {topic} on the web"],
        "web.search query=<topic> | agent: Answer what is asked about <topic> from ${s1.hits}.",
    ),
    shape(
        &["find news about {topic} and mail them to {person}", "mail {person} the news about {topic}"],
        "news.search query=<topic> | people.find name=<person> | agent: Sum up the news about <topic>: ${s1.hits} | mail.send to=${s2.mail} text=${s3}",
    ),
    shape(
        &["convert {money} to {currency}", "how much is {money} in {currency}"],
        "bank.convert amount=<money.number> from=<money.unit> to=<currency>",
    ),
    shape(&["track the parcel {parcel}", "where is the parcel {parcel}"], "parcel.track number=<parcel>"),
    shape(
        &["order {number} pizzas from {restaurant}", "get {number} pizzas from {restaurant}"],
        "food.menu name=<restaurant> | food.order place=${s1.id} dish=pizza count=<number.number>",
    ),
];

/// Requests that mean none of these, with values that change.
pub const NOISE: [&str; 24] = [
    "why did {person} not come to {place} {day}",
    "write a poem about {topic}",
    "compare {place} and {place2} for a family with {number} children",
    "what should I cook with {item}",
    "who won the match in {place}",
    "plan a weekend in {place} for {number} people",
    "is {person} free {day}",
    "explain {topic} to a child",
    "tell me a joke about {item}",
    "what does {title} mean",
    "how far is {place} from {place2}",
    "do I have to water the {plant} {day}",
    "which of my files mention {topic}",
    "find out whether {person} has answered",
    "what would {money} buy in {place}",
    "make a list of everything I need to {task}",
    "how long does it take to {task}",
    "did the {device} run {day}",
    "draft an offer for {person} about {topic}",
    "what is {number} times {number2}",
    "sort my photos from {place}",
    "help me to {task}",
    "check whether {restaurant} is open {day}",
    "what is the best {genre} album",
];

/// What turns a request into another one. `{}` is the request.
pub const TWISTS: [&str; 14] = [
    "do not {}",
    "never {} again",
    "{} but not today",
    "{} and tell {person2} about it",
    "{} if it rains",
    "{} unless {person2} is home",
    "{} except on weekends",
    "{} instead of {item2}",
    "{} and then {task2}",
    "{} twice",
    "{} without asking",
    "what happens if I {}",
    "undo this: {}",
    "{} for {person2}",
];
