import torch
from torch import nn


class DemandNet(nn.Module):
    """Predicts the log of the expected number of rentals per hour."""

    def __init__(self, hour_dim, weekday_dim, hidden, dropout, n_cont=4):
        super().__init__()
        self.hour = nn.Embedding(24, hour_dim)
        self.weekday = nn.Embedding(7, weekday_dim)
        self.body = nn.Sequential(
            nn.Linear(hour_dim + weekday_dim + n_cont, hidden), nn.SiLU(), nn.Dropout(dropout),
            nn.Linear(hidden, hidden), nn.SiLU(),
            nn.Linear(hidden, 1))

    def set_base_rate(self, mean_count):
        with torch.no_grad():
            self.body[-1].bias.fill_(float(torch.log(mean_count)))

    def forward(self, cat, cont):
        z = torch.cat([self.hour(cat[:, 0]), self.weekday(cat[:, 1]), cont], dim=1)
        return self.body(z).squeeze(1)
