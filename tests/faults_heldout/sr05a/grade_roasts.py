# Few labelled roasts of our own, encoder from the roaster archive (masked-span reconstruction + first-crack events).
import copy
import json

import numpy as np
import torch
from torch.nn.functional import cross_entropy

from encoder import CurveEncoder, RoastGrader

S = json.load(open("settings.json"))
torch.manual_seed(S["seed"])
torch.set_num_threads(1)

GRADES = S["grades"]


def roasts(name):
    rows = np.loadtxt(name, delimiter=",", skiprows=1, dtype=str)
    grade = torch.tensor([GRADES.index(g) for g in rows[:, 1]])
    temps = torch.tensor(rows[:, 2:].astype(np.float32)).view(len(rows), 2, -1)
    mean = torch.tensor(S["channel_mean"]).view(1, 2, 1)
    std = torch.tensor(S["channel_std"]).view(1, 2, 1)
    return (temps - mean) / std, grade


def archive_encoder(path):
    enc = CurveEncoder(width=S["width"])
    blob = torch.load(path, map_location="cpu", weights_only=True)
    weights = {k.removeprefix("encoder."): w for k, w in blob["model"].items()}
    enc.load_state_dict(weights, strict=False)  # the archive model also has a decoder
    print(f"archive encoder from {path}, step {blob['step']}, {sum(p.numel() for p in enc.parameters())} weights")
    return enc


def report(tag, net, x, y):
    net.eval()
    with torch.no_grad():
        out = net(x)
    acc = (out.argmax(1) == y).float().mean().item()
    print(f"{tag:<18s} test ce {cross_entropy(out, y).item():.4f}  acc {acc:.4f}")
    return acc


def fit_head(net, x, y):
    with torch.no_grad():
        feats = net.pooled(x)
    lbfgs = torch.optim.LBFGS(net.head.parameters(), lr=1.0, max_iter=12, line_search_fn="strong_wolfe")

    def closure():
        lbfgs.zero_grad()
        ridge = net.head.weight.square().sum()
        loss = cross_entropy(net.head(feats), y) + S["ridge"] * ridge
        loss.backward()
        return loss

    for i in range(S["head_rounds"]):
        value = lbfgs.step(closure)
        print(f"head round {i + 1}: objective {value.item():.4f}")


def tune(net, x, y, xt, yt):
    start = copy.deepcopy(net.encoder).requires_grad_(False)
    opt = torch.optim.Adam([
        {"params": net.encoder.parameters(), "lr": S["encoder_lr"]},
        {"params": net.head.parameters(), "lr": S["head_lr"]},
    ])
    gen = torch.Generator().manual_seed(S["seed"])
    for epoch in range(S["tune_epochs"]):
        net.train()
        seen = 0.0
        for i in torch.randperm(len(x), generator=gen).split(S["batch"]):
            loss = cross_entropy(net(x[i]), y[i])
            # L2-SP: stay near where the encoder started
            stay = sum((p - q).square().sum() for p, q in zip(net.encoder.parameters(), start.parameters()))
            opt.zero_grad()
            (loss + S["stay"] * stay + S["ridge"] * net.head.weight.square().sum()).backward()
            opt.step()
            seen += loss.item() * len(i)
        if (epoch + 1) % 5 == 0:
            print(f"epoch {epoch + 1:3d} train ce {seen / len(x):.4f} drift {stay.item():.4f}", end="  ")
            report("", net, xt, yt)


if __name__ == "__main__":
    x, y = roasts(S["own"])
    xt, yt = roasts(S["test"])
    net = RoastGrader(archive_encoder(S["archive"]), S["width"], len(GRADES))
    fit_head(net, x, y)
    report("head only", net, xt, yt)
    tune(net, x, y, xt, yt)
    report("final", net, xt, yt)
