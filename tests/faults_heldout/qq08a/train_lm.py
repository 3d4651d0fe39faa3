"""python train_lm.py [--config lm.cfg] [-o section.key=value ...]"""
import argparse
import configparser
import math
import pathlib
import time

import torch
import torch.nn.functional as F

from charlm import Corpus, SnapshotBank, WindowLM

HOME = pathlib.Path(__file__).resolve().parent


def parse():
    ap = argparse.ArgumentParser()
    ap.add_argument("--config", default=str(HOME / "lm.cfg"))
    ap.add_argument("-o", "--override", action="append", default=[], metavar="section.key=value")
    args = ap.parse_args()
    cp = configparser.ConfigParser()
    with open(args.config) as f:
        cp.read_file(f)
    for item in args.override:
        where, value = item.split("=", 1)
        section, key = where.split(".")
        cp[section][key] = value
    return cp


@torch.no_grad()
def held_out_bits(model, corpus):
    model.eval()
    total, n = 0.0, 0
    for window, nxt in corpus.sweep(512, stride=3):
        total += F.cross_entropy(model(window), nxt, reduction="sum").item()
        n += len(nxt)
    model.train()
    return total / n / math.log(2)


def main():
    cp = parse()
    text, net, tr, sn = cp["text"], cp["net"], cp["train"], cp["snapshots"]
    torch.manual_seed(tr.getint("seed"))
    corpus = Corpus(HOME / text["file"], text.getint("context"), text.getfloat("held_out"),
                    torch.Generator().manual_seed(tr.getint("seed")))
    model = WindowLM(len(corpus.vocabulary), text.getint("context"), net.getint("embed"), net.getint("hidden"))
    print(f"{len(corpus.train)} + {len(corpus.held)} characters, {len(corpus.vocabulary)} different; "
          f"{sum(p.numel() for p in model.parameters()) / 1e3:.0f}k weights")

    steps, warm = tr.getint("steps"), tr.getint("warmup")
    opt = torch.optim.AdamW(model.parameters(), lr=tr.getfloat("lr"), weight_decay=tr.getfloat("weight_decay"))
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(
        (s + 1) / warm, 0.5 * (1 + math.cos(math.pi * max(0, s - warm) / (steps - warm)))))
    bank = SnapshotBank(model, sn.getint("every"), sn.getint("keep"))

    running, mark = 0.0, time.time()
    for step in range(1, steps + 1):
        window, nxt = corpus.sample(tr.getint("batch"))
        loss = F.cross_entropy(model(window), nxt)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        sched.step()
        bank.update(step)
        running += loss.item()
        if step % tr.getint("report") == 0:
            n = tr.getint("report")
            print(f"step {step:4d}  train {running / n / math.log(2):.3f} bits  "
                  f"held out {held_out_bits(model, corpus):.3f} bits  {time.time() - mark:.1f} s")
            running = 0.0
    n = bank.average(sn.getint("average_last"))
    print(f"average of {n}: held out {held_out_bits(model, corpus):.3f} bits")


if __name__ == "__main__":
    main()
