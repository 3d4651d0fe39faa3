import torch
import torch.nn as nn


class Encoder(nn.Module):
    """Convolutional encoder, pre-trained on the large vibration archive."""

    def __init__(self, width=24, out_dim=48):
        super().__init__()
        self.conv1 = nn.Conv1d(1, width, 11, stride=2, padding=5)
        self.conv2 = nn.Conv1d(width, width, 7, stride=2, padding=3)
        self.conv3 = nn.Conv1d(width, out_dim, 5, stride=2, padding=2)

    def forward(self, x):
        x = torch.relu(self.conv1(x))
        x = torch.relu(self.conv2(x))
        return torch.relu(self.conv3(x)).amax(dim=-1)


class FaultClassifier(nn.Module):
    def __init__(self, n_classes):
        super().__init__()
        self.encoder = Encoder()
        self.head = nn.Linear(48, n_classes)

    def forward(self, x):
        return self.head(self.encoder(x))


def init_weights(module):
    if isinstance(module, nn.Conv1d):
        nn.init.kaiming_normal_(module.weight, nonlinearity="relu")
        nn.init.zeros_(module.bias)
    elif isinstance(module, nn.Linear):
        nn.init.normal_(module.weight, std=0.01)
        nn.init.zeros_(module.bias)
