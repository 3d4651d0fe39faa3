# Reading the digit boxes of scanned forms with a very small ViT.
import numpy as np
import pandas as pd
import torch
from accelerate import Accelerator
from accelerate.utils import set_seed
from datasets import Dataset
from torch.utils.data import DataLoader
from transformers import ViTConfig, ViTForImageClassification, get_cosine_schedule_with_warmup

EPOCHS = 12
BATCH = 32
PEAK_LR = 2e-3

torch.set_num_threads(1)
set_seed(77)


def load(part):
    scans = np.load(f"{part}_scans.npy")
    labels = pd.read_csv(f"{part}_labels.csv")
    assert len(scans) == len(labels)
    ds = Dataset.from_dict({
        "pixel_values": (scans[:, None].astype(np.float32) / 8.0 - 1.0).tolist(),
        "labels": labels["digit"].tolist(),
    })
    return ds.with_format("torch")


accelerator = Accelerator(cpu=True)
train_loader = DataLoader(load("train"), batch_size=BATCH, shuffle=True)
check_loader = DataLoader(load("check"), batch_size=128)

model = ViTForImageClassification(ViTConfig(
    image_size=8, patch_size=2, num_channels=1, hidden_size=48, num_hidden_layers=3, num_attention_heads=4,
    intermediate_size=96, hidden_dropout_prob=0.05, num_labels=10))
decay = [p for p in model.parameters() if p.ndim > 1]
rest = [p for p in model.parameters() if p.ndim <= 1]
optimizer = torch.optim.AdamW([{"params": decay, "weight_decay": 0.05}, {"params": rest, "weight_decay": 0.0}], lr=PEAK_LR)
total = EPOCHS * len(train_loader)
scheduler = get_cosine_schedule_with_warmup(optimizer, total // 10, total)
model, optimizer, train_loader, check_loader, scheduler = accelerator.prepare(
    model, optimizer, train_loader, check_loader, scheduler)

for epoch in range(EPOCHS):
    model.train()
    running = 0.0
    for batch in train_loader:
        out = model(**batch)
        accelerator.backward(out.loss)
        accelerator.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad()
        running += out.loss.item()

    model.eval()
    hits = seen = 0
    nll = 0.0
    with torch.no_grad():
        for batch in check_loader:
            out = model(**batch)
            pred, ref = accelerator.gather_for_metrics((out.logits.argmax(-1), batch["labels"]))
            hits += (pred == ref).sum().item()
            seen += len(ref)
            nll += out.loss.item() * len(ref)
    print(f"epoch {epoch + 1:2d} | train {running / len(train_loader):.3f} | check {nll / seen:.3f} | acc {hits / seen:.3f}")
