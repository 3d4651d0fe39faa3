import logging
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader

from helpdesk.corpus import Collator, Vocabulary, read_tsv
from helpdesk.router import TicketRouter

logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
log = logging.getLogger("router")
DATA = Path(__file__).parent / "data"


@dataclass
class Options:
    epochs: int = 15
    batch_size: int = 32
    lr: float = 2e-3
    seed: int = 2024


class Trainer:
    def __init__(self, opt: Options):
        self.opt = opt
        torch.manual_seed(opt.seed)
        train_texts, train_queues = read_tsv(DATA / "train.tsv")
        val_texts, val_queues = read_tsv(DATA / "val.tsv")
        queues = sorted(set(train_queues))
        vocab = Vocabulary(train_texts)
        collate = Collator(vocab, queues)
        self.train_loader = DataLoader(
            list(zip(train_texts, train_queues)), batch_size=opt.batch_size,
            shuffle=True, collate_fn=collate,
        )
        self.val_loader = DataLoader(
            list(zip(val_texts, val_queues)), batch_size=128, collate_fn=collate
        )
        self.model = TicketRouter(len(vocab), len(queues))
        self.loss_fn = nn.CrossEntropyLoss()
        self.optim = torch.optim.Adam(self.model.parameters(), lr=opt.lr)
        log.info("queues: %s, vocabulary: %d words", ", ".join(queues), len(vocab))

    def train_epoch(self):
        self.model.train()
        loss_sum, correct, n = 0.0, 0, 0
        for flat, offsets, target in self.train_loader:
            logits = self.model(flat, offsets)
            loss = self.loss_fn(logits, target)
            self.optim.zero_grad()
            loss.backward()
            self.optim.step()
            loss_sum += loss.item() * len(target)
            correct += (logits.argmax(-1) == target).sum().item()
            n += len(target)
        return loss_sum / n, correct / n

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        loss_sum, correct, n = 0.0, 0, 0
        for flat, offsets, target in self.val_loader:
            logits = self.model(flat, offsets)
            loss_sum += self.loss_fn(logits, target).item() * len(target)
            correct += (logits.argmax(-1) == target).sum().item()
            n += len(target)
        return loss_sum / n, correct / n

    def fit(self):
        for epoch in range(1, self.opt.epochs + 1):
            tl, ta = self.train_epoch()
            vl, va = self.validate()
            log.info("epoch %02d train loss %.3f acc %.3f | val loss %.3f acc %.3f",
                     epoch, tl, ta, vl, va)


if __name__ == "__main__":
    Trainer(Options()).fit()
