import configparser
import os
import sys

import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset

from embedder import Embedder, supcon

here = os.path.dirname(os.path.abspath(__file__))


def recall_at_1(model, x, y):
    model.eval()
    with torch.no_grad():
        z = model(x)
    s = z @ z.T
    s.fill_diagonal_(-2.0)
    return (y[s.argmax(1)] == y).float().mean().item()


def main():
    ini = configparser.ConfigParser()
    ini.read(os.path.join(here, "run.ini"))
    torch.manual_seed(ini.getint("run", "seed"))
    z = np.load(os.path.join(here, "voices.npz"))
    x, y = torch.from_numpy(z["x"]), torch.from_numpy(z["speaker"])
    xt, yt = torch.from_numpy(z["x_test"]), torch.from_numpy(z["speaker_test"])
    loader = DataLoader(TensorDataset(x, y), batch_size=ini.getint("loader", "batch_size"),
                        shuffle=ini.getboolean("loader", "shuffle"),
                        drop_last=ini.getboolean("loader", "drop_last"))
    model = Embedder(x.shape[1], ini.getint("model", "hidden"), ini.getint("model", "dim"))
    opt = torch.optim.AdamW(model.parameters(), lr=ini.getfloat("optim", "lr"),
                            weight_decay=ini.getfloat("optim", "weight_decay"))
    tau = ini.getfloat("model", "temperature")
    for epoch in range(ini.getint("run", "epochs")):
        model.train()
        total = 0.0
        for xb, yb in loader:
            loss = supcon(model(xb), yb, tau)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        sys.stdout.write("%2d  supcon %.4f  R@1 %.3f\n" % (epoch, total / len(loader), recall_at_1(model, xt, yt)))


if __name__ == "__main__":
    main()
