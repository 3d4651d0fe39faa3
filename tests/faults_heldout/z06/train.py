"""Train the grid detector and report cell-level precision / recall at 0.5."""
import torch
from torch.utils.data import DataLoader, TensorDataset

from criterion import DetectionCriterion
from model import GridDetector
from scenes import draw_scenes


@torch.no_grad()
def evaluate(model, loader, threshold=0.5):
    model.eval()
    tp = fp = fn = 0
    size_err, hits = 0.0, 0
    for img, occ, side in loader:
        obj, size = model(img)
        pred, true = obj.sigmoid() > threshold, occ > 0
        tp += (pred & true).sum().item()
        fp += (pred & ~true).sum().item()
        fn += (~pred & true).sum().item()
        size_err += (size - side)[true].abs().sum().item()
        hits += true.sum().item()
    model.train()
    precision, recall = tp / max(tp + fp, 1), tp / max(tp + fn, 1)
    f1 = 2 * precision * recall / max(precision + recall, 1e-9)
    return precision, recall, f1, size_err / hits


def main():
    torch.manual_seed(8)
    train = DataLoader(TensorDataset(*draw_scenes(1200, seed=1)), batch_size=32, shuffle=True)
    val = DataLoader(TensorDataset(*draw_scenes(300, seed=2)), batch_size=100)
    model, criterion = GridDetector(), DetectionCriterion()
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-4)
    for epoch in range(8):
        sums = {}
        for img, occ, side in train:
            losses = criterion(model(img), occ, side)
            opt.zero_grad()
            losses["total"].backward()
            opt.step()
            for k, v in losses.items():
                sums[k] = sums.get(k, 0.0) + v.item() / len(train)
        p, r, f1, se = evaluate(model, val)
        print(f"[{epoch}] " + "  ".join(f"{k} {v:.4f}" for k, v in sums.items())
              + f"  | precision {p:.3f} recall {r:.3f} f1 {f1:.3f} size mae {se:.2f}")


if __name__ == "__main__":
    main()
