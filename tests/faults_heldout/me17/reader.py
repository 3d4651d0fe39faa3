import random


def load(path, seed=0, shares=(0.8, 0.1)):
    users, items, data = {}, {}, []
    with open(path) as f:
        next(f)
        for line in f:
            u, i, s = line.rstrip("\n").split("\t")
            data.append((users.setdefault(u, len(users)), items.setdefault(i, len(items)), float(s)))
    random.Random(seed).shuffle(data)
    a = int(shares[0] * len(data))
    b = a + int(shares[1] * len(data))
    return data[:a], data[a:b], data[b:], len(users), len(items)
