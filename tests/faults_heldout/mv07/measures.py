import torch


def masked_nll(logits, tags):
    """mean over the real tokens of the batch"""
    real = (tags != 0).float()
    nll = -logits.log_softmax(-1).gather(-1, tags.unsqueeze(-1)).squeeze(-1)
    return (nll * real).sum() / real.sum()


class EntityF1:
    """micro F1 over the entity tags; O and padding are no entities"""

    def __init__(self):
        self.tp = self.pred = self.gold = 0

    def add(self, logits, tags):
        guess = logits[..., 1:].argmax(-1) + 1
        real = tags != 0
        self.tp += ((guess == tags) & (tags > 1)).sum().item()
        self.pred += ((guess > 1) & real).sum().item()
        self.gold += (tags > 1).sum().item()

    def value(self):
        return 2 * self.tp / max(1, self.pred + self.gold)
