import argparse
import math
from functools import partial

import torch
from torch import nn
from torch.utils.data import DataLoader

from triage.encoder import TicketEncoder
from triage.text import Lexicon, collate, read_tsv


def main(opt):
    torch.manual_seed(opt.seed)
    train_docs, dev_docs = read_tsv("data/train.tsv"), read_tsv("data/dev.tsv")
    lex = Lexicon(train_docs)
    train = DataLoader(lex.encode(train_docs), opt.batch, shuffle=True, collate_fn=partial(collate, word_drop=opt.word_drop))
    dev = DataLoader(lex.encode(dev_docs), 256, collate_fn=collate)

    model = TicketEncoder(lex.size, len(lex.queues))
    decay = [p for p in model.parameters() if p.ndim > 1]
    plain = [p for p in model.parameters() if p.ndim <= 1]
    optim = torch.optim.AdamW(
        [{"params": decay, "weight_decay": 0.05}, {"params": plain, "weight_decay": 0.0}], lr=opt.lr
    )
    total, warm = opt.epochs * len(train), opt.warmup

    def factor(step):
        if step < warm:
            return (step + 1) / warm
        return 0.5 * (1 + math.cos(math.pi * (step - warm) / (total - warm)))

    sched = torch.optim.lr_scheduler.LambdaLR(optim, factor)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.05)
    for epoch in range(1, opt.epochs + 1):
        model.train()
        seen = summed = 0
        for batch, queue in train:
            loss = criterion(model(input_ids=batch["input_ids"], mask=batch["mask"]), queue)
            optim.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optim.step()
            sched.step()
            seen += len(queue)
            summed += loss.item() * len(queue)
        model.eval()
        right = n = 0
        nll = 0.0
        with torch.no_grad():
            for batch, queue in dev:
                out = model(**batch)
                nll += nn.functional.cross_entropy(out, queue, reduction="sum").item()
                right += (out.argmax(-1) == queue).sum().item()
                n += len(queue)
        print(f"{epoch:2d} train {summed / seen:.3f} dev {nll / n:.3f} acc {right / n:.3f}")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=8)
    ap.add_argument("--batch", type=int, default=32)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--warmup", type=int, default=30)
    ap.add_argument("--word-drop", type=float, default=0.1)
    ap.add_argument("--seed", type=int, default=4)
    main(ap.parse_args())
