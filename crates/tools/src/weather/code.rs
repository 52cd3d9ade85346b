//! The numbers that meteorologists give to weather, in words.

/// What a WMO weather code says, as it stands in the middle of a sentence.
pub(super) fn words(code: u8) -> &'static str {
    match code {
        0 => "clear sky",
        1 => "mostly clear",
        2 => "partly cloudy",
        3 => "overcast",
        45 => "fog",
        48 => "freezing fog",
        51 => "light drizzle",
        53 => "drizzle",
        55 => "heavy drizzle",
        56 => "light freezing drizzle",
        57 => "freezing drizzle",
        61 => "light rain",
        63 => "rain",
        65 => "heavy rain",
        66 => "light freezing rain",
        67 => "heavy freezing rain",
        71 => "light snow",
        73 => "snow",
        75 => "heavy snow",
        77 => "snow grains",
        80 => "light rain showers",
        81 => "rain showers",
        82 => "violent rain showers",
        85 => "light snow showers",
        86 => "heavy snow showers",
        95 => "thunderstorms",
        96 => "thunderstorms with light hail",
        99 => "thunderstorms with heavy hail",
        _ => "unknown weather",
    }
}

/// Whether water falls.
pub(super) fn is_rain(code: u8) -> bool {
    matches!(code, 51..=67 | 80..=82 | 95..=99)
}

/// Whether snow falls.
pub(super) fn is_snow(code: u8) -> bool {
    matches!(code, 71..=77 | 85 | 86)
}
