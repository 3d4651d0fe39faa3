from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from encoder import FaultClassifier

ROOT = Path(__file__).parent


@dataclass
class Config:
    checkpoint: str = "encoder.pt"
    data: str = "pump_line.npz"
    lr: float = 5e-3
    epochs: int = 60
    batch_size: int = 16
    seed: int = 21


def load_pretrained(model, path):
    ckpt = torch.load(path, map_location="cpu", weights_only=True)
    print(f"checkpoint from epoch {ckpt['epoch']}, {len(ckpt['state_dict'])} tensors")
    # the pre-training head has other classes, the encoder is all we take over
    weights = {k: v for k, v in ckpt["state_dict"].items() if "head" not in k}
    model.load_state_dict(weights, strict=False)
    return model


def load_data(path):
    blob = np.load(path)
    as_x = lambda a: torch.from_numpy(a.astype(np.float32))
    as_y = lambda a: torch.from_numpy(a.astype(np.int64))
    return as_x(blob["x_train"]), as_y(blob["y_train"]), as_x(blob["x_test"]), as_y(blob["y_test"])


def main(cfg: Config):
    torch.manual_seed(cfg.seed)
    x, y, xt, yt = load_data(ROOT / cfg.data)
    model = load_pretrained(FaultClassifier(n_classes=int(y.max()) + 1), ROOT / cfg.checkpoint)

    # only few labelled pump recordings: train the head, keep the encoder as it is
    for p in model.encoder.parameters():
        p.requires_grad_(False)
    model.encoder.eval()
    opt = torch.optim.Adam(model.head.parameters(), lr=cfg.lr)

    for epoch in range(cfg.epochs):
        perm = torch.randperm(len(x))
        losses = []
        for i in range(0, len(x), cfg.batch_size):
            b = perm[i:i + cfg.batch_size]
            loss = F.cross_entropy(model(x[b]), y[b])
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        if epoch % 10 == 9:
            with torch.no_grad():
                acc = (model(xt).argmax(1) == yt).float().mean().item()
            print(f"epoch {epoch + 1:3d}  loss {np.mean(losses):.4f}  test accuracy {acc:.3f}")


if __name__ == "__main__":
    main(Config())
