"""Bending of a beam at the end of a record of forces (three channels, 40 samples)."""
import configparser
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from engine import ClipNorm, Printer, Trainer


class BeamRNN(nn.Module):
    def __init__(self, channels, hidden):
        super().__init__()
        self.inp = nn.Linear(channels, hidden)
        self.rnn = nn.RNN(hidden, hidden, nonlinearity="relu", batch_first=True)
        self.out = nn.Linear(hidden, 1)
        nn.init.orthogonal_(self.rnn.weight_hh_l0)

    def forward(self, x):
        _, h = self.rnn(self.inp(x))
        return self.out(h[-1]).squeeze(-1)


def main():
    cfg = configparser.ConfigParser()
    cfg.read("settings.ini")
    torch.manual_seed(6)
    z = np.load(cfg["data"]["file"])
    x = torch.from_numpy(z["force"].astype("float32"))
    y = torch.from_numpy(z["bend"].astype("float32"))
    n = cfg["data"].getint("train")
    x = (x - x[:n].mean((0, 1))) / x[:n].std((0, 1))
    y = (y - y[:n].mean()) / y[:n].std()
    batches = DataLoader(TensorDataset(x[:n], y[:n]), batch_size=cfg["fit"].getint("batch"), shuffle=True)
    model = BeamRNN(x.shape[-1], cfg["model"].getint("hidden"))
    opt = torch.optim.SGD(model.parameters(), lr=cfg["fit"].getfloat("lr"), momentum=cfg["fit"].getfloat("momentum"))
    trainer = Trainer(model, opt, nn.MSELoss(), batches, (x[n:], y[n:]),
                      [ClipNorm(cfg["fit"].getfloat("max_norm")), Printer(4)])
    trainer.fit(cfg["fit"].getint("epochs"))


if __name__ == "__main__":
    main()
