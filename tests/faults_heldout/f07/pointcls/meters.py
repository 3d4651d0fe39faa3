from collections import defaultdict


class Meter:
    def __init__(self):
        self.reset()

    def reset(self):
        self.total, self.n = 0.0, 0

    def add(self, value, n=1):
        self.total += value * n
        self.n += n

    @property
    def avg(self):
        return self.total / max(self.n, 1)


class Board:
    """Named meters, 'phase/name', shared by the whole run."""

    def __init__(self):
        self.meters = defaultdict(Meter)
        self.history = []

    def add(self, key, value, n=1):
        self.meters[key].add(float(value), n)

    def flush(self, epoch, phase="train"):
        row = {k: m.avg for k, m in self.meters.items()}
        for k, m in self.meters.items():
            if k.startswith(phase):
                m.reset()
        self.history.append((epoch, row))
        return row
