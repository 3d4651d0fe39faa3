from pathlib import Path

import torch

from jets import DeepSets, JetReader, LogCosh

CFG = dict(batch=64, epochs=12, lr=1.5e-3, weight_decay=1e-4, seed=23)


def resolution(model, loader, scale):
    """RMS of the mass residual in GeV and explained variance."""
    model.eval()
    pred, true = [], []
    with torch.no_grad():
        for x, mask, target in loader:
            pred.append(model(x, mask))
            true.append(target)
    pred, true = torch.cat(pred).flatten(), torch.cat(true)
    mse = (pred - true).pow(2).mean()
    return scale * mse.sqrt().item(), 1 - (mse / true.var()).item()


def run():
    torch.manual_seed(CFG["seed"])
    reader = JetReader(Path(__file__).parent / "jets.npz", CFG["seed"])
    train, val = reader.loader("train", CFG["batch"], shuffle=True), reader.loader("val", 256)
    model, criterion = DeepSets(), LogCosh()
    opt = torch.optim.AdamW(model.parameters(), lr=CFG["lr"], weight_decay=CFG["weight_decay"])
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, CFG["lr"] * 2, total_steps=CFG["epochs"] * len(train))
    print(f"mass {reader.loc:.1f} +- {reader.scale:.1f} GeV, {len(train.dataset)} jets")

    for epoch in range(CFG["epochs"]):
        model.train()
        acc = 0.0
        for x, mask, target in train:
            loss = criterion(model(x, mask), target)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            acc += loss.item()
        rms, r2 = resolution(model, val, reader.scale)
        print(f"epoch {epoch:02d} loss {acc / len(train):.4f} | val RMS {rms:6.2f} GeV | R2 {r2:+.3f}")


if __name__ == "__main__":
    run()
