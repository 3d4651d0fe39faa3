import random

rnd = random.Random(3)
names = ["anna", "boris", "chloe", "dmitri", "elena", "farid", "greta", "hugo"]
things = {"garden": ["roses", "apples", "beans"], "harbour": ["boats", "nets", "ropes"], "kitchen": ["pots", "spoons", "plates"],
          "library": ["books", "maps", "letters"]}
verbs = ["counts", "cleans", "carries", "paints", "mends"]


def story():
    who, where = rnd.choice(names), rnd.choice(list(things))
    lines = [f"{who} is in the {where}."]
    for _ in range(rnd.randint(2, 5)):
        lines.append(f"{who} {rnd.choice(verbs)} the {rnd.choice(things[where])}.")
    if rnd.random() < 0.5:
        lines.append(f"then {who} leaves the {where}.")
    return " ".join(lines) + "\n"


def write(path, chars):
    out = ""
    while len(out) < chars:
        out += story()
    open(path, "w").write(out)


write("train.txt", 72_000)
write("valid.txt", 12_000)
