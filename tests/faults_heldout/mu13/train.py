from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from features import Preprocessor


@dataclass
class Config:
    quantiles: tuple = (0.1, 0.5, 0.9)
    hidden: int = 64
    emb: int = 4
    lr: float = 3e-3
    batch: int = 64
    epochs: int = 25
    seed: int = 40


class QuantileNet(nn.Module):
    def __init__(self, cards, n_dense, cfg):
        super().__init__()
        self.embs = nn.ModuleList([nn.Embedding(c, cfg.emb) for c in cards])
        self.mlp = nn.Sequential(
            nn.Linear(cfg.emb * len(cards) + n_dense, cfg.hidden), nn.SiLU(),
            nn.Linear(cfg.hidden, cfg.hidden), nn.SiLU(),
            nn.Linear(cfg.hidden, len(cfg.quantiles)),
        )

    def forward(self, cats, dense):
        e = [emb(cats[:, i]) for i, emb in enumerate(self.embs)]
        return self.mlp(torch.cat(e + [dense], 1))


def pinball(pred, y, q):
    diff = y[:, None] - pred
    return torch.maximum(q * diff, (q - 1) * diff).mean()


def main(cfg=Config()):
    torch.manual_seed(cfg.seed)
    df = pd.read_csv(Path(__file__).parent / "deliveries.csv").sample(frac=1, random_state=cfg.seed)
    n_val = len(df) // 5
    val_df, train_df = df.iloc[:n_val], df.iloc[n_val:]
    prep = Preprocessor().fit(train_df)
    m, s = train_df.minutes.mean(), train_df.minutes.std()

    def tensors(part):
        y = torch.tensor(part.minutes.to_numpy(), dtype=torch.float32)
        return *prep.transform(part), (y - m) / s

    loader = DataLoader(TensorDataset(*tensors(train_df)), cfg.batch, shuffle=True)
    vc, vd, vy = tensors(val_df)
    q = torch.tensor(cfg.quantiles)
    net = QuantileNet(prep.cardinalities, prep.n_dense, cfg)
    opt = torch.optim.AdamW(net.parameters(), lr=cfg.lr, weight_decay=1e-3)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, cfg.lr, total_steps=cfg.epochs * len(loader))
    for ep in range(cfg.epochs):
        net.train()
        tot = 0.0
        for c, d, y in loader:
            loss = pinball(net(c, d), y, q)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            tot += loss.item() * len(y)
        net.eval()
        with torch.no_grad():
            p = net(vc, vd)
            vl = pinball(p, vy, q).item()
            cover = ((vy >= p[:, 0]) & (vy <= p[:, 2])).float().mean().item()
            mae = (p[:, 1] - vy).abs().mean().item() * s
        if ep % 3 == 0 or ep == cfg.epochs - 1:
            print(f"{ep:2d} train {tot / len(train_df):.4f} val {vl:.4f} 80% interval covers {cover:.3f} MAE {mae:.2f} min")


if __name__ == "__main__":
    main()
