import random

ONES = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
TENS = {2: "twenty", 3: "thirty", 4: "forty", 5: "fifty"}


def number(n):
    if n < 20:
        return [ONES[n - 1]]
    return [TENS[n // 10]] + ([ONES[n % 10 - 1]] if n % 10 else [])


def phrases(h, m):
    """All ways to say the time h:m (1..12, 0..59)."""
    after = h % 12 + 1
    out = [number(h) + (["o'clock"] if m == 0 else (["oh"] if m < 10 else []) + number(m))]
    if m == 30:
        out.append(["half", "past"] + number(h))
    if m in (15, 45):
        out.append(["quarter", "past"] + number(h) if m == 15 else ["quarter", "to"] + number(after))
    if 0 < m <= 30:
        out.append(number(m) + ["minutes", "past"] + number(h))
    if m > 30:
        out.append(number(60 - m) + ["minutes", "to"] + number(after))
    return out


def corpus(seed):
    times = [(h, m) for h in range(1, 13) for m in range(60)]
    random.Random(seed).shuffle(times)
    pairs = lambda part: [(p, f"{h:02d}:{m:02d}") for h, m in part for p in phrases(h, m)]
    return pairs(times[:576]), pairs(times[576:])
