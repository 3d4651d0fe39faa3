"""Writes text.txt: sentences from a small grammar."""
import random

r = random.Random(77)
DET = ["the", "a", "every", "some", "no"]
ADJ = ["old", "quiet", "green", "heavy", "broken", "small", "distant"]
NOUN = ["river", "engineer", "lantern", "mountain", "letter", "harbour", "window", "teacher", "garden"]
VERB = ["watched", "carried", "followed", "repaired", "remembered", "opened", "painted"]
TAIL = ["before dawn", "in silence", "after the storm", "near the bridge", "without a word"]


def np_():
    return " ".join([r.choice(DET)] + ([r.choice(ADJ)] if r.random() < 0.6 else []) + [r.choice(NOUN)])


with open("text.txt", "w") as f:
    for _ in range(1800):
        s = f"{np_()} {r.choice(VERB)} {np_()}"
        if r.random() < 0.5:
            s += " " + r.choice(TAIL)
        f.write(s + ".\n")
