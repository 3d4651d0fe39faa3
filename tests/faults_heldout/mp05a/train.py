"""Habitat of origin for short DNA reads: fine-tune the species encoder on a small labelled set."""
import argparse
import tempfile
from pathlib import Path

import torch
import torch.nn.functional as F
from datasets import load_dataset, disable_progress_bars
from torch.utils.data import DataLoader
from transformers import get_cosine_schedule_with_warmup, set_seed

from net import ReadClassifier, kmer_ids

HERE = Path(__file__).resolve().parent
HABITATS = ["gut", "soil", "water"]


def get_data(cache_dir):
    files = {"train": str(HERE / "train.csv"), "val": str(HERE / "val.csv")}
    ds = load_dataset("csv", data_files=files, cache_dir=cache_dir)

    def encode(row):
        return {"ids": kmer_ids(row["read"]), "label": HABITATS.index(row["habitat"])}

    ds = ds.map(encode, remove_columns=["read", "habitat"])
    return ds.with_format("torch")


def load_encoder(model, path):
    ckpt = torch.load(path, map_location="cpu")
    weights = {k: v.float() if v.is_floating_point() else v for k, v in ckpt["model"].items()}
    model.encoder.load_state_dict(weights, strict=False)
    print(f"encoder: {path.name}, epoch {ckpt['epoch']}, {ckpt['reads']} reads, {len(weights)} tensors")


@torch.no_grad()
def accuracy(model, loader):
    model.eval()
    hits = total = 0
    for batch in loader:
        hits += (model(batch["ids"]).argmax(-1) == batch["label"]).sum().item()
        total += len(batch["label"])
    return hits / total


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=12)
    ap.add_argument("--encoder-lr", type=float, default=2e-4)
    ap.add_argument("--head-lr", type=float, default=5e-3)
    ap.add_argument("--seed", type=int, default=13)
    args = ap.parse_args()

    set_seed(args.seed)
    disable_progress_bars()
    with tempfile.TemporaryDirectory() as cache:
        ds = get_data(cache)
        train_dl = DataLoader(ds["train"], batch_size=16, shuffle=True)
        val_dl = DataLoader(ds["val"], batch_size=200)

        model = ReadClassifier(len(HABITATS))
        load_encoder(model, HERE / "encoder.pt")

        opt = torch.optim.AdamW([
            {"params": model.encoder.parameters(), "lr": args.encoder_lr},
            {"params": model.head.parameters(), "lr": args.head_lr},
        ], weight_decay=0.01)
        steps = args.epochs * len(train_dl)
        sched = get_cosine_schedule_with_warmup(opt, steps // 10, steps)

        for epoch in range(args.epochs):
            model.train()
            losses = []
            for batch in train_dl:
                loss = F.cross_entropy(model(batch["ids"]), batch["label"])
                opt.zero_grad(set_to_none=True)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                opt.step()
                sched.step()
                losses.append(loss.item())
            print(f"epoch {epoch + 1:2d}  loss {sum(losses) / len(losses):.4f}  "
                  f"val acc {accuracy(model, val_dl):.3f}")


if __name__ == "__main__":
    main()
