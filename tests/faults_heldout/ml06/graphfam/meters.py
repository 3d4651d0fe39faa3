class Mean:
    """Weighted running mean."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.total = 0.0
        self.weight = 0

    def update(self, value, weight=1):
        self.total += float(value) * weight
        self.weight += weight

    @property
    def value(self):
        return self.total / max(self.weight, 1)
