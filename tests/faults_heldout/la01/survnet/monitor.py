from collections import defaultdict


class GradMonitor:
    """Keeps the running gradient norms of every parameter for the report."""

    def __init__(self, model):
        self.model = model
        self.sums = defaultdict(float)
        self.count = 0

    def collect(self):
        for name, p in self.model.named_parameters():
            if p.grad is not None:
                self.sums[name] += p.grad.norm().item()
        self.count += 1
        self.model.zero_grad()

    def flush(self):
        means = {k: v / max(self.count, 1) for k, v in self.sums.items()}
        self.sums.clear()
        self.count = 0
        return means
