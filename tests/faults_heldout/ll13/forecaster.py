import torch
import torch.nn as nn

LEVELS = (0.1, 0.5, 0.9)


class QuantileForecaster(nn.Module):
    """GRU over the past; one shared head looks at the state, the time ahead and the known future inputs."""

    def __init__(self, n_extra, horizon, hidden=48):
        super().__init__()
        self.rnn = nn.GRU(1 + n_extra, hidden, batch_first=True)
        self.lead = nn.Parameter(torch.randn(horizon, 8) * 0.1)
        self.head = nn.Sequential(nn.Linear(hidden + 8 + n_extra, 64), nn.ReLU(), nn.Linear(64, len(LEVELS)))

    def forward(self, past, future):
        _, h = self.rnn(past)
        b, t, _ = future.shape
        z = torch.cat([h[-1][:, None].expand(b, t, -1), self.lead.expand(b, t, -1), future], -1)
        low, mid, high = self.head(z).unbind(-1)
        up, down = nn.functional.softplus(high), nn.functional.softplus(low)
        return torch.stack([mid - down, mid, mid + up], -1)      # quantiles never cross


def pinball(pred, target):
    q = pred.new_tensor(LEVELS)
    err = target[..., None] - pred
    return torch.maximum(q * err, (q - 1) * err)
