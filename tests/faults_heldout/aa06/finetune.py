"""Adapt the digit backbone to the new scanner with a handful of labelled scans."""
import json

import numpy as np
import torch
import torch.nn.functional as F

from nets import Backbone, Classifier

with open("config.json") as fh:
    CFG = json.load(fh)


def load_scans(path):
    z = np.load(path)
    prep = lambda a: torch.from_numpy(a.astype(np.float32) / 255.0)[:, None]
    return prep(z["x_train"]), torch.from_numpy(z["y_train"]).long(), prep(z["x_test"]), torch.from_numpy(z["y_test"]).long()


def main():
    torch.manual_seed(CFG["seed"])
    xtr, ytr, xte, yte = load_scans(CFG["data"])
    model = Classifier(Backbone.from_file(CFG["backbone"]), n_classes=10)
    opt = torch.optim.AdamW(
        [
            {"params": model.backbone.parameters(), "lr": CFG["lr_backbone"]},
            {"params": model.head.parameters(), "lr": CFG["lr_head"]},
        ],
        weight_decay=1e-3,
    )
    for epoch in range(1, CFG["epochs"] + 1):
        model.train()
        total = 0.0
        for i in torch.randperm(len(xtr)).split(CFG["batch"]):
            loss = F.cross_entropy(model(xtr[i]), ytr[i])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(i)
        if epoch % 5 == 0:
            model.eval()
            with torch.no_grad():
                out = model(xte)
            acc = (out.argmax(1) == yte).float().mean().item()
            print(f"epoch {epoch:2d} loss {total / len(xtr):.3f} test loss {F.cross_entropy(out, yte).item():.3f} test acc {acc:.3f}")


if __name__ == "__main__":
    main()
