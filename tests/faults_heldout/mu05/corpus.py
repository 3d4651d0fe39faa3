import random

_syl = random.Random(4)


def invent(n, parts):
    out = set()
    while len(out) < n:
        out.add("".join(_syl.choice(parts) for _ in range(_syl.randint(2, 3))))
    return sorted(out)


NAMES = invent(70, ["an", "bo", "ri", "le", "na", "ju", "gre", "ta", "fe", "hu"])
PLACES = invent(60, ["pa", "os", "lo", "li", "ma", "cai", "del", "qui", "se", "ol"])
CITIES, SURN = PLACES[:45], PLACES[25:]
VERBS = ["met", "called", "saw", "thanked", "followed"]
FILL = ["yesterday", "again", "slowly", "with", "friends", "after", "lunch", "before", "the", "meeting"]
TAGS = ["O", "B-PER", "I-PER", "B-LOC"]


def person(rng):
    if rng.random() < 0.5:
        return [(rng.choice(NAMES), "B-PER")]
    return [(rng.choice(NAMES), "B-PER"), (rng.choice(SURN), "I-PER")]


def sentence(rng):
    s = person(rng) + [(rng.choice(VERBS), "O")] + person(rng)
    if rng.random() < 0.6:
        s += [("in", "O"), (rng.choice(CITIES), "B-LOC")]
    elif rng.random() < 0.5:
        s += [(rng.choice(CITIES), "B-LOC")]
    s += [(rng.choice(FILL), "O") for _ in range(rng.randint(0, 6))]
    if rng.random() < 0.4:
        s = [(rng.choice(CITIES), "B-LOC"), (":", "O")] + s
    return [w for w, _ in s], [t for _, t in s]


def build(n, seed, exclude=()):
    """n different sentences, none of which occurs in `exclude`."""
    rng = random.Random(seed)
    taken = {tuple(words) for words, _ in exclude}
    out = []
    while len(out) < n:
        words, tags = sentence(rng)
        if tuple(words) not in taken:
            taken.add(tuple(words))
            out.append((words, tags))
    return out


class Vocab:
    PAD, UNK = 0, 1

    def __init__(self, sentences):
        words = sorted({w for s, _ in sentences for w in s})
        self.index = {w: i + 2 for i, w in enumerate(words)}
        self.tags = {t: i for i, t in enumerate(TAGS)}

    def __len__(self):
        return len(self.index) + 2

    def encode(self, words, tags):
        return [self.index.get(w, self.UNK) for w in words], [self.tags[t] for t in tags]
