import pathlib

import numpy as np
import torch
from sklearn.datasets import load_digits
from torch import nn

DIR = pathlib.Path(__file__).parent


class DeepAE(nn.Module):
    def __init__(self, sizes=(64, 48, 32, 12)):
        super().__init__()
        enc, dec = [], []
        for a, b in zip(sizes[:-1], sizes[1:]):
            enc += [nn.Linear(a, b), nn.Tanh()]
        rev = sizes[::-1]
        for a, b in zip(rev[:-1], rev[1:]):
            dec += [nn.Linear(a, b), nn.Tanh()]
        dec.pop()
        self.encoder, self.decoder = nn.Sequential(*enc), nn.Sequential(*dec)

    def forward(self, x):
        return self.decoder(self.encoder(x))


class Trainer:
    def __init__(self, model, data, lr=2e-3, batch=64):
        self.model, self.batch = model, batch
        self.train_x, self.test_x = data
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.loss = nn.MSELoss()

    def step(self, x):
        self.opt.zero_grad()
        loss = self.loss(self.model(x), x)
        loss.backward()
        self.opt.step()
        return loss.item()

    def fit(self, epochs):
        base = self.loss(self.train_x.mean(0).expand_as(self.test_x), self.test_x).item()
        print(f"mean-image mse {base:.4f}")
        for ep in range(1, epochs + 1):
            self.model.train()
            hist = [self.step(self.train_x[i]) for i in torch.randperm(len(self.train_x)).split(self.batch)]
            if ep % 8 == 0:
                self.model.eval()
                with torch.no_grad():
                    t = self.loss(self.model(self.test_x), self.test_x).item()
                print(f"epoch {ep:3d}  train mse {np.mean(hist):.4f}  test mse {t:.4f}")


def digits():
    x = torch.tensor(load_digits().data, dtype=torch.float32) / 8.0 - 1.0
    g = torch.Generator().manual_seed(9)
    order = torch.randperm(len(x), generator=g)
    return x[order[:1400]], x[order[1400:]]


if __name__ == "__main__":
    torch.manual_seed(1)
    model = DeepAE()
    # continue from the stage-one weights
    model.load_state_dict(torch.load(DIR / "stage1.pt", weights_only=True))
    Trainer(model, digits()).fit(epochs=48)
