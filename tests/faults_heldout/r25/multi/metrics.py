class Accuracy:
    """Share of correct label decisions over a split."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.correct = 0
        self.batches = 0

    def update(self, logits, target):
        self.correct += ((logits > 0) == (target > 0.5)).float().sum().item()
        self.batches += 1

    def compute(self, batch_size, n_labels):
        return self.correct / (self.batches * batch_size * n_labels)
