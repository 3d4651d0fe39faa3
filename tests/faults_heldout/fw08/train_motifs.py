#!/usr/bin/env python
"""Intergenic / AT-rich / purine-tract classification of short DNA reads with a small DistilBERT."""
import argparse
import math
import random
import tomllib

import torch
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch.utils.data import DataLoader
from transformers import DistilBertConfig, DistilBertForSequenceClassification, get_linear_schedule_with_warmup

VOCAB = {c: i for i, c in enumerate("_ACGTN^")}      # _ pads, ^ opens the read


def read_tsv(path):
    with open(path) as fh:
        next(fh)
        rows = [line.split() for line in fh]
    return [(seq, int(cls)) for seq, cls in rows]


def collate(rows):
    ids = [torch.tensor([VOCAB["^"]] + [VOCAB[c] for c in seq]) for seq, _ in rows]
    ids = torch.nn.utils.rnn.pad_sequence(ids, batch_first=True)
    return {"input_ids": ids, "attention_mask": (ids != 0).long(),
            "labels": torch.tensor([c for _, c in rows])}


def build(cfg):
    return DistilBertForSequenceClassification(DistilBertConfig(
        vocab_size=len(VOCAB), dim=cfg["dim"], n_layers=cfg["layers"], n_heads=cfg["heads"],
        hidden_dim=2 * cfg["dim"], max_position_embeddings=64, num_labels=3, dropout=0.05,
        attention_dropout=0.0, seq_classif_dropout=0.1, pad_token_id=0))


def evaluate(accelerator, model, loader):
    model.eval()
    losses, right, n = 0.0, 0, 0
    with torch.inference_mode():
        for batch in loader:
            out = model(**batch)
            losses += out.loss.item() * len(batch["labels"])
            right += (out.logits.argmax(-1) == batch["labels"]).sum().item()
            n += len(batch["labels"])
    model.train()
    return losses / n, right / n


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--config", default="motifs.toml")
    with open(ap.parse_args().config, "rb") as fh:
        cfg = tomllib.load(fh)
    tr = cfg["train"]

    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=tr["accumulate"])
    set_seed(tr["seed"])
    rows = read_tsv(cfg["data"]["reads"])
    random.Random(tr["seed"]).shuffle(rows)
    n_val = int(cfg["data"]["val_fraction"] * len(rows))
    val, train = rows[:n_val], rows[n_val:]
    train_loader = DataLoader(train, tr["micro_batch"], shuffle=True, collate_fn=collate)
    val_loader = DataLoader(val, 128, collate_fn=collate)

    model = build(cfg["model"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=tr["lr"], weight_decay=tr["weight_decay"])
    total = tr["epochs"] * len(train_loader)
    scheduler = get_linear_schedule_with_warmup(optimizer, math.ceil(tr["warmup_ratio"] * total), total)
    model, optimizer, train_loader, val_loader, scheduler = accelerator.prepare(
        model, optimizer, train_loader, val_loader, scheduler)

    for epoch in range(tr["epochs"]):
        seen, acc_loss = 0, 0.0
        for batch in train_loader:
            with accelerator.accumulate(model):
                loss = model(**batch).loss
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), tr["max_grad_norm"])
                optimizer.step()
                scheduler.step()
                optimizer.zero_grad()
            acc_loss += loss.detach() * len(batch["labels"])
            seen += len(batch["labels"])
        val_loss, val_acc = evaluate(accelerator, model, val_loader)
        accelerator.print(f"epoch {epoch + 1}: train {acc_loss.item() / seen:.4f}  val {val_loss:.4f}  acc {val_acc:.3f}")


if __name__ == "__main__":
    main()
