import torch
from torch.nn import functional as F


def soft_target_loss(student, teacher, temperature):
    """KL divergence of the softened distributions, times T^2 so the gradients keep their size."""
    t = temperature
    return F.kl_div(F.log_softmax(student / t, 1), F.log_softmax(teacher / t, 1),
                    reduction="batchmean", log_target=True) * t * t


def jitter(xy, angle=0.25, shift=0.1):
    """The same small rotation and shift for all points of a cloud."""
    a = (torch.rand(len(xy)) * 2 - 1) * angle
    rot = torch.stack([a.cos(), -a.sin(), a.sin(), a.cos()], 1).view(-1, 2, 2)
    return xy @ rot + (torch.rand(len(xy), 1, 2) * 2 - 1) * shift
