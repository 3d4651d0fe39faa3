from torch import nn

ACT = {"relu": nn.ReLU, "tanh": nn.Tanh, "elu": nn.ELU}


def mlp(sizes, act="tanh"):
    """Fully connected network; sizes = [in, hidden..., out]."""
    layers = []
    for i in range(len(sizes) - 1):
        layers.append(nn.Linear(sizes[i], sizes[i + 1]))
        if i < len(sizes) - 1:
            layers.append(ACT[act]())
    return nn.Sequential(*layers)


class Critic(nn.Module):
    def __init__(self, obs_dim, hidden=(64, 64), act="tanh"):
        super().__init__()
        self.v = mlp([obs_dim, *hidden, 1], act)

    def forward(self, obs):
        return self.v(obs).squeeze(-1)
