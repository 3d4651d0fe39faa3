"""Word lists of made-up place names for five regions."""
import random

import torch
from torch.nn.utils.rnn import pad_sequence

ONSETS = {
    "north": ["sk", "br", "th", "h", "st", "v", "gr", "l"],
    "coast": ["m", "l", "k", "p", "n", "w", "t", "h"],
    "hills": ["tz", "k", "sch", "r", "b", "d", "g", "w"],
    "plain": ["c", "s", "m", "p", "t", "l", "v", "b"],
    "river": ["zh", "d", "n", "kr", "p", "s", "v", "m"],
}
NUCLEI = {
    "north": ["o", "a", "ei", "y", "u"],
    "coast": ["a", "ao", "i", "ua", "e"],
    "hills": ["e", "au", "u", "ie", "a"],
    "plain": ["a", "io", "e", "o", "ia"],
    "river": ["o", "a", "e", "y", "i"],
}
CODAS = {
    "north": ["rn", "ld", "r", "k", ""],
    "coast": ["", "", "", "", "n"],
    "hills": ["ch", "rg", "n", "lz", ""],
    "plain": ["", "", "n", "r", ""],
    "river": ["v", "sk", "j", "", "n"],
}
REGIONS = list(ONSETS)
ALPHABET = "abcdefghijklmnopqrstuvwxyz"


def make_name(region, rng):
    parts = []
    for _ in range(rng.randint(2, 3)):
        parts.append(rng.choice(ONSETS[region]) + rng.choice(NUCLEI[region]) + rng.choice(CODAS[region]))
    return "".join(parts)


def make_corpus(per_region, seed):
    rng = random.Random(seed)
    seen, rows = set(), []
    for label, region in enumerate(REGIONS):
        k = 0
        while k < per_region:
            name = make_name(region, rng)
            if name not in seen:
                seen.add(name)
                rows.append((name, label))
                k += 1
    rng.shuffle(rows)
    return rows


def collate(rows):
    seqs = [torch.tensor([ALPHABET.index(ch) + 1 for ch in name]) for name, _ in rows]
    lengths = torch.tensor([len(s) for s in seqs])
    labels = torch.tensor([label for _, label in rows])
    return pad_sequence(seqs, batch_first=True), lengths, labels
