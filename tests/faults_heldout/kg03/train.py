"""Walker identification: cross entropy plus a pull towards running class centres."""
import json
import time
import numpy as np
import torch
from torch import nn
from torch.nn import functional as F


class Encoder(nn.Module):
    def __init__(self, d_in, d_emb, n_ids):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(d_in, 128), nn.ReLU(),
            nn.Linear(128, 128), nn.ReLU(),
            nn.Linear(128, d_emb),
        )
        self.ids = nn.Linear(d_emb, n_ids)

    def forward(self, x):
        e = self.body(x)
        return e, self.ids(e)


class RunningCenters:
    """Exponential average of the embeddings of every class."""

    def __init__(self, n_ids, d_emb, momentum):
        self.value = torch.zeros(n_ids, d_emb)
        self.m = momentum

    @torch.no_grad()
    def update(self, emb, y):
        onehot = F.one_hot(y, len(self.value)).float()
        count = onehot.sum(0).unsqueeze(1)
        batch_mean = onehot.t() @ emb / count.clamp(min=1)
        seen = (count > 0).float()
        self.value = self.value + seen * (1 - self.m) * (batch_mean - self.value)

    def pull(self, emb, y):
        return (emb - self.value[y]).pow(2).sum(1).mean()


def spread(emb):
    """Mean distance between all pairs of a batch."""
    diff = emb.unsqueeze(1) - emb.unsqueeze(0)
    return (diff.pow(2).sum(-1) + 1e-8).sqrt().mean()


def main():
    cfg = json.load(open("config.json"))
    torch.manual_seed(4)
    z = np.load(cfg["data"])
    x = torch.from_numpy(z["x"].astype("float32"))
    y = torch.from_numpy(z["y"]).long()
    cut = int(0.75 * len(x))
    xtr, ytr, xva, yva = x[:cut], y[:cut], x[cut:], y[cut:]
    mean, std = xtr.mean(0), xtr.std(0)
    xtr, xva = (xtr - mean) / std, (xva - mean) / std

    n_ids = int(y.max()) + 1
    net = Encoder(x.shape[1], cfg["embed_dim"], n_ids)
    centers = RunningCenters(n_ids, cfg["embed_dim"], cfg["center_momentum"])
    opt = torch.optim.AdamW(net.parameters(), lr=cfg["lr"], weight_decay=0.05)

    avg_spread = 0.0
    clock = time.perf_counter()
    pos, order = 0, torch.randperm(len(xtr))
    for step in range(1, cfg["steps"] + 1):
        if pos + cfg["batch_size"] > len(order):
            pos, order = 0, torch.randperm(len(xtr))
        idx = order[pos:pos + cfg["batch_size"]]
        pos += cfg["batch_size"]
        emb, logits = net(xtr[idx])
        centers.update(emb, ytr[idx])
        ce = F.cross_entropy(logits, ytr[idx])
        pull = centers.pull(emb, ytr[idx])
        loss = ce + cfg["center_weight"] * pull
        opt.zero_grad()
        loss.backward()
        opt.step()
        avg_spread = 0.98 * avg_spread + 0.02 * spread(emb)
        if step % cfg["log_every"] == 0:
            net.eval()
            with torch.no_grad():
                acc = (net(xva)[1].argmax(1) == yva).float().mean().item()
            net.train()
            now = time.perf_counter()
            print(f"step {step} ce {ce.item():.3f} pull {pull.item():.3f} spread {float(avg_spread):.2f} val acc {acc:.3f} "
                  f"({cfg['log_every'] / (now - clock):.0f} steps/s)")
            clock = now


if __name__ == "__main__":
    main()
