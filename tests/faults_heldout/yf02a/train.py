import json
import os
import sys

import numpy as np
import torch
import torch.nn.functional as F

from nets import Seq2Seq
from tokens import CharVocab, bucketed, pack

root = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(root, sys.argv[1] if len(sys.argv) > 1 else "settings.json")) as fh:
    S = json.load(fh)

torch.manual_seed(S["seed"])
rng = np.random.default_rng(S["seed"])

with open(os.path.join(root, S["data"])) as fh:
    pairs = [line.rstrip("\n").split("\t") for line in fh]
words, digits = zip(*pairs)
sv, tv = CharVocab(words), CharVocab(digits)

src_ids = [sv.encode(w) for w in words]
tgt_ids = [tv.encode(d) for d in digits]
n_val = 300


def collate(idx):
    s = pack([src_ids[i] for i in idx])
    t_in = pack([tgt_ids[i] for i in idx], bos=True)
    t_out = pack([tgt_ids[i] for i in idx], eos=True)
    return torch.from_numpy(s), torch.from_numpy(t_in), torch.from_numpy(t_out)


model = Seq2Seq(len(sv), len(tv), S["embed"], S["hidden"], S["pad_id"])
opt = torch.optim.AdamW(model.parameters(), lr=S["lr"], weight_decay=1e-4)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, S["steps"], eta_min=S["lr"] * 0.05)


def exact_match():
    model.eval()
    hits = 0
    for k in range(0, n_val, 100):
        src, _, _ = collate(range(k, k + 100))
        for p, d in zip(model.greedy(src, S["max_answer"]), digits[k:k + 100]):
            hits += tv.decode(p.tolist()) == d
    model.train()
    return hits / n_val


lengths = np.array([len(s) for s in src_ids[n_val:]])
batches = bucketed(lengths, S["pool"], S["batch"], rng)
hist = []
for step in range(1, S["steps"] + 1):
    src, tgt_in, tgt_out = collate(next(batches) + n_val)
    logits = model(src, tgt_in)
    loss = F.cross_entropy(logits.flatten(0, 1), tgt_out.flatten(), ignore_index=S["pad_id"])
    opt.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    sched.step()
    hist.append(loss.item())
    if step % S["eval_every"] == 0:
        print(f"[{step:4d}/{S['steps']}] loss={np.mean(hist[-S['eval_every']:]):.4f} "
              f"exact={exact_match():.3f} lr={sched.get_last_lr()[0]:.1e}", flush=True)

model.eval()
src, _, _ = collate(range(4))
for p, w, d in zip(model.greedy(src, S["max_answer"]), words, digits):
    print(f"{w!r} -> {tv.decode(p.tolist())} (ref {d})")
