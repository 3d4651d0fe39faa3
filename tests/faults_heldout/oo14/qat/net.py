import torch.nn as nn

from .fake import ActQuant, QConv, QLinear


def build(w_bits=4, a_bits=4):
    net = nn.Sequential(
        QConv(1, 16, 3, padding=1), nn.ReLU(), ActQuant(a_bits), nn.MaxPool2d(2),
        QConv(16, 32, 3, padding=1), nn.ReLU(), ActQuant(a_bits), nn.MaxPool2d(2),
        nn.Flatten(), QLinear(128, 48), nn.ReLU(), ActQuant(a_bits), QLinear(48, 10))
    for m in net:
        if isinstance(m, (QConv, QLinear)):
            m.bits = w_bits
    return net
