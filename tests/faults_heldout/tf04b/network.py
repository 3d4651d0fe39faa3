import torch
from torch import nn


class VibrationNet(nn.Module):
    def __init__(self, channels, n_classes, dropout):
        super().__init__()
        layers, c_in = [], 1
        for c_out, kernel in ((channels, 11), (channels, 7), (2 * channels, 5)):
            layers += [
                nn.Conv1d(c_in, c_out, kernel, padding=kernel // 2, bias=False),
                nn.BatchNorm1d(c_out),
                nn.ReLU(),
                nn.MaxPool1d(2),
            ]
            c_in = c_out
        self.features = nn.Sequential(*layers)
        self.dropout = nn.Dropout(dropout)
        self.classifier = nn.Linear(2 * c_in, n_classes)

    def forward(self, x):
        h = self.features(x)
        h = torch.cat([h.mean(-1), h.amax(-1)], dim=1)
        return self.classifier(self.dropout(h))
