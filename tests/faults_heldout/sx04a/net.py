import torch
from torch import nn


class FlowRNN(nn.Module):
    """Plain recurrent net with rectified units and an identity start for the recurrent matrix."""

    def __init__(self, hidden):
        super().__init__()
        self.rnn = nn.RNN(2, hidden, nonlinearity="relu", batch_first=True)
        self.read = nn.Linear(hidden, 1)
        with torch.no_grad():
            self.rnn.weight_hh_l0.copy_(torch.eye(hidden))
            self.rnn.weight_ih_l0.normal_(0, 0.1)
            self.rnn.bias_ih_l0.zero_()
            self.rnn.bias_hh_l0.zero_()

    def forward(self, x):
        out, _ = self.rnn(x)
        return self.read(out[:, -1]).squeeze(1)
