import torch
import torch.nn.functional as F


def torque_error(pred, target):
    """Robust torque error, one value per joint."""
    return F.smooth_l1_loss(pred, target, reduction="none").sum(dim=0)


def objective(pred, target):
    return torque_error(pred, target).mean()


@torch.no_grad()
def explained(pred, target):
    """R^2 per joint."""
    return 1 - (pred - target).square().mean(0) / target.var(0, unbiased=False)
