from torch import nn


class Trunk(nn.Module):
    def __init__(self, channels, width, embed):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(channels, width, 7, padding=3), nn.BatchNorm1d(width), nn.ReLU(),
            nn.MaxPool1d(2),
            nn.Conv1d(width, width, 5, padding=2), nn.BatchNorm1d(width), nn.ReLU(),
            nn.AdaptiveAvgPool1d(1), nn.Flatten(),
            nn.Linear(width, embed), nn.ReLU(),
        )

    def forward(self, x):
        return self.net(x)


class TwoHead(nn.Module):
    """Shared trunk with an activity head and a wrist-side head."""

    def __init__(self, channels=3, width=24, embed=16, n_activity=5, detach=()):
        super().__init__()
        self.trunk = Trunk(channels, width, embed)
        self.heads = nn.ModuleDict({
            "activity": nn.Linear(embed, n_activity),
            "wrist": nn.Linear(embed, 1),
        })
        self.detach = set(detach)

    def forward(self, x):
        z = self.trunk(x)
        out = {}
        for name, head in self.heads.items():
            feats = z.detach() if name in self.detach else z
            out[name] = head(feats)
        return out
