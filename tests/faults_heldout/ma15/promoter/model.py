from torch import nn


class MotifCNN(nn.Module):
    def __init__(self, kernels=20, width=9, drop=0.3):
        super().__init__()
        self.scan = nn.Sequential(nn.Conv1d(4, kernels, width), nn.ReLU(), nn.MaxPool1d(4),
                                  nn.Conv1d(kernels, kernels, 5), nn.ReLU(), nn.AdaptiveMaxPool1d(1), nn.Flatten())
        self.read = nn.Sequential(nn.Dropout(drop), nn.Linear(kernels, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, x):
        return self.read(self.scan(x)).squeeze(1)
