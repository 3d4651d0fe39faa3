import copy
import tomllib

import torch
from torch import nn
from torch.utils.data import DataLoader

from motor import ClipTable, MotorNet


def score(model, loader, crit):
    model.eval()
    total, right, count = 0.0, 0, 0
    with torch.no_grad():
        for clips, state in loader:
            out = model(clips)
            total += crit(out, state).item() * len(state)
            right += (out.argmax(1) == state).sum().item()
            count += len(state)
    return total / count, right / count


def main():
    with open("run.toml", "rb") as fh:
        cfg = tomllib.load(fh)
    t = cfg["train"]
    torch.manual_seed(t["seed"])

    table = ClipTable(**cfg["audio"])
    train = DataLoader(table.part("train"), t["batch"], shuffle=True)
    val = DataLoader(table.part("val"), 256)
    plant = DataLoader(table.part("plant"), 256)
    print("clips:", {k: len(v) for k, v in table.rows.items()})

    model = MotorNet()
    crit = nn.CrossEntropyLoss()
    opt = torch.optim.AdamW(model.parameters(), lr=t["lr"], weight_decay=0.02)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, t["epochs"])

    best, best_state, waited = float("inf"), None, 0
    for epoch in range(t["epochs"]):
        model.train()
        running, right, seen = 0.0, 0, 0
        for clips, state in train:
            opt.zero_grad()
            out = model(clips + t["jitter"] * torch.randn_like(clips))
            loss = crit(out, state)
            loss.backward()
            opt.step()
            running += loss.item() * len(state)
            right += (out.argmax(1) == state).sum().item()
            seen += len(state)
        sched.step()
        vl, va = score(model, val, crit)
        print(f"epoch {epoch:02d} train {running / seen:.4f} {right / seen:.3f} val {vl:.4f} {va:.3f}")
        if vl < best:
            best, best_state, waited = vl, copy.deepcopy(model.state_dict()), 0
        else:
            waited += 1
            if waited >= t["patience"]:
                break

    model.load_state_dict(best_state)
    pl, pa = score(model, plant, crit)
    vl, va = score(model, val, crit)
    print(f"kept model: val {vl:.4f} {va:.3f}   motors at the plant {pl:.4f} {pa:.3f}")


if __name__ == "__main__":
    main()
