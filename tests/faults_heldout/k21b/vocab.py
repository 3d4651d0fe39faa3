import random

ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
TENS = "x x twenty thirty forty fifty sixty seventy eighty ninety".split()
WORDS = ["<pad>"] + ONES + TENS[2:] + ["hundred", "thousand", "and"]
SRC = {w: i for i, w in enumerate(WORDS)}
PAD, BOS, EOS = 0, 1, 2
DIGIT0 = 3
N_TGT = DIGIT0 + 10


def below_hundred(n):
    if n < 20:
        return [ONES[n]]
    return [TENS[n // 10]] + ([ONES[n % 10]] if n % 10 else [])


def spell(n):
    out = []
    if n >= 1000:
        out += below_hundred(n // 1000) + ["thousand"]
        n %= 1000
        if n == 0:
            return out
    if n >= 100:
        out += [ONES[n // 100], "hundred"]
        n %= 100
        if n == 0:
            return out
        out.append("and")
    return out + below_hundred(n)


def pick(rnd):
    return rnd.randrange(10 ** rnd.choice([2, 3, 4, 5]))


def numbers(n_train, n_val, seed):
    rnd = random.Random(seed)
    seen = set()
    while len(seen) < n_train + n_val:
        seen.add(pick(rnd))
    seen = sorted(seen)
    rnd.shuffle(seen)
    return seen[:n_train], seen[n_train:]
