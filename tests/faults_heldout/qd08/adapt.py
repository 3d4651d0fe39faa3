"""Adapts the wrist model to the chest mount. The activities are the same, only the mounting differs."""
import argparse

import numpy as np
import torch
import torch.nn.functional as F

from net import ActivityNet


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--checkpoint", default="activity_base.pt")
    p.add_argument("--epochs", type=int, default=25)
    p.add_argument("--lr", type=float, default=2e-4)
    p.add_argument("--batch", type=int, default=32)
    return p.parse_args()


def score(model, x, y):
    model.eval()
    with torch.no_grad():
        out = model(x)
        return F.cross_entropy(out, y).item(), (out.argmax(1) == y).float().mean().item()


def set_train(model):
    model.train()
    model.mid.eval()  # statistics of the wrist data stay, a few hundred records are too few for new ones


def main():
    args = parse()
    torch.manual_seed(6)
    ckpt = torch.load(args.checkpoint, weights_only=True)
    model = ActivityNet(len(ckpt["classes"]))
    model.load_state_dict(ckpt["model"])

    d = np.load("chest_mount.npz")
    x = torch.from_numpy(d["acc"].astype(np.float32))
    x = (x - ckpt["mean"][:, None]) / ckpt["std"][:, None]
    y = torch.from_numpy(d["label"].astype(np.int64))
    perm = torch.randperm(len(x))
    tr, te = perm[:500], perm[500:]

    # the middle of the network is generic, the stem and the head meet the new orientation
    for p in model.mid.parameters():
        p.requires_grad_(False)
    trainable = [p for p in model.parameters() if p.requires_grad]
    print(f"{sum(p.numel() for p in trainable)} of {sum(p.numel() for p in model.parameters())} weights are tuned")

    opt = torch.optim.AdamW(trainable, lr=args.lr, weight_decay=0.01)
    print("as delivered: loss %.3f accuracy %.3f" % score(model, x[te], y[te]))
    for epoch in range(args.epochs):
        set_train(model)
        run = 0.0
        for idx in tr[torch.randperm(len(tr))].split(args.batch):
            loss = F.cross_entropy(model(x[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            run += loss.item() * len(idx)
        if epoch % 5 == 4:
            print("epoch %d  running loss %.3f  train %.3f/%.3f  test %.3f/%.3f" % (
                (epoch + 1, run / len(tr)) + score(model, x[tr], y[tr]) + score(model, x[te], y[te])))


if __name__ == "__main__":
    main()
