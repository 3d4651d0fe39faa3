import random

PAD = 0
TAGS = ["<pad>", "O", "QTY", "UNIT", "ITEM"]
ITEMS = "flour sugar butter milk salt rice oil honey cream pepper onion garlic basil lemon bread".split()
UNITS = "cup cups g kg spoon pinch ml litre slice".split()
FILL = "add then mix the with and stir slowly until heat take a large bowl now for minutes over low of".split()


def sentence(r):
    w, t = [], []
    for _ in range(r.randint(1, 4)):
        for _ in range(r.randint(1, 6)):
            w.append(r.choice(FILL)); t.append("O")
        if r.random() < 0.25:           # a number that counts minutes is no quantity
            w += [str(r.randint(1, 40)), "minutes"]; t += ["O", "O"]
            continue
        w.append(str(r.randint(1, 40))); t.append("QTY")
        if r.random() < 0.8:
            w.append(r.choice(UNITS)); t.append("UNIT")
        w.append(r.choice(ITEMS)); t.append("ITEM")
    return w, t


def build(n, seed):
    r = random.Random(seed)
    return [sentence(r) for _ in range(n)]


def vocab():
    words = ["<pad>"] + ITEMS + UNITS + sorted(set(FILL)) + [str(i) for i in range(1, 41)]
    return {w: i for i, w in enumerate(dict.fromkeys(words))}
