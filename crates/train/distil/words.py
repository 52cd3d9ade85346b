"""Words, hashes and character n-grams, exactly as `reflex::tokens` and `reflex::features` make them."""

SYMBOLS = set("%$€£°+*=")
LONGEST = 24  # characters of a word whose n-grams count
SHAPE = 6  # digits of a number whose length counts


def words(text: str) -> list[str]:
    """Lower-cased runs of letters and runs of digits; `'s` and the like stand alone, and so do some symbols."""
    found: list[str] = []
    kind = ""
    chars = list(text)
    for at, char in enumerate(chars):
        if char in "'’":
            after = at + 1 < len(chars) and chars[at + 1].isalpha()
            if kind == "letter" and after:
                found.append("'")
            else:
                kind = ""
            continue
        now = "letter" if char.isalpha() else "digit" if char.isnumeric() else "symbol" if char in SYMBOLS else ""
        if now:
            if now == kind and now != "symbol":
                found[-1] += char.lower()
            else:
                found.append(char.lower())
        kind = now
    return found


def fnv(data: bytes) -> int:
    """FNV-1a, 64 bits folded to 32."""
    h = 0xCBF29CE484222325
    for byte in data:
        h = ((h ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return (h >> 32) ^ (h & 0xFFFFFFFF)


def grams(word: str, buckets: int) -> list[int]:
    """Buckets of the runs of three, four and five characters of a word between marks."""
    chars = "<" + word[:LONGEST] + ">"
    return [fnv(chars[i : i + n].encode()) % buckets for n in (3, 4, 5) for i in range(len(chars) - n + 1)]


def shape(word: str) -> str | None:
    """What stands for a number that has no row of its own."""
    return "#" * min(len(word), SHAPE) if word.isnumeric() else None
