"""Gradient, saturation and output size at the first step of fresh networks, by depth, activation and weight scale.

Sets SHARE of vanishing_gradient, FLAT of saturated_activation, LOW, HIGH and FADED of bad_initialization and OUTPUT of
exploding_gradient. Needs torch: ``python benchmarks/thresholds/depth.py``.
"""

from __future__ import annotations

import math

import torch
from torch import nn

ACTIVATIONS = {"relu": nn.ReLU, "tanh": nn.Tanh, "sigmoid": nn.Sigmoid, "gelu": nn.GELU}


def network(depth: int, activation: str, factor: float, width: int = 64) -> nn.Sequential:
    torch.manual_seed(0)
    layers: list[nn.Module] = []
    for _ in range(depth):
        layers += [nn.Linear(width, width), ACTIVATIONS[activation]()]
    net = nn.Sequential(*layers, nn.Linear(width, 10))
    with torch.no_grad():
        for parameter in net.parameters():
            parameter *= factor
    return net


def measured(net: nn.Sequential) -> tuple[float, float, float, float, float]:
    """Gain, |gradient|/|weight| first over last layer, largest share of flat values, size of the output, spread of
    the last hidden layer's answers over that of the first.
    """
    x, y, flat = torch.randn(256, 64), torch.randint(0, 10, (256,)), 0.0
    spreads: list[float] = []
    for layer in net:
        x = layer(x)
        if isinstance(layer, nn.Linear):
            spreads.append(float(x.detach().std()))
        if isinstance(layer, (nn.Tanh, nn.Sigmoid)):
            slope = 1 - x * x if isinstance(layer, nn.Tanh) else 4 * x * (1 - x)
            flat = max(flat, float((slope < 0.01).float().mean()))
    nn.functional.cross_entropy(x, y).backward()
    weights = [layer.weight for layer in net if isinstance(layer, nn.Linear)]
    relative = [float(w.grad.norm() / w.detach().norm()) for w in weights if w.grad is not None]
    gain = float(weights[0].detach().std()) * math.sqrt(weights[0].shape[1])
    faded = spreads[-2] / spreads[0] if len(spreads) > 2 else 1.0
    return gain, relative[0] / relative[-1], flat, float(x.detach().pow(2).mean().sqrt()), faded


def main() -> None:
    print(f"{'network':24}{'gain':>8}{'first/last':>12}{'flat':>8}{'output':>10}{'hidden':>10}")
    for activation in ACTIVATIONS:
        for depth in (1, 2, 4, 8, 16):
            for factor in (0.1, 1.0, 2.4, 10.0):
                row = measured(network(depth, activation, factor))
                name = f"{activation} x{depth} weights x{factor}"
                print(f"{name:24}{row[0]:8.2f}{row[1]:12.1e}{row[2]:8.2f}{row[3]:10.2g}{row[4]:10.1e}")


if __name__ == "__main__":
    main()
