import torch
from torch.nn import functional as F


def pgd(model, x, y, eps, steps, alpha):
    """Largest loss in an L-inf ball around x."""
    was_training = model.training
    model.eval()
    delta = torch.empty_like(x).uniform_(-eps, eps)
    for _ in range(steps):
        delta.requires_grad_(True)
        loss = F.cross_entropy(model((x + delta).clamp(0, 1)), y)
        (grad,) = torch.autograd.grad(loss, delta)
        delta = (delta.detach() + alpha * grad.sign()).clamp(-eps, eps)
    model.train(was_training)
    return (x + delta).clamp(0, 1).detach()
