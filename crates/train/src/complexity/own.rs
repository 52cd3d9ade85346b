//! Our own sentences: what people ask an assistant to see to, which public sets of tools and households lack.

use super::corpus::Example;
use crate::split::dice::Dice;
use crate::split::own::fill;

/// So many requests, as many for one step as for several.
pub(super) fn examples(count: usize, dice: &mut Dice) -> Vec<Example> {
    let mut examples = Vec::with_capacity(count);
    for at in 0..count {
        let several = at % 2 == 0;
        let template: &str = dice.pick::<&str>(if several { SEVERAL } else { ONE });
        examples.push(Example { text: fill(template, dice), several, weight: WEIGHT });
    }
    examples
}

/// How much a sentence of ours counts.
const WEIGHT: f32 = 0.3;

const SEVERAL: &[&str] = &[
    "organise a birthday party for {person}: find a place in {place}, invite our friends and order a cake",
    "plan a weekend in {place} with trains, a hotel and two restaurants",
    "plan a trip to {place} {day} and put everything in my calendar",
    "plan dinner for six {day}, write the shopping list and order what is missing",
    "find a flight to {place} {day}, book it and mail the ticket to {person}",
    "compare three hotels in {place}, choose the cheapest one and book it for {number} nights",
    "look up {topic}, summarize what you find and send it to {person}",
    "read my mail about {topic}, draft an answer and show it to me before you send it",
    "go through my notes about {topic}, make a list of what is open and remind me of each {day}",
    "check the weather in {place} and if it rains move {event} to {day}",
    "find out when {person} is free, schedule {event} and send the invitation",
    "research {topic}, compare the options and write me a report with a recommendation",
    "collect the bills of last month, add them up and tell {person} what each of us owes",
    "find a plumber near {place}, ask for two offers and book the cheaper one",
    "move all my meetings from {day} to {day} and tell everyone why",
    "every morning check the news about {topic} and mail me a summary if there is anything new",
    "translate the letter from {person} into english and then write a polite answer",
    "book a table for {number} in {place}, then invite {person} and add it to my calendar",
    "get the report {person} sent, extract the figures, make a chart and put it into the slides",
    "look for cheap flights to {place}, and once the price falls below {number} hundred book one",
    "set up the house for the holidays: heating down, lights on at {time}, and water the plants every week",
    "write a budget for the trip to {place} based on last year's and share it with {person}",
    "work out a training plan for {number} weeks and put the runs into my calendar",
    "find the best laptop for {person}, compare prices in three shops and order it",
    "prepare {event}: collect the documents, write an agenda and send both to {person}",
    "help me move to {place}: find a flat, cancel the old contracts and hire movers",
    "transcribe the recording, summarize it, and send the action items to {person}",
    "download the photos from {place}, sort them by day and make an album",
    "check whether {person} has answered; if not, call and reschedule {event}",
    "design a garden for the {room} terrace, list the plants and order them",
    "analyze our spending, find three things to save on and draft a plan",
    "write a letter to {person} about {topic}, print it and remind me to post it {day}",
    "when the washing machine is done, turn it off and tell {person}, otherwise check again in {number} minutes",
    "first find {topic}, then check which of them are still open and book the nearest",
    "find three recipes with {food} and {food}, pick the fastest and add what is missing to the list",
    "investigate why the {thing} uses so much power and suggest what to do about it",
    "plan my week",
    "organize the trip to {place}",
    "plan a surprise party for {person}",
    "help me prepare for {event}",
    "write a project plan for {topic}",
    "research {topic} for me and write a report",
];

const ONE: &[&str] = &[
    "could you please tell me what the weather is going to be like in {place} {day}",
    "i would like to know how far it is from {place} to {place}",
    "would you mind turning off the {thing} in the {room} for me please",
    "i'm going to bed now so please turn off all the lights in the {room}",
    "can you set a timer for {number} minutes for the {food} in the oven",
    "please remind me {day} at {time} that i have to {chore}",
    "send an email to {person} saying that i will be {number} minutes late because of the traffic",
    "write a message to {person} that dinner is at {time} and that there will be {food} and {food}",
    "what is the name of the song that was playing in the {room} before",
    "how many calories are there in {number} grams of {food}",
    "who wrote the book that {person} talked about {day}",
    "tell me a story about a dragon who likes {food}",
    "explain to me how a heat pump works",
    "what's the difference between {food} and {food}",
    "which is cheaper, {food} or {food}",
    "translate good morning into french",
    "convert {number} miles to kilometres",
    "summarize this article for me",
    "play the song i liked {day} in the {room}",
    "add {food}, {food}, {food} and {food} to the shopping list please",
    "is there anything in my calendar {day} between {time} and {time}",
    "when does the next train to {place} leave",
    "how is the traffic on the way to {place} right now",
    "what was the result of the match {day}",
    "what time should i leave to be in {place} at {time}",
    "turn the {room} {thing} off when it is {time}",
    "turn the heating in the {room} down to {number} degrees at {time}",
    "dim the {room} lights to {number} percent after {time}",
    "wake me {day} at {time} with {music}",
    "cancel my plan for {day}",
    "what is the plan for {day}",
    "show me my itinerary",
    "what's the best way to cook {food}",
    "what's the weather in {place} {day}",
    "set a timer for {number} minutes",
    "turn off the lights in the {room}",
    "call {person} on speaker",
    "remind me to plan the trip to {place}",
    "good morning",
    "thanks, that's all",
    "wie wird das wetter morgen in {place}",
    "stell einen timer auf {number} minuten",
];
