"""Adapt the site-A glyph reader to the scans of site B."""
import json
import pathlib
import sys

import torch
from torch.nn import functional as F
from torch.utils.data import DataLoader

from scanner import GlyphNet, load_split

ROOT = pathlib.Path(__file__).resolve().parent


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    hits = nll = n = 0
    for x, y in loader:
        out = model(x)
        nll += F.cross_entropy(out, y, reduction="sum").item()
        hits += (out.argmax(1) == y).sum().item()
        n += len(y)
    return nll / n, hits / n


def main(cfg_name="finetune.json"):
    cfg = json.loads((ROOT / cfg_name).read_text())
    torch.manual_seed(cfg["seed"])

    norm = cfg["pixel_mean"], cfg["pixel_std"]
    train = load_split(ROOT / cfg["data"], "train", *norm)
    test = load_split(ROOT / cfg["data"], "test", *norm)
    loader = DataLoader(train, batch_size=cfg["batch_size"], shuffle=True)
    test_loader = DataLoader(test, batch_size=128)

    model = GlyphNet()
    state = torch.load(ROOT / cfg["pretrained"], map_location="cpu")
    model.load_state_dict(state["model"])

    o = cfg["optimizer"]
    head = list(model.head.parameters())
    rest = [p for n, p in model.named_parameters() if not n.startswith("head.")]
    opt = torch.optim.AdamW(
        [{"params": head, "lr": o["lr"]},
         {"params": rest, "lr": o["lr"] * cfg["backbone_lr_factor"]}],
        weight_decay=o["weight_decay"],
    )
    decay = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg["epochs"] * len(loader))

    nll, acc = evaluate(model, test_loader)
    print(f"before  test nll {nll:.4f} acc {acc:.4f}")
    for epoch in range(cfg["epochs"]):
        model.train()
        run = 0.0
        for x, y in loader:
            opt.zero_grad()
            loss = F.cross_entropy(model(x), y, label_smoothing=cfg["label_smoothing"])
            loss.backward()
            opt.step()
            decay.step()
            run += loss.item() * len(y)
        nll, acc = evaluate(model, test_loader)
        print(f"epoch {epoch + 1:2d} train {run / len(train):.4f}  test nll {nll:.4f} acc {acc:.4f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
