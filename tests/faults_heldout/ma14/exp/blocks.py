from torch import nn

ACTIVATIONS = {
    "relu": nn.ReLU,
    "gelu": nn.GELU,
    "silu": nn.SiLU,
    "tanh": nn.Tanh,
    "elu": nn.ELU,
}


def activation(name):
    """an empty or missing name means a linear block"""
    return ACTIVATIONS.get(name, nn.Identity)()


def mlp_block(n_in, n_out, act, norm):
    layers = [nn.Linear(n_in, n_out)]
    if norm:
        layers.append(nn.LayerNorm(n_out, elementwise_affine=True))
    layers.append(activation(act))
    return nn.Sequential(*layers)


def build(model_cfg, n_in):
    widths = [n_in, *model_cfg["widths"]]
    blocks = [mlp_block(a, b, model_cfg["activation"], model_cfg["norm"]) for a, b in zip(widths, widths[1:])]
    return nn.Sequential(*blocks, nn.Linear(widths[-1], 1))
