"""Masked language modelling on unlabeled sequences, then fine-tuning on the small labeled set."""
import tomllib
from pathlib import Path

import torch
import torch.nn.functional as F

from seqlm.data import IGNORE, VOCAB, corrupt, read_labeled, read_unlabeled
from seqlm.model import Classifier, Encoder, MaskedLM

HERE = Path(__file__).parent


def pretrain(model, tokens, cfg, gen):
    held, train = tokens[:300], tokens[300:]
    steps = cfg["epochs"] * -(-len(train) // cfg["batch_size"])
    opt = torch.optim.AdamW(model.parameters(), lr=cfg["lr"], weight_decay=0.01)
    sched = torch.optim.lr_scheduler.LambdaLR(
        opt, lambda s: min((s + 1) / cfg["warmup"], max(0.02, 1 - s / steps)))
    held_in, held_lab = corrupt(held, cfg["mask_rate"], torch.Generator().manual_seed(0))
    for epoch in range(cfg["epochs"]):
        model.train()
        run = 0.0
        batches = torch.randperm(len(train), generator=gen).split(cfg["batch_size"])
        for idx in batches:
            inp, lab = corrupt(train[idx], cfg["mask_rate"], gen)
            loss = F.cross_entropy(model(inp).transpose(1, 2), lab, ignore_index=IGNORE)
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            sched.step()
            run += loss.item()
        model.eval()
        with torch.no_grad():
            logits = model(held_in)
            hl = F.cross_entropy(logits.transpose(1, 2), held_lab, ignore_index=IGNORE).item()
            on = held_lab != IGNORE
            acc = (logits.argmax(-1)[on] == held_lab[on]).float().mean().item()
        print(f"[mlm] epoch {epoch + 1:2d} train {run / len(batches):.3f} held-out {hl:.3f} token acc {acc:.3f}")


def finetune(model, train, test, cfg, gen):
    x, y = train
    opt = torch.optim.AdamW([
        {"params": model.encoder.parameters(), "lr": cfg["encoder_lr"]},
        {"params": [*model.query.parameters(), *model.head.parameters()], "lr": cfg["head_lr"]},
    ], weight_decay=cfg["weight_decay"])
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg["epochs"])
    for epoch in range(cfg["epochs"]):
        model.train()
        run = 0.0
        for idx in torch.randperm(len(x), generator=gen).split(cfg["batch_size"]):
            loss = F.cross_entropy(model(x[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            run += loss.item() * len(idx)
        sched.step()
        model.eval()
        with torch.no_grad():
            logits = model(test[0])
            tl, acc = F.cross_entropy(logits, test[1]).item(), (logits.argmax(1) == test[1]).float().mean().item()
        if (epoch + 1) % 2 == 0:
            print(f"[cls] epoch {epoch + 1:2d} train {run / len(x):.3f} test {tl:.3f} acc {acc:.3f}")


def main():
    cfg = tomllib.loads((HERE / "config.toml").read_text())
    torch.manual_seed(cfg["seed"])
    gen = torch.Generator().manual_seed(cfg["seed"])
    unlabeled = read_unlabeled(HERE / "data" / "unlabeled.txt")
    train = read_labeled(HERE / "data" / "labeled_train.tsv")
    test = read_labeled(HERE / "data" / "labeled_test.tsv")

    encoder = Encoder(VOCAB, unlabeled.shape[1], **cfg["model"])
    pretrain(MaskedLM(encoder), unlabeled, cfg["pretrain"], gen)
    finetune(Classifier(encoder, classes=4), train, test, cfg["finetune"], gen)


if __name__ == "__main__":
    main()
