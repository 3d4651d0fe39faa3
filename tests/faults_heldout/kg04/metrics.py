class Accuracy:
    def __init__(self):
        self.reset()

    def reset(self):
        self.right = 0
        self.count = 0

    def update(self, logits, target):
        self.right += int((logits.argmax(-1) == target).sum())
        self.count += target.numel()

    def compute(self):
        return self.right / max(self.count, 1)


class Mean:
    def __init__(self):
        self.reset()

    def reset(self):
        self.sum, self.weight = 0.0, 0

    def update(self, value, n):
        self.sum += float(value) * n
        self.weight += n

    def compute(self):
        return self.sum / max(self.weight, 1)
