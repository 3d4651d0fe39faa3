import math

import torch


def lr_at(epoch, epochs, base, warmup=3):
    if epoch < warmup:
        return base * (epoch + 1) / warmup
    return 0.5 * base * (1 + math.cos(math.pi * (epoch - warmup) / (epochs - warmup)))


def make_optimizer(model, lr, momentum=0.97):
    return torch.optim.SGD(model.parameters(), lr=lr, momentum=momentum, nesterov=True)
