"""Fine-tune the shared vibration encoder on the labelled recordings of one gearbox."""
import json
import sys

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from encoder import VibrationEncoder


class GearboxClassifier(nn.Module):
    def __init__(self, encoder, n_conditions, p_drop):
        super().__init__()
        self.encoder = encoder
        self.head = nn.Sequential(nn.Dropout(p_drop), nn.Linear(encoder.out_dim, n_conditions))

    def forward(self, x):
        return self.head(self.encoder(x))


def as_dataset(z, part):
    sig = torch.from_numpy(z[f"{part}_x"].astype(np.float32)) / 32.0
    return TensorDataset(sig.unsqueeze(1), torch.from_numpy(z[f"{part}_y"].astype(np.int64)))


def build(cfg):
    encoder = VibrationEncoder()
    ckpt = torch.load(cfg["pretrained"], map_location="cpu", weights_only=True)
    # the file also holds the projector used for pre-training, which is not needed here
    encoder.load_state_dict(ckpt["model"], strict=False)
    print("encoder from", cfg["pretrained"], "at step", ckpt["step"])
    return GearboxClassifier(encoder, cfg["n_conditions"], cfg["dropout"])


@torch.no_grad()
def accuracy(model, loader):
    model.eval()
    ok = sum((model(x).argmax(1) == y).sum().item() for x, y in loader)
    return ok / len(loader.dataset)


def main(path):
    cfg = json.load(open(path))
    torch.manual_seed(cfg["seed"])
    z = np.load(cfg["data"])
    train = DataLoader(as_dataset(z, "train"), batch_size=cfg["batch_size"], shuffle=True)
    test = DataLoader(as_dataset(z, "test"), batch_size=128)

    model = build(cfg)
    opt = torch.optim.AdamW(
        [
            {"params": model.encoder.parameters(), "lr": cfg["lr_encoder"]},
            {"params": model.head.parameters(), "lr": cfg["lr_head"]},
        ],
        weight_decay=1e-2,
    )
    loss_fn = nn.CrossEntropyLoss(label_smoothing=0.05)
    for epoch in range(cfg["epochs"]):
        model.train()
        running = 0.0
        for x, y in train:
            opt.zero_grad()
            loss = loss_fn(model(x), y)
            loss.backward()
            opt.step()
            running += loss.item() * len(y)
        if epoch % 4 == 3:
            print(f"epoch {epoch + 1:3d}  loss {running / len(train.dataset):.4f}  test acc {accuracy(model, test):.3f}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "gearbox.json")
