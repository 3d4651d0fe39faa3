"""Fine-tune the shared forearm encoder for one wearer's gestures."""
import sys
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn, optim


@dataclass
class Opts:
    encoder: str = "encoder.pt"
    windows: str = "wearer.npz"
    batch: int = 24
    epochs: int = 30
    lr: float = 4e-3
    decay: float = 1e-2
    seed: int = 14


class Encoder(nn.Module):
    def __init__(self, n_in=16, hidden=32, code=6):
        super().__init__()
        self.l1 = nn.Linear(n_in, hidden)
        self.a1 = nn.Tanh()
        self.l2 = nn.Linear(hidden, code)
        self.a2 = nn.Tanh()

    def forward(self, x):
        return self.a2(self.l2(self.a1(self.l1(x))))


class GestureNet(nn.Module):
    def __init__(self, gestures):
        super().__init__()
        self.encoder = Encoder()
        self.head = nn.Linear(6, gestures)

    def forward(self, x):
        return self.head(self.encoder(x))


def run(o: Opts):
    torch.manual_seed(o.seed)
    z = np.load(o.windows)
    x, y = torch.tensor(z["rms"], dtype=torch.float32), torch.tensor(z["gesture"], dtype=torch.long)
    n_fit = int(z["n_fit"])
    mu, sd = x[:n_fit].mean(0), x[:n_fit].std(0)
    x = (x - mu) / sd

    net = GestureNet(int(y.max()) + 1)
    missing = net.encoder.load_state_dict(torch.load(o.encoder, weights_only=True))
    print("encoder:", missing)
    opt = optim.AdamW(net.parameters(), lr=o.lr, weight_decay=o.decay)
    crit = nn.CrossEntropyLoss()
    for ep in range(o.epochs):
        net.train()
        for g in opt.param_groups:
            g["lr"] = o.lr * (1 - ep / o.epochs)
        acc = []
        for idx in torch.randperm(n_fit).split(o.batch):
            loss = crit(net(x[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            acc.append(loss.item())
        net.eval()
        with torch.no_grad():
            out = net(x[n_fit:])
        hit = (out.argmax(1) == y[n_fit:]).float().mean().item()
        print(f"{ep + 1:3d}/{o.epochs}  loss {sum(acc) / len(acc):.4f}  val loss {crit(out, y[n_fit:]).item():.4f}  val acc {hit:.3f}")


if __name__ == "__main__":
    run(Opts(**{k: type(getattr(Opts, k))(v) for k, v in (arg.split("=") for arg in sys.argv[1:])}))
