import json

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from dataset import load
from network import TwoHead


def objective(out, activity, wrist, weights):
    act = F.cross_entropy(out["activity"], activity)
    side = F.binary_cross_entropy_with_logits(out["wrist"].squeeze(1), wrist)
    return weights["activity"] * act + weights["wrist"] * side, act, side


@torch.no_grad()
def validate(model, loader, weights):
    model.eval()
    n = loss = act_ok = side_ok = 0
    for x, activity, wrist in loader:
        out = model(x)
        loss += objective(out, activity, wrist, weights)[0].item() * len(x)
        act_ok += (out["activity"].argmax(1) == activity).sum().item()
        side_ok += ((out["wrist"].squeeze(1) > 0).float() == wrist).sum().item()
        n += len(x)
    return loss / n, act_ok / n, side_ok / n


def run(cfg):
    torch.manual_seed(cfg["seed"])
    train_set, val_set = load(cfg["data"], cfg["val_share"], seed=11)
    train_loader = DataLoader(train_set, batch_size=cfg["batch_size"], shuffle=True, drop_last=True)
    val_loader = DataLoader(val_set, batch_size=256)

    model = TwoHead(**cfg["model"])
    opt = torch.optim.Adam(model.parameters(), lr=cfg["lr"])
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg["epochs"])
    for epoch in range(cfg["epochs"]):
        model.train()
        running = 0.0
        for x, activity, wrist in train_loader:
            opt.zero_grad()
            loss, _, _ = objective(model(x), activity, wrist, cfg["loss_weights"])
            loss.backward()
            opt.step()
            running += loss.item()
        sched.step()
        val_loss, act, side = validate(model, val_loader, cfg["loss_weights"])
        print(f"{epoch + 1:3d} | train {running / len(train_loader):.4f} | val {val_loss:.4f} "
              f"| activity acc {act:.3f} | wrist acc {side:.3f}")


if __name__ == "__main__":
    with open("config.json") as fh:
        run(json.load(fh))
