import random

import torch

POS = "great lovely superb tasty friendly quick fresh warm".split()
NEG = "awful bland rude slow stale cold dirty noisy".split()
FILL = "the food was and service staff room here we came with friends on monday it felt table dishes".split()
FLIP = ["not", "never"]
VOCAB = {w: i + 1 for i, w in enumerate(POS + NEG + FILL + FLIP)}


def review(rng):
    n = rng.choice([4, 6, 9, 14, 20, 30])
    words, score = [], 0
    while len(words) < n or score == 0:
        r = rng.random()
        if r < 0.35:
            w, v = (rng.choice(POS), 1) if rng.random() < .5 else (rng.choice(NEG), -1)
            if rng.random() < .3:
                words.append(rng.choice(FLIP))
                v = -v
            words.append(w)
            score += v
        else:
            words.append(rng.choice(FILL))
    return [VOCAB[w] for w in words], int(score > 0)


def build(n, seed):
    rng = random.Random(seed)
    return [review(rng) for _ in range(n)]


def buckets(data, bs, shuffle=True):
    """Batches of similar length (little padding); the order of the batches is random."""
    noise = (lambda: random.random() * 3) if shuffle else (lambda: 0)
    order = sorted(range(len(data)), key=lambda i: len(data[i][0]) + noise())
    chunks = [order[i:i + bs] for i in range(0, len(order), bs)]
    if shuffle:
        random.shuffle(chunks)
    for c in chunks:
        lens = torch.tensor([len(data[i][0]) for i in c])
        x = torch.zeros(len(c), int(lens.max()), dtype=torch.long)
        for r, i in enumerate(c):
            x[r, :lens[r]] = torch.tensor(data[i][0])
        yield x, lens, torch.tensor([data[i][1] for i in c], dtype=torch.float32)
