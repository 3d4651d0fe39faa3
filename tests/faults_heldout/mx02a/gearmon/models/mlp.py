from torch import nn


class ConditionMLP(nn.Module):
    """Plain tanh MLP on ten-minute SCADA aggregates."""

    def __init__(self, n_inputs, n_classes, hidden=64, depth=2):
        super().__init__()
        dims = [n_inputs] + [hidden] * depth
        self.trunk = nn.Sequential(
            *[
                layer
                for i, o in zip(dims[:-1], dims[1:])
                for layer in (nn.Linear(i, o), nn.Tanh())
            ]
        )
        self.classifier = nn.Linear(hidden, n_classes)

    def forward(self, x):
        return self.classifier(self.trunk(x))
