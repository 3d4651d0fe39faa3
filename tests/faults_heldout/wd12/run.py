import argparse
import json
import logging
from pathlib import Path

import torch
import torch.nn.functional as F

from s2s.dates import N_VOCAB, PAD, decode, encode, splits
from s2s.model import Seq2Seq

HERE = Path(__file__).resolve().parent
logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
log = logging.getLogger("dates")


def batches(pairs, size, shuffle):
    order = torch.randperm(len(pairs)).tolist() if shuffle else range(len(pairs))
    order = list(order)
    for i in range(0, len(order), size):
        chunk = [pairs[j] for j in order[i:i + size]]
        yield encode([s for s, _ in chunk]), encode([t for _, t in chunk], bos=True), [t for _, t in chunk]


def nll(model, src, tgt):
    logits = model(src, tgt[:, :-1])
    return F.cross_entropy(logits.flatten(0, 1), tgt[:, 1:].flatten(), ignore_index=PAD)


@torch.no_grad()
def validate(model, pairs):
    model.eval()
    loss, exact = 0.0, 0
    for src, tgt, text in batches(pairs, 250, False):
        loss += nll(model, src, tgt).item() * len(text)
        exact += sum(decode(r) == t for r, t in zip(model.greedy(src).tolist(), text))
    return loss / len(pairs), exact / len(pairs)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", default="config.json")
    cfg = json.loads((HERE / parser.parse_args().config).read_text())
    torch.manual_seed(cfg["seed"])
    train, valid = splits(cfg["n_train"], cfg["n_valid"], cfg["seed"])
    model = Seq2Seq(N_VOCAB, cfg["embed"], cfg["hidden"])
    opt = torch.optim.Adam(model.parameters(), lr=cfg["lr"])
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg["epochs"], eta_min=cfg["lr"] * 0.02)

    for epoch in range(cfg["epochs"]):
        model.train()
        total, clipped, steps = 0.0, 0, 0
        for src, tgt, _ in batches(train, cfg["batch_size"], True):
            loss = nll(model, src, tgt)
            opt.zero_grad()
            loss.backward()
            norm = torch.nn.utils.clip_grad_norm_(model.parameters(), cfg["clip"])
            opt.step()
            total += loss.item()
            clipped += norm.item() > cfg["clip"]
            steps += 1
        sched.step()
        vl, em = validate(model, valid)
        log.info("epoch %d  train %.4f  valid %.4f  exact match %.3f  clipped %d/%d",
                 epoch + 1, total / steps, vl, em, clipped, steps)

    for text in ("7 March 1999", "Nov 23 2031", "05.10.1987"):
        log.info("%s -> %s", text, decode(model.greedy(encode([text]))[0].tolist()))


if __name__ == "__main__":
    main()
