import torch.nn as nn


class ReadClassifier(nn.Module):
    """3-mer profile -> species."""

    def __init__(self, n_species, width=128):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(64, width),
            nn.ReLU(),
            nn.Dropout(0.1),
            nn.Linear(width, width),
            nn.ReLU(),
            nn.Linear(width, n_species),
            nn.Softmax(dim=1),
        )

    def forward(self, x):
        return self.layers(x)
