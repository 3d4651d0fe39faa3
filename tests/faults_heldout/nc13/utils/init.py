"""Weight initialisation shared by all our tabular models."""
import torch.nn as nn

ZERO_INIT_SUFFIXES = ("fc_in", "fc_out")


def init_linear(linear, gain=1.0):
    nn.init.xavier_uniform_(linear.weight, gain=gain)
    if linear.bias is not None:
        nn.init.zeros_(linear.bias)


def init_model(model, gain=1.0):
    """Xavier everywhere; residual branches are zeroed so that every block
    starts as the identity and depth does not change the initial function."""
    for name, module in model.named_modules():
        if not isinstance(module, nn.Linear):
            continue
        init_linear(module, gain)
        if name.endswith(ZERO_INIT_SUFFIXES):
            nn.init.zeros_(module.weight)
    return model
