import json
import sys
from pathlib import Path

import torch

from textcls.engine import evaluate, make_optim, train_epoch
from textcls.model import TicketTransformer
from textcls.tickets import QUEUES, Vocab, corpus


def tensors(samples, vocab, max_len):
    ids = torch.tensor([vocab.encode(w, max_len) for w, _ in samples])
    return ids, torch.tensor([q for _, q in samples])


def batches(ids, y, size):
    for idx in torch.randperm(len(y)).split(size):
        yield ids[idx], y[idx]


def main(path):
    cfg = json.loads(Path(path).read_text())
    torch.manual_seed(cfg["seed"])
    d = cfg["data"]
    train, val = corpus(d["n_train"], cfg["seed"]), corpus(d["n_val"], cfg["seed"] + 1000)
    vocab = Vocab([w for w, _ in train])
    xt, yt = tensors(train, vocab, d["max_len"])
    xv, yv = tensors(val, vocab, d["max_len"])

    model = TicketTransformer(len(vocab), len(QUEUES), d["max_len"], **cfg["model"])
    opt, sched = make_optim(model, cfg)
    for epoch in range(cfg["epochs"]):
        loss = train_epoch(model, batches(xt, yt, cfg["batch_size"]), opt, sched)
        vloss, vacc = evaluate(model, xv, yv)
        print(f"epoch {epoch + 1:2d}: train {loss:.4f}, val {vloss:.4f}, val acc {vacc:.3f}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent / "config.json")
