import tomllib

import numpy as np
import torch
from torch import nn

from callbacks import Patience
from survival import concordance, cox_loss


def load(cfg):
    raw = np.loadtxt(cfg["path"], delimiter=",", skiprows=1, dtype=np.float32)
    perm = np.random.default_rng(cfg["seed"]).permutation(len(raw))
    raw = torch.from_numpy(raw[perm])
    n_val, n_test = int(cfg["val_share"] * len(raw)), int(cfg["test_share"] * len(raw))
    test, val, train = raw[:n_test], raw[n_test:n_test + n_val], raw[n_test + n_val:]
    mu, sd = train[:, :-2].mean(0), train[:, :-2].std(0)
    return [((p[:, :-2] - mu) / sd, p[:, -2], p[:, -1]) for p in (train, val, test)]


def build(n_in, cfg):
    mods, d = [], n_in
    for h in cfg["hidden"]:
        mods += [nn.Linear(d, h), nn.ReLU(), nn.Dropout(cfg["dropout"])]
        d = h
    return nn.Sequential(*mods, nn.Linear(d, 1), nn.Flatten(0))


@torch.no_grad()
def score(net, part):
    net.eval()
    r = net(part[0])
    return cox_loss(r, part[1], part[2]).item(), concordance(r, part[1], part[2])


def main():
    with open("config.toml", "rb") as fh:
        cfg = tomllib.load(fh)
    torch.manual_seed(cfg["data"]["seed"])
    train, val, test = load(cfg["data"])
    net = build(train[0].shape[1], cfg["model"])
    oc = cfg["optim"]
    opt = torch.optim.AdamW(net.parameters(), lr=oc["lr"], weight_decay=oc["weight_decay"])
    stopper = Patience(cfg["stopping"]["patience"], min_delta=1e-4)
    for epoch in range(oc["max_epochs"]):
        net.train()
        losses = []
        for idx in torch.randperm(len(train[0])).split(oc["batch_size"]):
            loss = cox_loss(net(train[0][idx]), train[1][idx], train[2][idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        v_loss, v_c = score(net, val)
        print(f"epoch {epoch:3d} train {np.mean(losses):.4f} val {v_loss:.4f} c-index {v_c:.4f}")
        if stopper.update(v_c, net):
            print(f"stopping after epoch {epoch}")
            break
    stopper.restore(net)
    t_loss, t_c = score(net, test)
    print(f"test loss {t_loss:.4f} c-index {t_c:.4f}")


if __name__ == "__main__":
    main()
