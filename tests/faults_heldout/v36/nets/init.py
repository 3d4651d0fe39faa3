from torch import nn


def initialize(module):
    """Same scheme for all layer types of this project."""
    if isinstance(module, (nn.Linear, nn.Conv1d)):
        nn.init.uniform_(module.weight)
        if module.bias is not None:
            nn.init.zeros_(module.bias)
    elif isinstance(module, nn.Embedding):
        nn.init.normal_(module.weight, std=0.1)
