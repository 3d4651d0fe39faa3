from torch import nn

ACT = {"relu": nn.ReLU, "tanh": nn.Tanh, "gelu": nn.GELU}


def init_weights(m):
    if isinstance(m, nn.Linear):
        nn.init.constant_(m.weight, 0.01)
        nn.init.zeros_(m.bias)


class MLP(nn.Module):
    def __init__(self, n_in, n_out, widths, activation="relu"):
        super().__init__()
        layers = []
        for w in widths:
            layers += [nn.Linear(n_in, w), ACT[activation]()]
            n_in = w
        layers.append(nn.Linear(n_in, n_out))
        self.layers = nn.Sequential(*layers)
        self.apply(init_weights)

    def forward(self, x):
        return self.layers(x)
