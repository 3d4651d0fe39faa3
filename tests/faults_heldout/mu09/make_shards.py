"""Exports the ticket archive, one csv per month."""
from pathlib import Path
import random

rnd = random.Random(5)
words = {
    "billing": "invoice charge refund payment card amount tax receipt".split(),
    "login": "password account locked reset code email verify session".split(),
    "delivery": "parcel late courier address tracking box lost driver".split(),
    "quality": "broken scratch defect loose noise missing part cracked".split(),
    "praise": "great thanks happy helpful love friendly fast perfect".split(),
}
common = "the my is was a please order about with again today need since it shop".split()
for month in range(1, 7):
    lines = ["text,team"]
    for _ in range(250):
        team = rnd.choice(list(words))
        n = rnd.randint(6, 12)
        toks = []
        for _ in range(n):
            r = rnd.random()
            pool = words[team] if r < 0.28 else (words[rnd.choice(list(words))] if r < 0.38 else common)
            toks.append(rnd.choice(pool))
        lines.append(" ".join(toks) + "," + team)
    Path(__file__).parent.joinpath(f"tickets_{month:02d}.csv").write_text("\n".join(lines) + "\n")
