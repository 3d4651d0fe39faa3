"""Weather bulletins as a character corpus."""
import random

import torch

PLACES = ["dover", "fisher", "lundy", "malin", "viking", "tyne", "humber", "plymouth"]
WIND = ["north", "south", "east", "west", "northwest", "southwest"]
FORCE = ["three", "four", "five", "six", "seven"]
SKY = ["rain at times", "fair", "showers later", "drizzle", "fog patches"]
VIEW = {"rain at times": "moderate", "fair": "good", "showers later": "good", "drizzle": "poor", "fog patches": "very poor"}


def bulletin(r):
    sky = r.choice(SKY)
    return f"{r.choice(PLACES)}: {r.choice(WIND)} {r.choice(FORCE)}, {sky}, {VIEW[sky]}.\n"


def build(n_train, n_val, seed):
    r = random.Random(seed)
    train = "".join(bulletin(r) for _ in range(n_train))
    val = "".join(bulletin(r) for _ in range(n_val))
    chars = sorted(set(train))
    stoi = {c: i for i, c in enumerate(chars)}
    enc = lambda s: torch.tensor([stoi[c] for c in s])
    return enc(train), enc(val), chars


def sample_blocks(ids, batch, block, gen):
    start = torch.randint(0, len(ids) - block - 1, (batch,), generator=gen)
    offs = start[:, None] + torch.arange(block + 1)[None]
    chunk = ids[offs]
    return chunk[:, :-1], chunk[:, 1:]


def all_blocks(ids, block):
    n = (len(ids) - 1) // block
    return ids[:n * block].view(n, block), ids[1:n * block + 1].view(n, block)
