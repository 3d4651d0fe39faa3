import torch


def auroc(score, y):
    """Probability that a positive is scored above a negative (ties count one half)."""
    pos, neg = score[y > 0.5], score[y <= 0.5]
    diff = pos[:, None] - neg[None, :]
    return ((diff > 0).float() + 0.5 * (diff == 0).float()).mean().item()


def brier(prob, y):
    return ((prob - y) ** 2).mean().item()
