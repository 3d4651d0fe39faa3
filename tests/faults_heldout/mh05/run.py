import argparse

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from data import Pairs, collate, read_pairs
from model import Seq2Seq
from vocab import PAD, CharVocab


@torch.no_grad()
def evaluate(model, loader, tgt_vocab):
    model.eval()
    loss = tokens = exact = total = 0
    for src, lengths, tgt in loader:
        logits = model(src, lengths, tgt)
        loss += F.cross_entropy(logits.flatten(0, 1), tgt.flatten(), ignore_index=PAD, reduction="sum").item()
        tokens += (tgt != PAD).sum().item()
        for hyp, ref in zip(model.greedy(src, lengths, tgt.shape[1]).tolist(), tgt.tolist()):
            exact += tgt_vocab.decode(hyp) == tgt_vocab.decode(ref)
        total += len(src)
    return loss / tokens, exact / total


def main():
    ap = argparse.ArgumentParser(description="normalise written dates to ISO form")
    ap.add_argument("--epochs", type=int, default=7)
    ap.add_argument("--batch-size", type=int, default=64)
    ap.add_argument("--lr", type=float, default=5e-3)
    ap.add_argument("--seed", type=int, default=2)
    args = ap.parse_args()
    torch.manual_seed(args.seed)

    train_pairs, valid_pairs = read_pairs("data/train.tsv"), read_pairs("data/valid.tsv")
    src_vocab = CharVocab([s for s, _ in train_pairs])
    tgt_vocab = CharVocab([t for _, t in train_pairs])
    train_dl = DataLoader(Pairs(train_pairs, src_vocab, tgt_vocab), args.batch_size, shuffle=True, collate_fn=collate)
    valid_dl = DataLoader(Pairs(valid_pairs, src_vocab, tgt_vocab), 200, collate_fn=collate)

    model = Seq2Seq(len(src_vocab), len(tgt_vocab))
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=0.01)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, args.lr, total_steps=args.epochs * len(train_dl), pct_start=0.15)

    for epoch in range(1, args.epochs + 1):
        model.train()
        running = 0.0
        for src, lengths, tgt in train_dl:
            logits = model(src, lengths, tgt)
            loss = F.cross_entropy(logits.flatten(0, 1), tgt.flatten(), ignore_index=PAD)
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            sched.step()
            running += loss.item()
        val_loss, exact = evaluate(model, valid_dl, tgt_vocab)
        print(f"epoch {epoch:2d}  train {running / len(train_dl):.4f}  valid {val_loss:.4f}  exact match {exact:.3f}")


if __name__ == "__main__":
    main()
