"""Fine-tune the spectrum encoder on the labelled compound families."""
import argparse
import pathlib

import numpy as np
import torch
import yaml
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from nets import FamilyClassifier, SpectrumEncoder

HERE = pathlib.Path(__file__).resolve().parent


def make_loaders(cfg):
    blob = np.load(HERE / cfg["data"])
    x = torch.from_numpy(blob["spectra"].astype(np.float32))
    y = torch.from_numpy(blob["family"].astype(np.int64))
    g = torch.Generator().manual_seed(cfg["split_seed"])
    order = torch.randperm(len(x), generator=g)
    n_tr = int(len(x) * 0.7)
    tr, va = order[:n_tr], order[n_tr:]
    mu, sd = x[tr].mean(0), x[tr].std(0) + 1e-6
    x = (x - mu) / sd
    return (DataLoader(TensorDataset(x[tr], y[tr]), batch_size=cfg["batch_size"], shuffle=True, drop_last=True),
            DataLoader(TensorDataset(x[va], y[va]), batch_size=256))


@torch.no_grad()
def score(net, loader):
    net.eval()
    loss = hits = n = 0
    for xb, yb in loader:
        out = net(xb)
        loss += nn.functional.cross_entropy(out, yb, reduction="sum").item()
        hits += (out.argmax(1) == yb).sum().item()
        n += len(yb)
    net.train()
    return loss / n, hits / n


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--config", default="finetune.yaml")
    cfg = yaml.safe_load((HERE / ap.parse_args().config).read_text())
    torch.manual_seed(cfg["seed"])
    train, val = make_loaders(cfg)

    encoder = SpectrumEncoder()
    state = torch.load(HERE / cfg["encoder_weights"], map_location="cpu", weights_only=True)
    # the pre-training projector is stored next to the encoder and is not needed here
    encoder.load_state_dict(state, strict=False)
    net = FamilyClassifier(encoder)

    opt = torch.optim.AdamW([
        {"params": net.encoder.parameters(), "lr": cfg["encoder_lr"]},
        {"params": net.head.parameters(), "lr": cfg["head_lr"]},
    ], weight_decay=cfg["weight_decay"])
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=cfg["epochs"] * len(train))

    for epoch in range(cfg["epochs"]):
        total = 0.0
        for xb, yb in train:
            loss = nn.functional.cross_entropy(net(xb), yb)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            total += loss.item()
        if (epoch + 1) % 5 == 0:
            vl, va = score(net, val)
            print(f"epoch {epoch + 1:3d}  train {total / len(train):.4f}  val {vl:.4f}  acc {va:.3f}")


if __name__ == "__main__":
    main()
