import json
import time
from pathlib import Path

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from tickets.net import TicketEncoder
from tickets.text import TicketDataset, Vocabulary

ROOT = Path(__file__).resolve().parent
QUEUES = ["billing", "delivery", "account", "returns", "technical"]


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        torch.manual_seed(cfg["seed"])
        self.vocab = Vocabulary(ROOT / cfg["vocab"])
        train = TicketDataset(ROOT / cfg["train_file"], self.vocab, QUEUES, cfg["max_len"])
        val = TicketDataset(ROOT / cfg["val_file"], self.vocab, QUEUES, cfg["max_len"])
        self.train_loader = DataLoader(train, cfg["batch_size"], shuffle=True, drop_last=True)
        self.val_loader = DataLoader(val, 128)
        self.model = TicketEncoder(len(self.vocab), len(QUEUES), cfg["max_len"], self.vocab.pad,
                                   cfg["d_model"], cfg["heads"], cfg["layers"])
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=cfg["lr"], weight_decay=0.01)
        warm = cfg["warmup_steps"]
        self.sched = torch.optim.lr_scheduler.LambdaLR(self.opt, lambda s: min(1.0, (s + 1) / warm))
        print(f"vocabulary {len(self.vocab)}  train {len(train)}  val {len(val)}  "
              f"params {sum(p.numel() for p in self.model.parameters())}")

    def train_epoch(self):
        self.model.train()
        total = 0.0
        for ids, labels in self.train_loader:
            loss = F.cross_entropy(self.model(ids), labels)
            self.opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.opt.step()
            self.sched.step()
            total += loss.item()
        return total / len(self.train_loader)

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        loss, correct, n = 0.0, 0, 0
        for ids, labels in self.val_loader:
            logits = self.model(ids)
            loss += F.cross_entropy(logits, labels, reduction="sum").item()
            correct += (logits.argmax(-1) == labels).sum().item()
            n += len(labels)
        return loss / n, correct / n

    def run(self):
        for epoch in range(self.cfg["epochs"]):
            t0 = time.time()
            tr = self.train_epoch()
            vl, acc = self.validate()
            print(json.dumps({"epoch": epoch, "train_loss": round(tr, 4), "val_loss": round(vl, 4),
                              "val_acc": round(acc, 4), "sec": round(time.time() - t0, 1)}))


if __name__ == "__main__":
    torch.set_num_threads(1)
    Trainer(json.loads((ROOT / "settings.json").read_text())).run()
