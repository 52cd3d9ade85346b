//! Colours by name: what people say, and the red, green and blue that lamps are told.

/// Names and what they are made of. Of two names for nearly one colour the first is said.
const COLOURS: &[(&str, [u8; 3])] = &[
    ("red", [255, 0, 0]),
    ("green", [0, 255, 0]),
    ("blue", [0, 0, 255]),
    ("white", [255, 255, 255]),
    ("warm white", [255, 214, 170]),
    ("cool white", [220, 235, 255]),
    ("yellow", [255, 235, 0]),
    ("orange", [255, 140, 0]),
    ("purple", [128, 0, 160]),
    ("violet", [143, 0, 255]),
    ("pink", [255, 130, 180]),
    ("magenta", [255, 0, 255]),
    ("cyan", [0, 255, 255]),
    ("turquoise", [64, 224, 208]),
    ("teal", [0, 128, 128]),
    ("lime", [170, 255, 0]),
    ("gold", [255, 200, 30]),
    ("brown", [140, 75, 20]),
    ("indigo", [75, 0, 130]),
    ("lavender", [200, 170, 255]),
    ("salmon", [250, 128, 114]),
    ("coral", [255, 110, 80]),
    ("crimson", [220, 20, 60]),
    ("black", [0, 0, 0]),
];

/// A colour as it is kept: a known name, or `#rrggbb`. None for what is not a colour.
pub(super) fn known(text: &str) -> Option<String> {
    let text = text.trim().to_lowercase().replace(['_', '-'], " ");
    let text = if text == "daylight" { "cool white".to_owned() } else { text };
    if COLOURS.iter().any(|(name, _)| *name == text) {
        return Some(text);
    }
    hex(&text).map(|_| text)
}

/// Red, green and blue of a colour that [`known`] gave.
pub(super) fn rgb(colour: &str) -> Option<[u8; 3]> {
    COLOURS.iter().find(|(name, _)| *name == colour).map(|(_, rgb)| *rgb).or_else(|| hex(colour))
}

/// The name that is nearest to what a lamp reports.
pub(super) fn name(rgb: [u8; 3]) -> String {
    let far = |other: &[u8; 3]| -> u32 { rgb.iter().zip(other).map(|(a, b)| u32::from(a.abs_diff(*b)).pow(2)).sum() };
    match COLOURS.iter().min_by_key(|(_, other)| far(other)) {
        Some((name, other)) if far(other) <= 40 * 40 * 3 => (*name).to_owned(),
        _ => format!("#{:02x}{:02x}{:02x}", rgb[0], rgb[1], rgb[2]),
    }
}

/// Hue in degrees and saturation in percent.
pub(super) fn to_hs(rgb: [u8; 3]) -> (f64, f64) {
    let [red, green, blue] = rgb.map(|part| f64::from(part) / 255.0);
    let (most, least) = (red.max(green).max(blue), red.min(green).min(blue));
    let spread = most - least;
    if spread == 0.0 {
        return (0.0, 0.0);
    }
    let hue = match most {
        most if most == red => ((green - blue) / spread).rem_euclid(6.0),
        most if most == green => (blue - red) / spread + 2.0,
        _ => (red - green) / spread + 4.0,
    };
    ((hue * 60.0).round(), (spread / most * 100.0).round())
}

/// The brightest colour with a hue and a saturation.
pub(super) fn from_hs(hue: f64, saturation: f64) -> [u8; 3] {
    let saturation = (saturation / 100.0).clamp(0.0, 1.0);
    [5.0, 3.0, 1.0].map(|offset| {
        let at = (offset + hue / 60.0).rem_euclid(6.0);
        let part = 1.0 - saturation * at.min(4.0 - at).clamp(0.0, 1.0);
        (part * 255.0).round() as u8
    })
}

/// Where a colour lies in the CIE 1931 diagram, for lamps that mix sRGB's primaries.
pub(super) fn to_xy(rgb: [u8; 3]) -> (f64, f64) {
    let [red, green, blue] = rgb.map(|part| {
        let part = f64::from(part) / 255.0;
        if part > 0.04045 { ((part + 0.055) / 1.055).powf(2.4) } else { part / 12.92 }
    });
    let x = red * 0.4124 + green * 0.3576 + blue * 0.1805;
    let y = red * 0.2126 + green * 0.7152 + blue * 0.0722;
    let z = red * 0.0193 + green * 0.1192 + blue * 0.9505;
    let sum = x + y + z;
    let digits = |value: f64| (value * 10_000.0).round() / 10_000.0;
    if sum == 0.0 { (0.3127, 0.3290) } else { (digits(x / sum), digits(y / sum)) }
}

/// Some names, for those who asked for something else.
pub(super) fn some() -> impl Iterator<Item = &'static str> {
    COLOURS.iter().take(10).map(|(name, _)| *name)
}

fn hex(text: &str) -> Option<[u8; 3]> {
    let digits = text.strip_prefix('#')?;
    if digits.len() != 6 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let number = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
    Some([number[1], number[2], number[3]])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_comes_back_from_what_it_is_made_of() {
        for (colour, mix) in COLOURS {
            assert_eq!(known(colour).as_deref(), Some(*colour));
            assert_eq!((rgb(colour), name(*mix)), (Some(*mix), (*colour).to_owned()));
        }
        assert_eq!(name([17, 99, 220]), "#1163dc");
        assert_eq!(rgb("#1163dc"), Some([17, 99, 220]));
    }

    #[test]
    fn colours_survive_hue_and_saturation() {
        for (colour, mix) in COLOURS.iter().filter(|(_, mix)| mix.contains(&255)) {
            let (hue, saturation) = to_hs(*mix);
            assert_eq!(name(from_hs(hue, saturation)), *colour);
        }
        assert_eq!((to_xy([255, 0, 0]), to_xy([255, 255, 255])), ((0.6401, 0.33), (0.3127, 0.329)));
    }

    #[test]
    fn what_is_not_a_colour_is_none() {
        for odd in ["", "#12", "#zzzzzz", "loud", "#1163dcé", "🟥"] {
            assert_eq!(known(odd), None, "{odd}");
        }
        assert_eq!(known(" Warm_White ").as_deref(), Some("warm white"));
    }
}
