import math
import torch
from torch import nn
import torch.nn.functional as F


class TiedAutoencoder(nn.Module):
    """decoder re-uses the encoder matrices, transposed"""

    def __init__(self, sizes):
        super().__init__()
        pairs = list(zip(sizes[:-1], sizes[1:]))
        self.weights = nn.ParameterList([nn.Parameter(torch.randn(o, i) / math.sqrt(i)) for i, o in pairs])
        self.enc_bias = nn.ParameterList([nn.Parameter(torch.zeros(o)) for _, o in pairs])
        self.dec_bias = nn.ParameterList([nn.Parameter(torch.zeros(i)) for i, _ in pairs])

    def forward(self, x):
        last = len(self.weights) - 1
        for k, (w, b) in enumerate(zip(self.weights, self.enc_bias)):
            x = F.linear(x, w, b)
            x = torch.tanh(x) if k < last else x
        for k in range(last, -1, -1):
            x = F.linear(x, self.weights[k].t(), self.dec_bias[k])
            x = torch.tanh(x) if k else x
        return x
