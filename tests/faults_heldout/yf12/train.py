import json
import random
from pathlib import Path

import numpy as np
import torch
import yaml
from torch.nn.functional import cross_entropy
from torch.nn.utils.rnn import pad_sequence

from sasrec import SessionTransformer

BASE = Path(__file__).resolve().parent


def load(path, max_len):
    """Items are shifted by one; the last item of each session is held out for the test."""
    sessions = [json.loads(line)["items"] for line in path.read_text().splitlines()]
    n_items = max(map(max, sessions)) + 1
    train = [[i + 1 for i in s[:-1]][-(max_len + 1):] for s in sessions]
    test = [([i + 1 for i in s[:-1]][-max_len:], s[-1]) for s in sessions]
    return n_items, train, test


def batches(rows, size, rng):
    order = list(range(len(rows)))
    rng.shuffle(order)
    for k in range(0, len(order), size):
        seqs = [torch.tensor(rows[i]) for i in order[k:k + size]]
        x = pad_sequence([s[:-1] for s in seqs], batch_first=True)
        y = pad_sequence([s[1:] - 1 for s in seqs], batch_first=True, padding_value=-100)
        yield x, y


@torch.no_grad()
def evaluate(model, test, ks=(5, 10)):
    model.eval()
    ranks = []
    for k in range(0, len(test), 300):
        part = test[k:k + 300]
        x = pad_sequence([torch.tensor(s) for s, _ in part], batch_first=True)
        last = torch.tensor([len(s) - 1 for s, _ in part])
        scores = model(x)[torch.arange(len(part)), last]
        truth = torch.tensor([t for _, t in part])
        ranks.append((scores > scores.gather(1, truth[:, None])).sum(1))
    ranks = torch.cat(ranks).float()
    model.train()
    return [(ranks < k).float().mean().item() for k in ks], (1 / (1 + ranks)).mean().item()


def main():
    P = yaml.safe_load((BASE / "params.yaml").read_text())
    torch.manual_seed(P["seed"])
    rng = random.Random(P["seed"])
    n_items, train, test = load(BASE / P["data"], P["max_len"])
    counts = np.bincount(np.concatenate(train), minlength=n_items + 1)[1:]
    popular = set(np.argsort(-counts)[:10].tolist())
    print(f"{len(train)} sessions, {n_items} items, popularity hit@10 {np.mean([t in popular for _, t in test]):.3f}")

    model = SessionTransformer(n_items, P["dim"], P["heads"], P["layers"], P["dropout"], P["max_len"])
    opt = torch.optim.AdamW(model.parameters(), lr=P["lr"], weight_decay=0.05)
    total = P["epochs"] * -(-len(train) // P["batch_size"])
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, P["lr"], total_steps=total, pct_start=0.15)
    for epoch in range(1, P["epochs"] + 1):
        seen = acc = 0.0
        for x, y in batches(train, P["batch_size"], rng):
            loss = cross_entropy(model(x).flatten(0, 1), y.flatten(), ignore_index=-100,
                                 label_smoothing=P["label_smoothing"])
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            sched.step()
            acc += loss.item() * len(x)
            seen += len(x)
        if epoch % 5 == 0:
            (h5, h10), mrr = evaluate(model, test)
            print(f"epoch {epoch:2d} loss {acc / seen:.3f} hit@5 {h5:.3f} hit@10 {h10:.3f} mrr {mrr:.3f}", flush=True)


if __name__ == "__main__":
    main()
