"""Writes commands.tsv (home assistant requests with the appliance that has to act first) and vectors.txt."""
import pathlib
import random

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
ACTIONS = {
    "lamp": ["dim the lamp", "switch on the lamp", "turn off the lamp in the hall"],
    "fan": ["start the fan", "turn off the fan", "slow down the fan please"],
    "blinds": ["open the blinds", "close the blinds", "lower the blinds a bit"],
    "oven": ["preheat the oven", "turn off the oven", "switch on the oven"],
    "radio": ["play the radio", "turn off the radio", "mute the radio for now"],
}
FRAMES = [
    ("{a} and then {b}", "a"), ("{a} before you {b}", "a"), ("after you {a} {b}", "a"), ("first {a} then {b}", "a"),
    ("{b} after you {a}", "a"), ("before you {b} {a}", "a"), ("{b} but first {a}", "a"), ("{b} once you {a}", "a"),
    ("once you {a} {b}", "a"), ("{a} and afterwards {b}", "a"),
]
PREFIX = ["", "", "hey ", "could you ", "please ", "ok house "]


def sentence(rng):
    first, second = rng.sample(list(ACTIONS), 2)
    frame, _ = rng.choice(FRAMES)
    return rng.choice(PREFIX) + frame.format(a=rng.choice(ACTIONS[first]), b=rng.choice(ACTIONS[second])), first


def vectors(lines, dim):
    vocab = sorted({w for s in lines for w in s.split()})
    index = {w: k for k, w in enumerate(vocab)}
    counts = np.zeros((len(vocab), len(vocab)))
    for s in lines:
        ids = [index[w] for w in s.split()]
        for p, i in enumerate(ids):
            for q in range(max(0, p - 2), min(len(ids), p + 3)):
                if q != p:
                    counts[i, ids[q]] += 1.0 / abs(p - q)
    total = counts.sum()
    pmi = np.log((counts * total + 1e-9) / (counts.sum(1, keepdims=True) * counts.sum(0, keepdims=True)) + 1e-9)
    u, s, _ = np.linalg.svd(np.maximum(pmi, 0))
    table = u[:, :dim] * np.sqrt(s[:dim])
    return vocab, table / table.std()


def main():
    rng = random.Random(61)
    rows = [sentence(rng) for _ in range(2400)]
    with open(HERE / "commands.tsv", "w") as fh:
        fh.writelines(f"{label}\t{text}\n" for text, label in rows)
    vocab, table = vectors([t for t, _ in rows], 24)
    with open(HERE / "vectors.txt", "w") as fh:
        for w, v in zip(vocab, table):
            fh.write(w + " " + " ".join(f"{x:.4f}" for x in v) + "\n")


if __name__ == "__main__":
    main()
