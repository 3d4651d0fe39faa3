"""Generated order lines: quantities, units, goods, places; tags depend on the words around."""
import random

FILL = "please kindly send us the and also more of our usual then some fresh very soon again".split()
AMBIG = ["box", "may", "turkey", "china", "march", "orange", "reading", "bath", "nice", "cork"]
CUES = {"GOOD": ["buy", "ship", "pack", "sell"], "PLACE": ["to", "from", "near", "via"], "TIME": ["in", "until", "since", "by"]}
TAGS = ["O", "GOOD", "PLACE", "TIME"]


def line(rng):
    words, tags = [], []
    n = rng.choice([1, 1, 1, 2, 2, 3, 14])
    for _ in range(n):
        for _ in range(rng.randrange(0, 3)):
            words.append(rng.choice(FILL))
            tags.append("O")
        t = rng.choice(TAGS[1:])
        words.append(rng.choice(CUES[t]))
        tags.append("O")
        if rng.random() < 0.4:
            words.append(rng.choice(FILL))
            tags.append("O")
        for _ in range(rng.choice([1, 2])):
            words.append(rng.choice(AMBIG))
            tags.append(t)
    return words, tags


def lines(n, seed):
    rng = random.Random(seed)
    return [line(rng) for _ in range(n)]
