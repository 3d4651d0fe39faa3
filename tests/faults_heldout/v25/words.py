"""Synthetic place names from three made-up languages."""
import random

STYLES = {
    0: (["ka", "to", "mi", "ra", "shi", "no", "ha", "ku"], ["n", "ri", "yama", "zu"]),
    1: (["bru", "gen", "wal", "stad", "hof", "ka", "ril", "lund"], ["berg", "en", "heim", "ra"]),
    2: (["mon", "lu", "ca", "rio", "ver", "sa", "to", "mi"], ["te", "na", "ella", "ri"]),
}


def make(n, seed):
    rng = random.Random(seed)
    out = []
    for _ in range(n):
        label = rng.randrange(3)
        syllables, endings = STYLES[label]
        word = "".join(rng.choice(syllables) for _ in range(rng.randint(1, 7))) + rng.choice(endings)
        out.append((word, label))
    return out


ALPHABET = "abcdefghijklmnopqrstuvwxyz"


def encode(word):
    return [ALPHABET.index(c) + 1 for c in word]
