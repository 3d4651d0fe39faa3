import json
import math
import time
from pathlib import Path

import torch
import torch.nn.functional as F

from data import Corpus, to_streams, windows
from model import CharLSTM, detach

HERE = Path(__file__).parent


def run_validation(model, streams, bptt):
    model.eval()
    total, count, state = 0.0, 0, None
    with torch.no_grad():
        for x, y in windows(streams, bptt):
            logits, state = model(x, state)
            total += F.cross_entropy(logits.flatten(0, 1), y.flatten(), reduction="sum").item()
            count += y.numel()
    return total / count


def main():
    cfg = json.loads((HERE / "config.json").read_text())
    torch.manual_seed(cfg["seed"])
    corpus = Corpus(HERE / cfg["text"])
    train = to_streams(corpus.train, cfg["streams"])
    val = to_streams(corpus.val, 8)
    print(f"vocab {len(corpus.chars)}, train {corpus.train.numel()} chars, val {corpus.val.numel()} chars")

    model = CharLSTM(len(corpus.chars), cfg["embed"], cfg["hidden"], cfg["dropout"])
    opt = torch.optim.Adam(model.parameters(), lr=cfg["lr"])
    steps_per_epoch = math.ceil((len(train) - 1) / cfg["bptt"])
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg["epochs"] * steps_per_epoch, eta_min=cfg["lr"] * 0.02)

    for epoch in range(cfg["epochs"]):
        model.train()
        t0, state = time.time(), None
        total, count = 0.0, 0
        for x, y in windows(train, cfg["bptt"]):
            if state is not None:
                state = detach(state)
            logits, state = model(x, state)
            loss = F.cross_entropy(logits.flatten(0, 1), y.flatten())
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), cfg["clip"])
            opt.step()
            sched.step()
            total += loss.item() * y.numel()
            count += y.numel()
        nll = run_validation(model, val, cfg["bptt"])
        print(f"[{epoch + 1}/{cfg['epochs']}] train nll {total / count:.3f}  val nll {nll:.3f}  "
              f"val bpc {nll / math.log(2):.3f}  val ppl {math.exp(nll):.2f}  ({time.time() - t0:.1f}s)")

    print(corpus.decode(model.sample([corpus.stoi[c] for c in "Sunday: "], 160)))


if __name__ == "__main__":
    main()
