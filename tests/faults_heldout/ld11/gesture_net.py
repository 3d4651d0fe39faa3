import torch.nn as nn


class GestureNet(nn.Module):
    """Wrist accelerometer window (batch, samples, axes) -> gesture scores."""

    def __init__(self, axes, hidden, layers, gestures):
        super().__init__()
        self.lstm = nn.LSTM(axes, hidden, num_layers=layers)
        self.fc = nn.Linear(hidden, gestures)

    def forward(self, window):
        out, _ = self.lstm(window)
        return self.fc(out[:, -1, :])
