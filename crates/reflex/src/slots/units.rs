//! Units of measure: what people call them, and how many of the first of their kind one of them is.

use super::ratio::Ratio;
use super::words::Words;

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Unit {
    /// How values name it.
    pub(crate) id: &'static str,
    pub(crate) plural: &'static str,
    pub(crate) kind: Measure,
    /// One of these, in the first unit of its kind.
    num: i64,
    den: i64,
    spellings: &'static [&'static str],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Measure {
    Temperature,
    Length,
    Mass,
    Volume,
    Speed,
    Data,
    Area,
    Energy,
    Power,
    Pressure,
    Time,
    Money,
}

impl Unit {
    pub(crate) fn factor(&self) -> Option<Ratio> {
        Ratio::new(i128::from(self.num), i128::from(self.den))
    }

    /// `1 mile`, `5 miles`.
    pub(crate) fn said(&self, amount: &str) -> String {
        let one = amount == "1";
        let name = if one { self.id.replace('_', " ") } else { self.plural.to_owned() };
        format!("{amount} {name}")
    }
}

/// The unit that one word names.
pub(crate) fn named(word: &str) -> Option<&'static Unit> {
    if word.is_empty() {
        return None;
    }
    UNITS.iter().find(|unit| unit.spellings.contains(&word))
}

/// The unit that starts at a word, and the word after it.
pub(crate) fn unit(words: &Words<'_>, i: usize) -> Option<(&'static Unit, usize)> {
    let of = |id: &str| UNITS.iter().find(|unit| unit.id == id);
    let degrees = words.is(i, &["degrees", "degree", "°", "deg", "º"]);
    if degrees {
        return match words.at(i + 1) {
            "celsius" | "centigrade" | "c" => Some((of("celsius")?, i + 2)),
            "fahrenheit" | "f" | "farenheit" => Some((of("fahrenheit")?, i + 2)),
            "kelvin" | "k" => Some((of("kelvin")?, i + 2)),
            _ => Some((of("degree")?, i + 1)),
        };
    }
    let square = words.is(i, &["square", "sq"]);
    if square {
        let id = match named(words.at(i + 1))?.id {
            "meter" => "square_meter",
            "kilometer" => "square_kilometer",
            "centimeter" => "square_centimeter",
            "foot" => "square_foot",
            "mile" => "square_mile",
            "inch" => "square_inch",
            _ => return None,
        };
        return Some((of(id)?, i + 2));
    }
    if words.is(i, &["fluid", "fl"]) && words.is(i + 1, &["ounce", "ounces", "oz"]) {
        return Some((of("fluid_ounce")?, i + 2));
    }
    let unit = named(words.at(i))?;
    let hourly =
        words.reads(i + 1, &["per", "hour"]) || words.reads(i + 1, &["an", "hour"]) || words.reads(i + 1, &["/", "h"]);
    let secondly = words.reads(i + 1, &["per", "second"]) || words.reads(i + 1, &["/", "s"]);
    match unit.id {
        "kilometer" if hourly => Some((of("kilometer_per_hour")?, i + 3)),
        "mile" if hourly => Some((of("mile_per_hour")?, i + 3)),
        "meter" if secondly => Some((of("meter_per_second")?, i + 3)),
        _ => Some((unit, i + 1)),
    }
}

const fn of(
    id: &'static str,
    plural: &'static str,
    kind: Measure,
    (num, den): (i64, i64),
    spellings: &'static [&'static str],
) -> Unit {
    Unit { id, plural, kind, num, den, spellings }
}

