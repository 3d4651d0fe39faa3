"""Forward kinematics surrogate of a planar three-link arm: joint angles to tool position and heading."""
import json
import math
import sys
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

ACTIVATIONS = {"relu": nn.ReLU, "silu": nn.SiLU, "tanh": nn.Tanh, "gelu": nn.GELU, "identity": nn.Identity}


def tool_pose(q, links):
    a = torch.cumsum(q, dim=1)
    l = torch.tensor(links)
    return torch.stack([(l * a.cos()).sum(1), (l * a.sin()).sum(1), a[:, -1].cos(), a[:, -1].sin()], dim=1)


def sample(n, arm, gen, noisy):
    lim = torch.tensor(arm["joint_limits_deg"]) * math.pi / 180
    q = (2 * torch.rand(n, 3, generator=gen) - 1) * lim
    p = tool_pose(q, arm["link_lengths"])
    if noisy:
        p = p + arm["sensor_noise"] * torch.randn(p.shape, generator=gen)
    return TensorDataset(q / lim, p)


def build(cfg):
    layers, d = [], 3
    for h in cfg["hidden"]:
        layers.append(nn.Linear(d, h))
        if cfg["layer_norm"]:
            layers.append(nn.LayerNorm(h))
        layers.append(ACTIVATIONS[cfg["activation"]]())
        if cfg["dropout"] > 0:
            layers.append(nn.Dropout(cfg["dropout"]))
        d = h
    layers.append(nn.Linear(d, 4))
    return nn.Sequential(*layers)


def main(path):
    cfg = json.loads(Path(path).read_text())
    torch.manual_seed(cfg["seed"])
    gen = torch.Generator().manual_seed(cfg["seed"] + 1)
    dc = cfg["data"]
    train = DataLoader(sample(dc["n_train"], cfg["arm"], gen, True), dc["batch_size"], shuffle=dc["shuffle"],
                       drop_last=dc["drop_last"])
    val = DataLoader(sample(dc["n_val"], cfg["arm"], gen, False), cfg["eval"]["batch_size"])
    model = build(cfg["model"])
    oc = cfg["optim"]
    opt = torch.optim.AdamW(model.parameters(), lr=oc["lr"], betas=tuple(oc["betas"]), weight_decay=oc["weight_decay"])
    epochs = cfg["train"]["epochs"]
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs, eta_min=oc["min_lr"])
    mse = nn.MSELoss()
    for ep in range(1, epochs + 1):
        model.train()
        acc = 0.0
        for q, p in train:
            opt.zero_grad()
            loss = mse(model(q), p)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), cfg["train"]["clip_norm"])
            opt.step()
            acc += loss.item() * len(q)
        sched.step()
        model.eval()
        with torch.no_grad():
            d = torch.cat([(model(q) - p)[:, :2] for q, p in val])
        if ep % cfg["train"]["log_every"] == 0 or ep == 1:
            print(f"{cfg['run_name']} ep{ep:03d} mse={acc / len(train.dataset):.5f} tool error={1000 * d.norm(dim=1).mean():.1f} "
                  f"{cfg['eval']['report']}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).with_name("config.json"))
