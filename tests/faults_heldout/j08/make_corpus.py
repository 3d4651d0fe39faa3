"""Writes corpus.txt: sentences from a small grammar."""
import random

r = random.Random(4)
det = ["the", "a", "every", "that"]
adj = ["old", "quiet", "green", "narrow", "heavy", "bright", "careful"]
noun = ["sailor", "bridge", "garden", "engine", "letter", "winter", "doctor", "river", "lantern"]
verb = ["crosses", "paints", "follows", "remembers", "repairs", "carries", "finds"]
prep = ["near", "behind", "under", "across"]


def np_():
    return " ".join([r.choice(det)] + ([r.choice(adj)] if r.random() < 0.6 else []) + [r.choice(noun)])


out = []
for _ in range(3000):
    s = f"{np_()} {r.choice(verb)} {np_()}"
    if r.random() < 0.5:
        s += f" {r.choice(prep)} {np_()}"
    out.append(s + ".")
open("corpus.txt", "w").write("\n".join(out))
