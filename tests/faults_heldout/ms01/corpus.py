"""Toy corpus of weather bulletins, kept as one long character stream."""
import random

CITIES = ["bergen", "oslo", "turin", "lyon", "porto", "graz", "ghent", "basel"]
SKY = ["clear", "cloudy", "overcast", "foggy"]
WIND = ["north", "south", "east", "west"]
TREND = ["rising", "falling", "steady"]


def bulletin(rng):
    city = rng.choice(CITIES)
    sky = rng.choice(SKY)
    rain = {"clear": "no rain", "cloudy": "light rain", "overcast": "heavy rain", "foggy": "drizzle"}[sky]
    temp = rng.randint(-9, 30)
    feel = "freezing" if temp < 0 else "cool" if temp < 12 else "mild" if temp < 22 else "hot"
    parts = [
        f"{city}: the sky is {sky}, expect {rain}.",
        f"{temp} degrees and {feel} in {city}.",
        f"wind from the {rng.choice(WIND)}, pressure {rng.choice(TREND)}.",
    ]
    if rng.random() < 0.3:
        parts.insert(2, f"roads around {city} are {'icy' if temp < 0 else 'wet' if sky != 'clear' else 'dry'}.")
    return " ".join(parts) + "\n"


def make_text(n_bulletins, seed):
    rng = random.Random(seed)
    return "".join(bulletin(rng) for _ in range(n_bulletins))


class Alphabet:
    def __init__(self, text):
        self.chars = sorted(set(text))
        self.index = {c: i for i, c in enumerate(self.chars)}

    def __len__(self):
        return len(self.chars)

    def encode(self, text):
        return [self.index[c] for c in text]

    def decode(self, ids):
        return "".join(self.chars[i] for i in ids)
