import sys
from configparser import ConfigParser
from pathlib import Path

import torch
from torch.utils.data import DataLoader, TensorDataset

from ordinal import Ladder
from table import Table


def kappa(a, b, k):
    """Quadratic weighted kappa."""
    m = torch.zeros(k, k).index_put_((a, b), torch.ones(len(a)), accumulate=True)
    w = (torch.arange(k)[:, None] - torch.arange(k)).float().pow(2)
    e = m.sum(1)[:, None] * m.sum(0) / m.sum()
    return 1 - (w * m).sum().item() / (w * e).sum().item()


def main(cfg_path):
    cfg = ConfigParser()
    cfg.read(cfg_path)
    c, f = cfg["columns"], cfg["fit"]
    torch.manual_seed(f.getint("seed"))
    table = Table(cfg_path.parent / cfg["files"]["table"], c["category"].split(), c["number"].split(),
                  c["log"].split(), c["target"])
    fit, held = table.split(0.75, f.getint("seed"))
    levels = int(fit[2].max()) + 1
    loader = DataLoader(TensorDataset(*fit), batch_size=f.getint("batch"), shuffle=True)

    model = Ladder([len(x) for x in table.codes], fit[1].shape[1], levels)
    opt = torch.optim.AdamW(model.parameters(), lr=f.getfloat("top_lr"), weight_decay=f.getfloat("decay"))
    restart = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(
        opt, T_0=f.getint("epochs_per_cycle") * len(loader), eta_min=f.getfloat("low_lr"))

    middle = torch.full_like(held[2], int(fit[2].median()))
    print(f"always the median: error {(middle - held[2]).abs().float().mean():.3f} stars")
    for cycle in range(f.getint("cycles")):
        for epoch in range(f.getint("epochs_per_cycle")):
            model.train()
            total = 0.0
            for cat, num, y in loader:
                loss = model.loss(model(cat, num), y)
                opt.zero_grad()
                loss.backward()
                opt.step()
                restart.step()
                total += loss.item() * len(y)
            model.eval()
            with torch.no_grad():
                z = model(*held[:2])
                p = model.predict(z)
            print(f"cycle {cycle + 1}.{epoch + 1} loss {total / len(fit[2]):.4f} held-out {model.loss(z, held[2]):.4f} "
                  f"error {(p - held[2]).abs().float().mean():.3f} stars  kappa {kappa(p, held[2], levels):.3f}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent / "stars.cfg").resolve())
