import torch.nn as nn


class MLP(nn.Module):
    def __init__(self, n_inputs, hidden, dropout):
        super().__init__()
        layers, width = [], n_inputs
        for h in hidden:
            layers += [nn.Linear(width, h), nn.ReLU(), nn.Dropout(dropout)]
            width = h
        self.net = nn.Sequential(*layers, nn.Linear(width, 1))

    def forward(self, x):
        return self.net(x).squeeze(-1)


class Linear(nn.Module):
    def __init__(self, n_inputs):
        super().__init__()
        self.net = nn.Linear(n_inputs, 1)

    def forward(self, x):
        return self.net(x).squeeze(-1)


def build_model(cfg, n_inputs):
    options = {k: v for k, v in cfg.items() if k != "type"}
    return {"mlp": MLP, "linear": Linear}[cfg["type"]](n_inputs, **options)
