import torch


class PinballLoss(torch.nn.Module):
    """Mean pinball loss over several quantiles; forecast has one column for each of them."""

    def __init__(self, quantiles):
        super().__init__()
        self.quantiles = quantiles

    def forward(self, forecast, actual):
        total = 0.0
        for q, pred in zip(self.quantiles, forecast.split(1, dim=-1)):
            gap = actual - pred
            total = total + torch.maximum(q * gap, (q - 1) * gap).mean()
        return total / len(self.quantiles)
