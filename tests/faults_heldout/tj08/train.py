"""Adapt the condition monitor of line A to line B, starting from its checkpoint."""
import argparse

import numpy as np
import torch
import torch.nn.functional as F
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset

from net import VibrationNet


def get_data(path, seed):
    z = np.load(path)
    x = torch.tensor(z["signal"].astype(np.float32) / 32.0).unsqueeze(1)
    y = torch.tensor(z["condition"].astype(np.int64))
    idx = np.arange(len(y))
    rest, test = train_test_split(idx, test_size=0.25, stratify=y, random_state=seed)
    train, val = train_test_split(rest, test_size=0.2, stratify=y[rest], random_state=seed)
    return [TensorDataset(x[i], y[i]) for i in (train, val, test)], [str(n) for n in z["names"]]


def load_backbone(model, path):
    weights = torch.load(path, map_location="cpu", weights_only=True)["model"]
    weights = {k.removeprefix("backbone."): v for k, v in weights.items() if k.startswith("backbone.")}
    model.backbone.load_state_dict(weights)


def augment(x):
    shift = int(torch.randint(0, 4, ()))
    gain = 0.95 + 0.1 * torch.rand(len(x), 1, 1)
    x = F.pad(x, (shift, 0), mode="reflect")[..., : x.shape[-1]] * gain
    return x + 0.05 * torch.randn_like(x)


@torch.no_grad()
def evaluate(model, data):
    model.eval()
    x, y = data.tensors if isinstance(data, TensorDataset) else data
    out = model(x)
    return F.cross_entropy(out, y).item(), balanced_accuracy_score(y, out.argmax(1))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--checkpoint", default="line_a.pt")
    ap.add_argument("--data", default="line_b.npz")
    ap.add_argument("--epochs", type=int, default=40)
    ap.add_argument("--lr-backbone", type=float, default=5e-4)
    ap.add_argument("--lr-head", type=float, default=5e-3)
    ap.add_argument("--seed", type=int, default=3)
    args = ap.parse_args()

    torch.manual_seed(args.seed)
    (train, val, test), names = get_data(args.data, args.seed)
    model = VibrationNet(len(names))
    load_backbone(model, args.checkpoint)
    opt = torch.optim.AdamW(
        [{"params": model.backbone.parameters(), "lr": args.lr_backbone},
         {"params": model.head.parameters(), "lr": args.lr_head}], weight_decay=0.01)
    loader = DataLoader(train, batch_size=32, shuffle=True)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.epochs * len(loader))

    best, best_state = float("inf"), None
    for epoch in range(1, args.epochs + 1):
        model.train()
        for x, y in loader:
            loss = F.cross_entropy(model(augment(x)), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
        tl, ta = evaluate(model, train)
        vl, va = evaluate(model, val)
        if vl < best:
            best, best_state = vl, {k: v.clone() for k, v in model.state_dict().items()}
        if epoch % 4 == 0 or epoch == 1:
            print(f"epoch {epoch:2d}  train {tl:.3f} ({ta:.3f})  val {vl:.3f} ({va:.3f})")

    model.load_state_dict(best_state)
    sl, sa = evaluate(model, test)
    print(f"line B test: loss {sl:.3f}, balanced accuracy {sa:.3f} over {', '.join(names)}")


if __name__ == "__main__":
    main()
