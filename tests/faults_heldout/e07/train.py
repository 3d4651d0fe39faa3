import json
import math
from pathlib import Path

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from corpus import VOCAB, PackedStream, ideal_loss, make_source
from model import TinyLM

cfg = json.loads((Path(__file__).parent / "config.json").read_text())
torch.manual_seed(cfg["seed"])


def lm_loss(model, batch, reduction="sum"):
    toks, docs, pos = batch
    logits = model(toks[:, :-1], docs[:, :-1], pos[:, :-1])
    inside = docs[:, 1:] == docs[:, :-1]          # do not predict the first token of the next document
    target = toks[:, 1:].masked_fill(~inside, -100)
    return F.cross_entropy(logits.flatten(0, 1), target.flatten(), ignore_index=-100, reduction=reduction), int(inside.sum())


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    s, n = 0.0, 0
    for batch in loader:
        l, k = lm_loss(model, batch)
        s, n = s + l.item(), n + k
    model.train()
    return s / n


def lr_at(u):
    w, total = cfg["warmup_updates"], cfg["updates"]
    if u < w:
        return (u + 1) / w
    return 0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * (u - w) / (total - w)))


table = make_source()
train_iter = iter(DataLoader(PackedStream(table, cfg["block"], seed=1), batch_size=cfg["micro_batch"]))
val_loader = DataLoader(PackedStream(table, cfg["block"], seed=2, rows=96), batch_size=32)
print(f"source NLL on the validation rows {ideal_loss(table, val_loader.dataset):.4f} nats, ln(V) {math.log(VOCAB):.4f}")

model = TinyLM(VOCAB, max_pos=64)
decay = [p for p in model.parameters() if p.ndim >= 2]
plain = [p for p in model.parameters() if p.ndim < 2]
opt = torch.optim.AdamW([{"params": decay, "weight_decay": 0.05}, {"params": plain, "weight_decay": 0.0}],
                        lr=cfg["lr"], betas=(0.9, 0.98))
sched = torch.optim.lr_scheduler.LambdaLR(opt, lr_at)

for update in range(cfg["updates"]):
    micro = [next(train_iter) for _ in range(cfg["accumulate"])]
    n_tokens = sum(int((d[:, 1:] == d[:, :-1]).sum()) for _, d, _ in micro)
    opt.zero_grad(set_to_none=True)
    running = 0.0
    for batch in micro:
        loss, _ = lm_loss(model, batch)
        (loss / n_tokens).backward()
        running += loss.item()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    sched.step()
    if update % 60 == 0 or update == cfg["updates"] - 1:
        print(f"update {update:4d} lr {opt.param_groups[0]['lr']:.2e} train {running / n_tokens:.4f} val {evaluate(model, val_loader):.4f}")
