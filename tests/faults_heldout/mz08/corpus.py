"""Help-centre articles and the tickets that agents resolved with them."""
import random

TOPICS = {
    "invoice": "invoice bill charge amount tax receipt vat".split(),
    "login": "password login account email code locked sign".split(),
    "delivery": "parcel courier delivery address tracking late depot".split(),
    "returns": "return refund label exchange money sent back".split(),
    "router": "router wifi signal cable reset light offline".split(),
    "app": "app crash update phone screen install version".split(),
    "contract": "contract cancel notice term renew month plan".split(),
    "warranty": "warranty broken repair defect replace part serial".split(),
}
ASPECTS = {
    "missing": "missing gone lost absent nowhere".split(),
    "wrong": "wrong incorrect mistake different false".split(),
    "double": "twice double again duplicate second".split(),
    "slow": "slow waiting days long still".split(),
    "change": "change update edit modify new".split(),
    "howto": "how where find steps guide".split(),
    "error": "error failed message red fails".split(),
    "stop": "stop end disable off remove".split(),
}
PRODUCTS = "basic family business student senior".split()
FILLER = "hello please my the i have a to it is and for with since thanks can you this".split()
PAIRS = [(t, a, p) for t in TOPICS for a in ASPECTS for p in PRODUCTS]
WORDS = {w: i + 1 for i, w in enumerate(sorted({*FILLER, *PRODUCTS, *(x for v in TOPICS.values() for x in v),
                                                *(x for v in ASPECTS.values() for x in v)}))}


def article(key, rnd):
    t, a, p = key
    words = rnd.choices(TOPICS[t], k=8) + rnd.choices(ASPECTS[a], k=6) + [p] * 3 + rnd.choices(FILLER, k=8)
    rnd.shuffle(words)
    return words


def ticket(key, rnd):
    t, a, p = key
    words = rnd.choices(TOPICS[t], k=3) + rnd.choices(ASPECTS[a], k=2) + rnd.choices(FILLER, k=5)
    if rnd.random() < 0.8:
        words.append(p)
    rnd.shuffle(words)
    return words


def encode(words, width):
    ids = [WORDS[w] for w in words][:width]
    return ids + [0] * (width - len(ids))


def build(n_train, n_test, seed):
    rnd = random.Random(seed)
    docs = [encode(article(k, rnd), 26) for k in PAIRS]
    rows = []
    for _ in range(n_train + n_test):
        d = rnd.randrange(len(PAIRS))
        rows.append((encode(ticket(PAIRS[d], rnd), 12), d))
    return docs, rows[:n_train], rows[n_train:]
