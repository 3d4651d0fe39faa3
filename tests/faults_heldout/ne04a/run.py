import math
import sys
from pathlib import Path

import torch
import torch.nn.functional as F

from sessionlm.conf import read_conf
from sessionlm.corpus import Vocab, load_sessions, split, to_tensor
from sessionlm.net import SessionLM

BASE = Path(__file__).resolve().parent


def lm_loss(logits, targets, ignore_index):
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=ignore_index)


@torch.no_grad()
def validate(model, ids, ignore_index):
    model.eval()
    nll, hits, n = 0.0, 0, 0
    for chunk in ids.split(128):
        logits, tgt = model(chunk[:, :-1]), chunk[:, 1:]
        keep = tgt != ignore_index
        nll += F.cross_entropy(logits[keep], tgt[keep], reduction="sum").item()
        hits += (logits.argmax(-1) == tgt)[keep].sum().item()
        n += keep.sum().item()
    model.train()
    return nll / n, hits / n


def main(conf_path):
    c = read_conf(conf_path)
    torch.manual_seed(c.run.seed)
    sessions = load_sessions(BASE / c.data.file)
    train_s, val_s = split(sessions, c.data.val_share, c.run.seed)
    vocab = Vocab(train_s)
    train, val = to_tensor(vocab, train_s, c.data.max_len), to_tensor(vocab, val_s, c.data.max_len)
    print(f"vocab {len(vocab)}, train {tuple(train.shape)}, val {tuple(val.shape)}")

    model = SessionLM(len(vocab), c.model.dim, c.model.heads, c.model.layers, c.data.max_len, c.model.dropout)
    opt = torch.optim.AdamW(model.parameters(), lr=c.optim.lr, weight_decay=c.optim.weight_decay)
    per_epoch = math.ceil(len(train) / c.optim.batch)
    total = c.optim.epochs * per_epoch
    sched = torch.optim.lr_scheduler.LambdaLR(
        opt, lambda i: min((i + 1) / c.optim.warmup, max(0.05, (total - i) / total)))

    for epoch in range(c.optim.epochs):
        acc = 0.0
        for idx in torch.randperm(len(train)).split(c.optim.batch):
            batch = train[idx]
            loss = lm_loss(model(batch[:, :-1]), batch[:, 1:], c.loss.ignore_index)
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), c.optim.clip)
            opt.step()
            sched.step()
            acc += loss.item()
        nll, top1 = validate(model, val, c.loss.ignore_index)
        print(f"epoch {epoch:2d} | train {acc / per_epoch:.3f} | val nll {nll:.3f} ppl {math.exp(nll):.2f} top1 {top1:.3f}")
    if c.run.save:
        torch.save({"model": model.state_dict(), "vocab": vocab.itos}, BASE / c.run.save)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else BASE / "session.conf")