/// Temperatures are here for their names; how they turn into one another is in [`crate::reckon`].
static UNITS: &[Unit] = &[
    of("celsius", "degrees Celsius", Measure::Temperature, (1, 1), &["celsius", "centigrade", "celcius", "℃"]),
    of(
        "fahrenheit",
        "degrees Fahrenheit",
        Measure::Temperature,
        (1, 1),
        &["fahrenheit", "farenheit", "fahrenheits", "℉"],
    ),
    of("kelvin", "kelvin", Measure::Temperature, (1, 1), &["kelvin", "kelvins"]),
    of("degree", "degrees", Measure::Temperature, (1, 1), &["degree", "degrees"]),
    of("meter", "meters", Measure::Length, (1, 1), &["meter", "meters", "metre", "metres"]),
    of(
        "kilometer",
        "kilometers",
        Measure::Length,
        (1000, 1),
        &["kilometer", "kilometers", "kilometre", "kilometres", "km", "kms"],
    ),
    of(
        "centimeter",
        "centimeters",
        Measure::Length,
        (1, 100),
        &["centimeter", "centimeters", "centimetre", "centimetres", "cm"],
    ),
    of(
        "millimeter",
        "millimeters",
        Measure::Length,
        (1, 1000),
        &["millimeter", "millimeters", "millimetre", "millimetres", "mm"],
    ),
    of("mile", "miles", Measure::Length, (1_609_344, 1000), &["mile", "miles", "mi"]),
    of("foot", "feet", Measure::Length, (3048, 10_000), &["foot", "feet", "ft"]),
    of("inch", "inches", Measure::Length, (254, 10_000), &["inch", "inches"]),
    of("yard", "yards", Measure::Length, (9144, 10_000), &["yard", "yards", "yd"]),
    of("nautical_mile", "nautical miles", Measure::Length, (1852, 1), &["nmi"]),
    of("gram", "grams", Measure::Mass, (1, 1), &["gram", "grams", "gramme", "grammes", "gr"]),
    of("kilogram", "kilograms", Measure::Mass, (1000, 1), &["kilogram", "kilograms", "kg", "kgs", "kilo", "kilos"]),
    of("milligram", "milligrams", Measure::Mass, (1, 1000), &["milligram", "milligrams", "mg"]),
    of("tonne", "tonnes", Measure::Mass, (1_000_000, 1), &["tonne", "tonnes"]),
    of("pound", "pounds", Measure::Mass, (45_359_237, 100_000), &["pound", "pounds", "lb", "lbs"]),
    of("ounce", "ounces", Measure::Mass, (45_359_237, 1_600_000), &["ounce", "ounces", "oz"]),
    of("stone", "stone", Measure::Mass, (45_359_237 * 14, 100_000), &["stone", "stones"]),
    of("liter", "liters", Measure::Volume, (1, 1), &["liter", "liters", "litre", "litres"]),
    of(
        "milliliter",
        "milliliters",
        Measure::Volume,
        (1, 1000),
        &["milliliter", "milliliters", "millilitre", "millilitres", "ml"],
    ),
    of(
        "deciliter",
        "deciliters",
        Measure::Volume,
        (1, 10),
        &["deciliter", "deciliters", "decilitre", "decilitres", "dl"],
    ),
    of(
        "centiliter",
        "centiliters",
        Measure::Volume,
        (1, 100),
        &["centiliter", "centiliters", "centilitre", "centilitres", "cl"],
    ),
    of("gallon", "gallons", Measure::Volume, (3_785_411_784, 1_000_000_000), &["gallon", "gallons", "gal"]),
    of("quart", "quarts", Measure::Volume, (946_352_946, 1_000_000_000), &["quart", "quarts"]),
    of("pint", "pints", Measure::Volume, (473_176_473, 1_000_000_000), &["pint", "pints"]),
    of("cup", "cups", Measure::Volume, (2_365_882_365, 10_000_000_000), &["cup", "cups"]),
    of("fluid_ounce", "fluid ounces", Measure::Volume, (295_735_295_625, 10_000_000_000_000), &["floz"]),
    of(
        "tablespoon",
        "tablespoons",
        Measure::Volume,
        (1_478_676_478_125, 100_000_000_000_000),
        &["tablespoon", "tablespoons", "tbsp"],
    ),
    of(
        "teaspoon",
        "teaspoons",
        Measure::Volume,
        (492_892_159_375, 100_000_000_000_000),
        &["teaspoon", "teaspoons", "tsp"],
    ),
    of("meter_per_second", "meters per second", Measure::Speed, (1, 1), &["mps"]),
    of("kilometer_per_hour", "kilometers per hour", Measure::Speed, (1000, 3600), &["kmh", "kph", "kmph"]),
    of("mile_per_hour", "miles per hour", Measure::Speed, (1_609_344, 3_600_000), &["mph"]),
    of("knot", "knots", Measure::Speed, (1852, 3600), &["knot", "knots"]),
    of("byte", "bytes", Measure::Data, (8, 1), &["byte", "bytes"]),
    of("bit", "bits", Measure::Data, (1, 1), &["bit", "bits"]),
    of("kilobyte", "kilobytes", Measure::Data, (8_000, 1), &["kilobyte", "kilobytes", "kb"]),
    of("megabyte", "megabytes", Measure::Data, (8_000_000, 1), &["megabyte", "megabytes", "mb"]),
    of("gigabyte", "gigabytes", Measure::Data, (8_000_000_000, 1), &["gigabyte", "gigabytes", "gb", "gigs"]),
    of("terabyte", "terabytes", Measure::Data, (8_000_000_000_000, 1), &["terabyte", "terabytes", "tb"]),
    of("kibibyte", "kibibytes", Measure::Data, (8 << 10, 1), &["kibibyte", "kibibytes", "kib"]),
    of("mebibyte", "mebibytes", Measure::Data, (8 << 20, 1), &["mebibyte", "mebibytes", "mib"]),
    of("gibibyte", "gibibytes", Measure::Data, (8 << 30, 1), &["gibibyte", "gibibytes", "gib"]),
    of("square_meter", "square meters", Measure::Area, (1, 1), &["sqm"]),
    of("square_kilometer", "square kilometers", Measure::Area, (1_000_000, 1), &[]),
    of("square_centimeter", "square centimeters", Measure::Area, (1, 10_000), &[]),
    of("square_foot", "square feet", Measure::Area, (9_290_304, 100_000_000), &["sqft"]),
    of("square_inch", "square inches", Measure::Area, (64_516, 100_000_000), &[]),
    of("square_mile", "square miles", Measure::Area, (2_589_988_110_336, 1_000_000), &[]),
    of("hectare", "hectares", Measure::Area, (10_000, 1), &["hectare", "hectares"]),
    of("acre", "acres", Measure::Area, (40_468_564_224, 10_000_000), &["acre", "acres"]),
    of("joule", "joules", Measure::Energy, (1, 1), &["joule", "joules"]),
    of("kilojoule", "kilojoules", Measure::Energy, (1000, 1), &["kilojoule", "kilojoules", "kj"]),
    of("calorie", "calories", Measure::Energy, (4184, 1), &["calorie", "calories", "kcal", "kilocalories"]),
    of("kilowatt_hour", "kilowatt hours", Measure::Energy, (3_600_000, 1), &["kwh"]),
    of("watt", "watts", Measure::Power, (1, 1), &["watt", "watts"]),
    of("kilowatt", "kilowatts", Measure::Power, (1000, 1), &["kilowatt", "kilowatts", "kw"]),
    of("horsepower", "horsepower", Measure::Power, (74_569_987, 100_000), &["horsepower"]),
    of("bar", "bar", Measure::Pressure, (100_000, 1), &["bars"]),
    of("hectopascal", "hectopascals", Measure::Pressure, (100, 1), &["hectopascal", "hectopascals", "hpa"]),
    of("psi", "psi", Measure::Pressure, (6_894_757, 1000), &["psi"]),
    of("second", "seconds", Measure::Time, (1, 1), &["second", "seconds", "sec", "secs"]),
    of("minute", "minutes", Measure::Time, (60, 1), &["minute", "minutes", "min", "mins"]),
    of("hour", "hours", Measure::Time, (3600, 1), &["hour", "hours", "hr", "hrs"]),
    of("day", "days", Measure::Time, (86_400, 1), &["day", "days"]),
    of("week", "weeks", Measure::Time, (604_800, 1), &["week", "weeks"]),
    of("dollar", "dollars", Measure::Money, (1, 1), &["dollar", "dollars", "$", "usd", "bucks"]),
    of("euro", "euros", Measure::Money, (1, 1), &["euro", "euros", "€", "eur"]),
    of("pound_sterling", "pounds sterling", Measure::Money, (1, 1), &["£", "gbp", "quid", "sterling"]),
    of("krone", "kroner", Measure::Money, (1, 1), &["krone", "kroner", "nok", "dkk"]),
    of("krona", "kronor", Measure::Money, (1, 1), &["krona", "kronor", "sek"]),
    of("yen", "yen", Measure::Money, (1, 1), &["yen", "jpy", "¥"]),
    of("rupee", "rupees", Measure::Money, (1, 1), &["rupee", "rupees", "inr", "₹"]),
    of("franc", "francs", Measure::Money, (1, 1), &["franc", "francs", "chf"]),
    of("cent", "cents", Measure::Money, (1, 1), &["cent", "cents", "pence"]),
];
