import pathlib

import numpy as np
import torch
import yaml
from sklearn.metrics import log_loss, roc_auc_score
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

HERE = pathlib.Path(__file__).parent
CATS = ["site", "ad", "device"]


def prepare(cfg):
    f = np.load(HERE / cfg["data"])
    cats = np.stack([f[c].astype(np.int64) for c in CATS], 1)
    hour = f["hour"].astype(np.float64) * 2 * np.pi / 24
    nums = np.stack([np.sin(hour), np.cos(hour), f["age"].astype(float), np.log1p(f["depth"].astype(float)),
                     f["recency"].astype(float)], 1)
    a, b = cfg["train_rows"], cfg["train_rows"] + cfg["val_rows"]
    nums = (nums - nums[:a].mean(0)) / nums[:a].std(0)
    tensors = [torch.from_numpy(cats), torch.tensor(nums, dtype=torch.float32),
               torch.from_numpy(f["click"].astype(np.float32))]
    sizes = [int(c) + 1 for c in cats.max(0)]
    return sizes, *[[t[s] for t in tensors] for s in (slice(0, a), slice(a, b), slice(b, None))]


class ClickModel(nn.Module):
    def __init__(self, sizes, n_num, emb, hidden, dropout):
        super().__init__()
        self.embed = nn.ModuleList(nn.Embedding(s, emb) for s in sizes)
        self.linear = nn.ModuleList(nn.Embedding(s, 1) for s in sizes)
        for e in self.embed:
            nn.init.normal_(e.weight, std=0.1)
        for e in self.linear:
            nn.init.zeros_(e.weight)
        self.deep = nn.Sequential(nn.Linear(emb * len(sizes) + n_num, hidden), nn.ReLU(), nn.Dropout(dropout),
                                  nn.Linear(hidden, 1))

    def forward(self, cats, nums):
        vecs = [e(cats[:, i]) for i, e in enumerate(self.embed)]
        wide = sum(e(cats[:, i]) for i, e in enumerate(self.linear))
        s = torch.stack(vecs, 1)
        pairs = 0.5 * (s.sum(1).pow(2) - s.pow(2).sum(1)).sum(1, keepdim=True)
        return (wide + pairs + self.deep(torch.cat(vecs + [nums], 1))).squeeze(1)


def predict(model, part, pos_weight):
    model.eval()
    with torch.no_grad():
        logits = model(part[0], part[1])
    return torch.sigmoid(logits - np.log(pos_weight)).numpy()


def main():
    cfg = yaml.safe_load((HERE / "config.yaml").read_text())
    torch.manual_seed(cfg["seed"])
    sizes, train, val, test = prepare(cfg)
    rate = train[2].mean().item()
    pos_weight = (1 - rate) / rate
    print(f"{len(train[2])} impressions, click rate {rate:.4f}, pos_weight {pos_weight:.1f}")

    model = ClickModel(sizes, train[1].shape[1], cfg["embedding"], cfg["hidden"], cfg["dropout"])
    loader = DataLoader(TensorDataset(*train), cfg["micro_batch"], shuffle=True, drop_last=True)
    opt = torch.optim.AdamW(model.parameters(), lr=cfg["lr"], weight_decay=cfg["weight_decay"])
    criterion = nn.BCEWithLogitsLoss(pos_weight=torch.tensor(pos_weight))
    every = cfg["accumulate"]

    for epoch in range(1, cfg["epochs"] + 1):
        model.train()
        running, seen = 0.0, 0
        opt.zero_grad()
        for i, (c, n, y) in enumerate(loader, 1):
            loss = criterion(model(c, n), y)
            (loss / every).backward()
            if i % every == 0:
                opt.step()
                opt.zero_grad()
            running += loss.item()
            seen += 1
        p = predict(model, val, pos_weight)
        print(f"epoch {epoch} weighted loss {running / seen:.4f} val AUC {roc_auc_score(val[2], p):.4f} "
              f"val log-loss {log_loss(val[2], p):.4f}")

    p = predict(model, test, pos_weight)
    base = log_loss(test[2], np.full(len(p), rate))
    print(f"test AUC {roc_auc_score(test[2], p):.4f} log-loss {log_loss(test[2], p):.4f} (constant rate {base:.4f}) "
          f"predicted mean {p.mean():.4f} observed {test[2].mean():.4f}")


if __name__ == "__main__":
    main()
