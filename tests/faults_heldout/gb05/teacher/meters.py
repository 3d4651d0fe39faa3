class Smoothed:
    """Bias-corrected exponential average for the progress line."""

    def __init__(self, beta=0.98):
        self.beta = beta
        self.value = 0.0
        self.weight = 0.0

    def update(self, x):
        self.value = self.beta * self.value + (1.0 - self.beta) * x
        self.weight = self.beta * self.weight + (1.0 - self.beta)

    def __format__(self, spec):
        v = self.value.item() if hasattr(self.value, "item") else self.value
        return format(v / max(self.weight, 1e-12), spec)
