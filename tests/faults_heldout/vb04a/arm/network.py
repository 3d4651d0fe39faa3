from torch import nn

ACTIVATIONS = {
    "relu": nn.ReLU,
    "silu": nn.SiLU,
    "tanh": nn.Tanh,
    "linear": nn.Identity,
}


def build_network(n_in, n_out, hidden, depth, activation):
    act = ACTIVATIONS[activation]
    blocks = [nn.Linear(n_in, hidden), act()]
    for _ in range(depth - 1):
        blocks.append(nn.Linear(hidden, hidden))
        blocks.append(act())
    blocks.append(nn.Linear(hidden, n_out))
    return nn.Sequential(*blocks)
