"""Fine-tune the plant-wide vibration encoder on the few labelled snippets of one gearbox."""
import argparse
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from encoder import BearingClassifier

HERE = Path(__file__).resolve().parent
STATES = ["normal", "outer_race", "inner_race", "looseness"]


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--data", default="data/gearbox_17.npz")
    p.add_argument("--weights", default="weights/encoder.pt")
    p.add_argument("--epochs", type=int, default=40)
    p.add_argument("--batch-size", type=int, default=16)
    p.add_argument("--head-lr", type=float, default=5e-3)
    p.add_argument("--encoder-lr", type=float, default=1e-4)
    p.add_argument("--seed", type=int, default=11)
    return p.parse_args()


def load_split(path, part):
    with np.load(HERE / path) as f:
        wave = f[f"{part}_wave"].astype(np.float32) * f["gain"]
        state = f[f"{part}_state"].astype(np.int64)
    return TensorDataset(torch.from_numpy(wave), torch.from_numpy(state))


def restore_encoder(model, path):
    # the checkpoint also carries the projector of the pre-training task, which is of no use here
    ckpt = torch.load(HERE / path, map_location="cpu", weights_only=True)
    model.encoder.load_state_dict(ckpt["state_dict"], strict=False)
    print(f"encoder: {path} (epoch {ckpt['epoch']})")


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    loss = hits = n = 0
    for wave, state in loader:
        out = model(wave)
        loss += nn.functional.cross_entropy(out, state, reduction="sum").item()
        hits += (out.argmax(1) == state).sum().item()
        n += len(state)
    return loss / n, hits / n


def main():
    args = get_args()
    torch.manual_seed(args.seed)
    train_set, val_set = load_split(args.data, "train"), load_split(args.data, "val")
    train_loader = DataLoader(train_set, batch_size=args.batch_size, shuffle=True)
    val_loader = DataLoader(val_set, batch_size=128)

    model = BearingClassifier(len(STATES))
    restore_encoder(model, args.weights)
    optimizer = torch.optim.AdamW(
        [
            {"params": model.encoder.parameters(), "lr": args.encoder_lr},
            {"params": model.head.parameters(), "lr": args.head_lr},
        ],
        weight_decay=0.01,
    )
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.epochs * len(train_loader))

    for epoch in range(1, args.epochs + 1):
        model.train()
        total = 0.0
        for wave, state in train_loader:
            loss = nn.functional.cross_entropy(model(wave), state)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            total += loss.item() * len(state)
        if epoch % 4 == 0 or epoch == 1:
            val_loss, val_acc = evaluate(model, val_loader)
            print(f"epoch {epoch:3d}  train {total / len(train_set):.4f}  val {val_loss:.4f}  acc {val_acc:.3f}")


if __name__ == "__main__":
    main()
