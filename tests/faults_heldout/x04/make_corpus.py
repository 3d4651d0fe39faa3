"""Writes corpus.txt: short harbour reports."""
import random

random.seed(17)
ships = ["the ferry", "the old trawler", "a grain barge", "the pilot boat", "a white yacht", "the tanker"]
verbs = ["left", "reached", "passed", "waited near", "returned to", "was towed from"]
places = ["the north pier", "the fuel dock", "the outer buoy", "the lock", "berth nine", "the breakwater"]
times = ["before dawn", "at noon", "in heavy fog", "after the storm", "on the evening tide"]
with open("corpus.txt", "w") as fh:
    for _ in range(2200):
        fh.write(f"{random.choice(ships)} {random.choice(verbs)} {random.choice(places)} {random.choice(times)}.\n")
