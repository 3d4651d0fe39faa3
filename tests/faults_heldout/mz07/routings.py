"""Shop-floor routings: the sequence of work centres that an order passes."""
import random

CENTRES = ["saw", "laser", "mill", "lathe", "drill", "deburr", "wash", "weld", "bend", "grind", "heat", "coat",
           "paint", "cure", "assemble", "test", "inspect", "rework", "pack", "ship"]
SPECIAL = ["[PAD]", "[MASK]", "[BOS]", "[EOS]"]
VOCAB = {w: i for i, w in enumerate(SPECIAL + CENTRES)}

FAMILIES = [
    ["saw", "mill", "drill", "deburr", "wash", "heat", "grind", "inspect", "pack", "ship"],
    ["laser", "bend", "weld", "grind", "wash", "paint", "cure", "inspect", "pack", "ship"],
    ["saw", "lathe", "heat", "grind", "deburr", "wash", "coat", "test", "pack", "ship"],
    ["laser", "deburr", "bend", "wash", "coat", "cure", "assemble", "test", "pack", "ship"],
    ["mill", "lathe", "drill", "wash", "inspect", "assemble", "test", "paint", "pack", "ship"],
    ["saw", "weld", "mill", "deburr", "paint", "cure", "assemble", "inspect", "pack", "ship"],
]


def routing(rnd):
    steps = []
    for step in rnd.choice(FAMILIES):
        if rnd.random() < 0.08:
            continue
        steps.append(step)
        if step in ("inspect", "test") and rnd.random() < 0.25:
            steps += ["rework", step]
        elif rnd.random() < 0.05:
            steps.append("wash")
    return ["[BOS]"] + steps + ["[EOS]"]


def corpus(n, seed):
    rnd = random.Random(seed)
    return [[VOCAB[w] for w in routing(rnd)] for _ in range(n)]
