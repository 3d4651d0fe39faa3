"""Support tickets: queue prediction from short texts."""
import random

QUEUES = {
    "billing": ["invoice", "charge", "refund", "payment", "card", "amount", "tax", "receipt"],
    "network": ["router", "wifi", "dropout", "latency", "cable", "signal", "dns", "modem"],
    "account": ["password", "login", "email", "username", "profile", "verify", "locked", "token"],
    "delivery": ["parcel", "courier", "address", "late", "tracking", "depot", "box", "missing"],
    "hardware": ["screen", "battery", "keyboard", "fan", "charger", "broken", "noise", "hinge"],
}
FILLER = ("the a my on since yesterday please help it is not i have and with again still after when your "
          "this was to for you can help because today week").split()
NEGATION = ["nothing to do with", "not about"]


def write(rnd):
    q = rnd.choice(list(QUEUES))
    words = []
    for _ in range(rnd.randint(3, 5)):
        words.append(rnd.choice(QUEUES[q]))
    other, stray = rnd.sample([k for k in QUEUES if k != q], 2)
    if rnd.random() < 0.6:
        words.insert(rnd.randint(0, len(words)), rnd.choice(QUEUES[stray]))
    body = []
    for w in words:
        body += rnd.choices(FILLER, k=rnd.randint(1, 3)) + [w]
    if rnd.random() < 0.6:
        neg = (rnd.choice(NEGATION) + " the " + " ".join(rnd.choices(QUEUES[other], k=rnd.randint(1, 2)))).split()
        at = rnd.choice([0, len(body)])
        body = body[:at] + neg + body[at:]
    return body, list(QUEUES).index(q)


def corpus(n, seed):
    rnd = random.Random(seed)
    seen, rows = set(), []
    while len(rows) < n:
        b, q = write(rnd)
        if tuple(b) not in seen:
            seen.add(tuple(b))
            rows.append((b, q))
    return rows


def vocabulary(rows):
    words = sorted({w for b, _ in rows for w in b})
    return {w: i + 2 for i, w in enumerate(words)}
