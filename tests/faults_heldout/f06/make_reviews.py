"""Template reviews with negations and fillers, written to reviews.csv."""
import csv
import random

r = random.Random(17)
pos = "great lovely crisp solid quick friendly bright tasty clean sturdy comfy sharp".split()
neg = "dull broken slow rude bland dirty flimsy noisy late stale rough cold".split()
noun = "screen staff soup battery room cable case menu chair lens bed box".split()
fill = "honestly overall again somehow well today really yesterday maybe then so quite".split()
rows = []
for _ in range(2600):
    s, words = 0, []
    for _ in range(r.choice([1, 3, 3, 5])):
        v = r.choice([1, -1])
        w = r.choice(pos if v > 0 else neg)
        words += r.sample(fill, r.randint(0, 2)) + ["the", r.choice(noun), "was"]
        if r.random() < 0.35:
            words.append("not"); v = -v
        words.append(w); s += v
    rows.append((int(s > 0), " ".join(words)))
with open("reviews.csv", "w", newline="") as f:
    w = csv.writer(f); w.writerow(["label", "text"]); w.writerows(rows)
