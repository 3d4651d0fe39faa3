import torch


class Compose:
    def __init__(self, steps):
        self.steps = steps

    def __call__(self, w):
        for step in self.steps:
            w = step(w)
        return w


class RandomShift:
    def __init__(self, max_shift):
        self.max_shift = max_shift

    def __call__(self, w):
        k = int(torch.randint(-self.max_shift, self.max_shift + 1, (1,)))
        return torch.roll(w, k)


class RandomGain:
    """Lifts the second half of the record against the first, as a changing site response does."""

    def __init__(self, max_db):
        self.max_db = max_db

    def __call__(self, w):
        db = (2 * torch.rand(1) - 1) * self.max_db
        return w * torch.linspace(1.0, float(10 ** (db / 20)), w.shape[0])


class RandomFlip:
    def __init__(self, p):
        self.p = p

    def __call__(self, w):
        return -w if torch.rand(1) < self.p else w
