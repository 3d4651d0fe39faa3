"""Write tickets.json: short synthetic support messages with their queue."""
import json
import random

rng = random.Random(77)
TOPICS = {
    "billing": "invoice charge refund card payment receipt price plan overcharged subscription".split(),
    "login": "password account reset locked email code verify sign username session".split(),
    "delivery": "parcel courier late address tracking box shipped depot missing driver".split(),
    "bug": "crash screen freezes error button update version slow blank loading".split(),
}
FILLER = ("hello please i my the a is was still not again since yesterday today help can you it on for with and "
          "thanks very just now we have been there this what why how").split()
rows = []
for _ in range(2600):
    queue = rng.choice(list(TOPICS))
    n = rng.randint(4, 30)
    words = [rng.choice(FILLER) for _ in range(n)]
    for _ in range(max(1, n // 5)):
        source = queue if rng.random() < 0.85 else rng.choice(list(TOPICS))
        words[rng.randrange(n)] = rng.choice(TOPICS[source])
    rows.append({"text": " ".join(words), "queue": queue})
json.dump(rows, open("tickets.json", "w"), indent=0)
