import torch
import torch.nn as nn


def conditioner(n_in, hidden, n_out):
    net = nn.Sequential(nn.Linear(n_in, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU(),
                        nn.Linear(hidden, n_out))
    nn.init.zeros_(net[-1].weight)
    nn.init.zeros_(net[-1].bias)
    return net


class AffineCoupling(nn.Module):
    """Starts as the identity, since the last conditioner layer is zero."""

    def __init__(self, dim, hidden, flip):
        super().__init__()
        mask = torch.arange(dim) % 2 == int(flip)
        self.register_buffer("keep", mask.nonzero().flatten())
        self.register_buffer("change", (~mask).nonzero().flatten())
        self.net = conditioner(len(self.keep), hidden, 2 * len(self.change))

    def forward(self, x):
        log_scale, shift = self.net(x[:, self.keep]).chunk(2, dim=1)
        log_scale = 2.0 * torch.tanh(log_scale / 2.0)
        y = x.clone()
        y[:, self.change] = x[:, self.change] * log_scale.exp() + shift
        return y, log_scale.sum(dim=1)


class AdditiveCoupling(AffineCoupling):
    def forward(self, x):
        _, shift = self.net(x[:, self.keep]).chunk(2, dim=1)
        y = x.clone()
        y[:, self.change] = x[:, self.change] + shift
        return y, x.new_zeros(len(x))
