import torch


def pinball(q_pred, y, quantiles):
    """Mean pinball loss. q_pred holds one column per quantile."""
    total = 0.0
    for i, q in enumerate(quantiles):
        err = y - q_pred[:, i:i + 1]
        total = total + torch.maximum(q * err, (q - 1) * err).mean()
    return total / len(quantiles)
