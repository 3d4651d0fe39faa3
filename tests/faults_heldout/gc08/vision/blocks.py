import torch.nn as nn


def conv_unit(c_in, c_out, stride=1):
    return nn.Sequential(nn.Conv2d(c_in, c_out, 3, stride=stride, padding=1), nn.ReLU(inplace=True))


def reset_parameters(module):
    """Start from plain averaging filters with zero offsets."""
    if isinstance(module, (nn.Conv2d, nn.Linear)):
        fan_in = module.weight[0].numel()
        nn.init.constant_(module.weight, 1.0 / fan_in)
        nn.init.zeros_(module.bias)
