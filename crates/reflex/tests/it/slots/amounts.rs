//! Numbers, quantities, percentages, colours.

use super::all;

#[test]
fn numbers() {
    all(&[
        ("1,250", "number 1250"),
        ("twenty one", "number 21"),
        ("twenty-one", "number 21"),
        ("a hundred and five", "number 105"),
        ("two thousand three hundred and forty five", "number 2345"),
        ("a dozen", "number 12"),
        ("one and a half", "number 1.5"),
        ("two point five", "number 2.5"),
        ("minus four", "number -4"),
        ("-4", "number -4"),
        ("the 21st", "on 2026-11-21"),
        ("1/2", "number 0.5"),
        ("three quarters", "number 0.75"),
        ("99999999999999999999999999999999999999", ""),
    ]);
}

#[test]
fn quantities() {
    all(&[
        ("set it to 20 degrees", "quantity 20 degree"),
        ("20 degrees celsius", "quantity 20 celsius"),
        ("20°C", "quantity 20 celsius"),
        ("68F", "quantity 68 fahrenheit"),
        ("minus 5 celsius", "quantity -5 celsius"),
        ("5 degrees below zero", "quantity -5 degree"),
        ("5 miles", "quantity 5 mile"),
        ("2.5 kg", "quantity 2.5 kilogram"),
        ("three cups", "quantity 3 cup"),
        ("60 miles per hour", "quantity 60 mile_per_hour"),
        ("half a liter", "number 0.5"),
        ("$20", "quantity 20 dollar"),
        ("41.55£", "quantity 41.55 pound_sterling"),
        ("pay 14000 pounds", "quantity 14000 pound_sterling"),
        ("16 gb", "quantity 16 gigabyte"),
    ]);
}

#[test]
fn percentages_and_colours() {
    all(&[
        ("dim to 50%", "percent 50"),
        ("fifty percent", "percent 50"),
        ("open it halfway", "percent 50"),
        ("set it to full", "percent 100"),
        ("turn the volume to max", "percent 100"),
        ("the house is full", ""),
        ("change the brightness to the highest", "percent 100"),
        ("set the lamp to minimum brightness", "percent 1"),
        ("set the brightness to half", "percent 50"),
        ("half of them", "number 0.5"),
        ("make it blue", "colour blue"),
        ("warm white please", "colour warm white"),
    ]);
}
