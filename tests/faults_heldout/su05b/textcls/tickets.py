"""Support tickets from templates, four queues."""
import random

QUEUES = ["billing", "delivery", "account", "technical"]
WORDS = {
    "billing": "invoice refund charged twice payment card amount receipt vat discount".split(),
    "delivery": "parcel courier late address tracking shipped missing damaged depot box".split(),
    "account": "password login email locked profile delete verify username reset security".split(),
    "technical": "crash screen update error slow install version freezes button app".split(),
}
COMMON = (
    "hello please i my the a is was not and to for since yesterday today again still "
    "help me with your you can we have order number thanks it this after before why"
).split()


def ticket(rng):
    q = rng.randrange(4)
    other = rng.choice([k for k in range(4) if k != q])
    # the queue follows from the topic named more often
    k = rng.randint(2, 4)
    words = rng.choices(WORDS[QUEUES[q]], k=k) + rng.choices(WORDS[QUEUES[other]], k=k - 1)
    words += rng.choices(COMMON, k=rng.randint(5, 14))
    rng.shuffle(words)
    return words, q


def corpus(n, seed):
    rng = random.Random(seed)
    return [ticket(rng) for _ in range(n)]


class Vocab:
    PAD = 0

    def __init__(self, texts):
        words = sorted({w for t in texts for w in t})
        self.index = {w: i + 2 for i, w in enumerate(words)}

    def __len__(self):
        return len(self.index) + 2

    def encode(self, words, max_len):
        ids = [self.index.get(w, 1) for w in words][:max_len]
        return ids + [self.PAD] * (max_len - len(ids))
