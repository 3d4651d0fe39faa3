import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from har import ActivityNet, load_windows


def accuracy(model, loader):
    model.eval()
    ok = n = 0
    with torch.inference_mode():
        for x, y in loader:
            ok += int((model(x).argmax(-1) == y).sum())
            n += y.numel()
    return ok / n


def train(epochs=6, lr=2e-3):
    torch.manual_seed(21)
    tr = DataLoader(load_windows(1500, 100), batch_size=50, shuffle=True)
    va = DataLoader(load_windows(600, 200), batch_size=200)
    model = ActivityNet()
    opt = torch.optim.AdamW(model.parameters(), lr=lr)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=3 * lr, total_steps=epochs * len(tr))
    for ep in range(1, epochs + 1):
        model.train()
        s = 0.0
        for x, y in tr:
            loss = F.cross_entropy(model(x), y)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            sched.step()
            s += loss.item()
        print(f"ep {ep:2d} | loss {s / len(tr):.3f} | train acc {accuracy(model, tr):.3f} | val acc {accuracy(model, va):.3f}")


if __name__ == "__main__":
    train()
