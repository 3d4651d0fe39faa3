import logging
import math
import os
import sys

import torch
import torch.nn.functional as F

from lm.corpus import Corpus, batchify, windows
from lm.model import CharLSTM

logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
log = logging.getLogger("lm")

HERE = os.path.dirname(os.path.abspath(__file__))
STREAMS, BPTT, EPOCHS, LR, CLIP = 16, 48, 5, 8e-3, 1.0


@torch.no_grad()
def evaluate(model, data):
    model.eval()
    state, total, count = model.start(data[0].size(1)), 0.0, 0
    for x, y in windows(*data, BPTT):
        logits, state = model(x, state)
        total += F.cross_entropy(logits.flatten(0, 1), y.flatten(), reduction="sum").item()
        count += y.numel()
    return total / count


def main():
    torch.manual_seed(1)
    corpus = Corpus(os.path.join(HERE, "corpus.txt"))
    train = batchify(corpus.train, STREAMS)
    val = batchify(corpus.val, 8)
    model = CharLSTM(len(corpus.chars))
    opt = torch.optim.Adam(model.parameters(), lr=LR)
    steps = EPOCHS * math.ceil(train[0].size(0) / BPTT)
    sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.05, total_iters=steps)
    log.info("chars %d  train %d  val %d  steps %d", len(corpus.chars), len(corpus.train), len(corpus.val), steps)
    step = 0
    for epoch in range(EPOCHS):
        model.train()
        state = model.start(STREAMS)
        for x, y in windows(*train, BPTT):
            state = tuple(s.detach() for s in state)
            logits, state = model(x, state)
            loss = F.cross_entropy(logits.flatten(0, 1), y.flatten())
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), CLIP)
            opt.step()
            sched.step()
            step += 1
            if step % 50 == 0:
                log.info("step %4d  loss %.3f", step, loss.item())
        nll = evaluate(model, val)
        log.info("epoch %d  val nll %.3f  bits/char %.3f", epoch, nll, nll / math.log(2))


if __name__ == "__main__":
    main()
