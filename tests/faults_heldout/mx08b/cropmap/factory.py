from torch import nn


class RecurrentEncoder(nn.Module):
    """Last state of a GRU over the acquisition dates."""

    def __init__(self, n_bands, units, layers=1):
        super().__init__()
        self.rnn = nn.GRU(n_bands, units, num_layers=layers, batch_first=True)
        self.n_out = units

    def forward(self, x):
        return self.rnn(x)[1][-1]


class ConvEncoder(nn.Module):
    def __init__(self, n_bands, units, kernel=3):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(n_bands, units, kernel, padding=kernel // 2),
            nn.ReLU(),
            nn.Conv1d(units, units, kernel, padding=kernel // 2),
            nn.ReLU(),
            nn.AdaptiveMaxPool1d(4),
            nn.Flatten(),
        )
        self.n_out = 4 * units

    def forward(self, x):
        return self.net(x.transpose(1, 2))


ENCODERS = {"gru": RecurrentEncoder, "conv": ConvEncoder}


def build_encoder(n_bands, section):
    options = dict(section)
    return ENCODERS[options.pop("type")](n_bands, **options)
