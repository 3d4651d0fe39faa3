"""Next-note model for short melodies. One melody per forward, no padding anywhere."""
import math
from dataclasses import dataclass
from pathlib import Path

import torch
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch.optim.lr_scheduler import OneCycleLR
from torch.utils.data import DataLoader, Dataset
from transformers import GPT2Config, GPT2LMHeadModel

HERE = Path(__file__).resolve().parent
START = "<s>"


@dataclass
class Setup:
    seed: int = 19
    epochs: int = 6
    accumulate: int = 8
    peak_lr: float = 6e-3
    held_out: int = 120
    width: int = 48
    layers: int = 2


class Melodies(Dataset):
    def __init__(self, lines, index):
        self.items = [torch.tensor([index[t] for t in [START] + line.split()]) for line in lines]

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


@torch.no_grad()
def nats_per_note(model, loader):
    model.eval()
    total, notes = 0.0, 0
    for ids in loader:
        n = ids.shape[1] - 1
        total += model(input_ids=ids, labels=ids).loss.item() * n
        notes += n
    return total / notes


def main(cfg=Setup()):
    set_seed(cfg.seed)
    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=cfg.accumulate)

    lines = (HERE / "melodies.txt").read_text().splitlines()
    index = {t: i for i, t in enumerate([START] + sorted({t for line in lines for t in line.split()}))}
    train_set, val_set = Melodies(lines[:-cfg.held_out], index), Melodies(lines[-cfg.held_out:], index)
    train_dl = DataLoader(train_set, batch_size=1, shuffle=True)
    val_dl = DataLoader(val_set, batch_size=1)

    model = GPT2LMHeadModel(GPT2Config(
        vocab_size=len(index), n_positions=64, n_embd=cfg.width, n_layer=cfg.layers, n_head=4,
        n_inner=2 * cfg.width, resid_pdrop=0.1, embd_pdrop=0.1, attn_pdrop=0.1,
        bos_token_id=0, eos_token_id=0, use_cache=False, tie_word_embeddings=True))

    updates = cfg.epochs * math.ceil(len(train_set) / cfg.accumulate)
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.peak_lr, betas=(0.9, 0.98), weight_decay=0.05)
    scheduler = OneCycleLR(optimizer, max_lr=cfg.peak_lr, total_steps=updates, pct_start=0.25)
    model, optimizer, train_dl, val_dl, scheduler = accelerator.prepare(
        model, optimizer, train_dl, val_dl, scheduler)

    longest = max(len(i) for i in train_set.items)
    accelerator.print(f"{len(train_set)} melodies, {len(index)} tokens, longest {longest}, {updates} updates")
    for epoch in range(1, cfg.epochs + 1):
        model.train()
        total, notes = 0.0, 0
        for ids in train_dl:
            with accelerator.accumulate(model):
                loss = model(input_ids=ids, labels=ids).loss
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                scheduler.step()
                optimizer.zero_grad()
            total += loss.item() * (ids.shape[1] - 1)
            notes += ids.shape[1] - 1
        val = nats_per_note(model, val_dl)
        accelerator.print(f"epoch {epoch}  train {total / notes:.4f}  val {val:.4f} nats/note  "
                          f"perplexity {math.exp(val):.2f}  lr {scheduler.get_last_lr()[0]:.1e}")


if __name__ == "__main__":
    main()
