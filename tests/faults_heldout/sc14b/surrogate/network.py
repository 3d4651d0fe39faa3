from torch import nn

ACTIVATIONS = {
    "relu": nn.ReLU,
    "silu": nn.SiLU,
    "tanh": nn.Tanh,
    "sigmoid": nn.Sigmoid,
    "linear": nn.Identity,
}


class Surrogate(nn.Module):
    def __init__(self, n_in, n_out, hidden, hidden_activation, output_activation):
        super().__init__()
        act = ACTIVATIONS[hidden_activation]
        out_act = ACTIVATIONS[output_activation]
        layers, n = [], n_in
        for h in hidden:
            layers.append(nn.Linear(n, h))
            layers.append(act())
            n = h
        layers.append(nn.Linear(n, n_out))
        layers.append(out_act())
        self.layers = nn.Sequential(*layers)

    def forward(self, x):
        return self.layers(x)
