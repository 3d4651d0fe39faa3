import argparse
import numpy as np
import torch
import torch.nn as nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from torch.utils.data import DataLoader, TensorDataset


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=60)
    p.add_argument("--batch-size", type=int, default=48)
    p.add_argument("--lr", type=float, default=3e-3)
    p.add_argument("--ema-decay", type=float, default=0.99)
    p.add_argument("--seed", type=int, default=0)
    return p.parse_args()


class NoiseNet(nn.Module):
    def __init__(self, d_in=5, width=48):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(d_in, width), nn.SiLU(),
                                  nn.Linear(width, width), nn.SiLU())
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        return self.out(self.body(x)).squeeze(-1)


@torch.no_grad()
def rmse_db(model, x, y, scale):
    model.eval()
    return ((model(x) - y) ** 2).mean().sqrt().item() * scale


def main():
    a = parse()
    torch.manual_seed(a.seed)
    d = np.load("selfnoise.npy")
    d = d[np.random.default_rng(a.seed).permutation(len(d))]
    tr, va = d[:1900], d[1900:]
    m, s = tr.mean(0), tr.std(0)
    tr, va = torch.tensor((tr - m) / s), torch.tensor((va - m) / s)
    loader = DataLoader(TensorDataset(tr[:, :5], tr[:, 5]), batch_size=a.batch_size, shuffle=True)

    model = NoiseNet()
    ema = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(a.ema_decay))
    opt = torch.optim.Adam(model.parameters(), lr=a.lr)

    for ep in range(1, a.epochs + 1):
        model.train()
        tot = 0.0
        for xb, yb in loader:
            opt.zero_grad(set_to_none=True)
            loss = nn.functional.mse_loss(model(xb), yb)
            loss.backward()
            opt.step()
            ema.update_parameters(model)
            tot += loss.item() * len(xb)
        if ep % 5 == 0:
            raw = rmse_db(model, va[:, :5], va[:, 5], float(s[5]))
            avg = rmse_db(ema, va[:, :5], va[:, 5], float(s[5]))
            print(f"[{ep:02d}] mse {tot / len(tr):.4f}  val rmse raw {raw:.3f} dB  ema {avg:.3f} dB")
    torch.save(ema.module.state_dict(), "noise_ema.pt")


if __name__ == "__main__":
    main()
