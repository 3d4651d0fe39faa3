from torch import nn


class HeatDemandNet(nn.Module):
    def __init__(self, n_features, hidden, dropout=0.0):
        super().__init__()
        layers, width = [], n_features
        for h in hidden:
            layers += [nn.Linear(width, h), nn.SiLU()]
            if dropout:
                layers.append(nn.Dropout(dropout))
            width = h
        self.body = nn.Sequential(*layers)
        self.head = nn.Linear(width, 1)

    def forward(self, x):
        return self.head(self.body(x)).squeeze(-1)


def build_model(n_features, cfg):
    return HeatDemandNet(n_features, cfg.hidden, cfg.dropout)
