"""Writes orders.txt, a long run of short order lines."""
import random

random.seed(8)
who = ["anna", "bertil", "carlos", "dora", "emil", "fatima"]
what = {"anna": "tea", "bertil": "coffee", "carlos": "milk", "dora": "water", "emil": "juice", "fatima": "soup"}
verbs = ["orders", "wants", "takes"]
lines = []
for _ in range(2500):
    w = random.choice(who)
    n = random.randint(2, 9)
    lines.append(f"{w} {random.choice(verbs)} {n} {what[w]}")
open("orders.txt", "w").write("\n".join(lines))
