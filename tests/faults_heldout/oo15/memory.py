import torch


class ReservoirMemory:
    """Uniform sample over everything seen so far."""

    def __init__(self, capacity, gen):
        self.capacity, self.gen = capacity, gen
        self.x, self.y, self.logits = [], [], []
        self.seen = 0

    def __len__(self):
        return len(self.x)

    def add(self, xb, yb, lb):
        for x, y, l in zip(xb, yb, lb):
            if len(self.x) < self.capacity:
                self.x.append(x); self.y.append(y); self.logits.append(l)
            else:
                j = int(torch.randint(0, self.seen + 1, (1,), generator=self.gen))
                if j < self.capacity:
                    self.x[j], self.y[j], self.logits[j] = x, y, l
            self.seen += 1

    def draw(self, n):
        idx = torch.randint(0, len(self.x), (min(n, len(self.x)),), generator=self.gen).tolist()
        return (torch.stack([self.x[i] for i in idx]), torch.stack([self.y[i] for i in idx]),
                torch.stack([self.logits[i] for i in idx]))
