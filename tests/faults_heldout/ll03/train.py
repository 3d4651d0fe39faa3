from dataclasses import dataclass

import torch
import torch.nn as nn
from torch.utils.data import DataLoader

from dates import DateSet, collate, make_splits
from seq2seq import Seq2Seq
from vocab import PAD, dst_table, src_table


@dataclass
class Config:
    n_train: int = 3000
    n_val: int = 400
    batch: int = 32
    epochs: int = 5
    lr: float = 4e-3
    clip: float = 1.0
    seed: int = 5


def evaluate(model, loader, criterion):
    model.eval()
    loss_sum = tokens = exact = rows = 0
    with torch.no_grad():
        for src, lengths, dst in loader:
            logits = model(src, lengths, dst[:, :-1])
            gold = dst[:, 1:]
            n = (gold != PAD).sum().item()
            loss_sum += criterion(logits.flatten(0, 1), gold.flatten()).item() * n
            tokens += n
            guess = model.greedy(src, lengths)
            for g, t in zip(guess.tolist(), gold.tolist()):
                exact += dst_table.text(g) == dst_table.text(t)
            rows += len(src)
    return loss_sum / tokens, exact / rows


def main(cfg=Config()):
    torch.manual_seed(cfg.seed)
    train_rows, val_rows = make_splits(cfg.n_train, cfg.n_val, cfg.seed)
    train = DataLoader(DateSet(train_rows), cfg.batch, shuffle=True, collate_fn=collate)
    val = DataLoader(DateSet(val_rows), 128, collate_fn=collate)

    model = Seq2Seq(len(src_table), len(dst_table))
    criterion = nn.CrossEntropyLoss(ignore_index=PAD)
    opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg.epochs)

    for epoch in range(1, cfg.epochs + 1):
        model.train()
        loss_sum = tokens = 0
        for src, lengths, dst in train:
            logits = model(src, lengths, dst[:, :-1])
            gold = dst[:, 1:]
            loss = criterion(logits.flatten(0, 1), gold.flatten())
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), cfg.clip)
            opt.step()
            n = (gold != PAD).sum().item()
            loss_sum += loss.item() * n
            tokens += n
        sched.step()
        val_loss, em = evaluate(model, val, criterion)
        print(f"epoch {epoch}: train {loss_sum / tokens:.4f} | val {val_loss:.4f} | exact match {em:.3f}")

    for text, iso in val_rows[:5]:
        ids = torch.tensor([src_table.ids(text)])
        out = dst_table.text(model.greedy(ids, torch.tensor([ids.size(1)]))[0].tolist())
        print(f"{text:>22} -> {out}   ({iso})")


if __name__ == "__main__":
    main()
