"""Routes customer tickets to support queues with a small convolutional text model."""
import torch
import torch.nn as nn
import torch.nn.functional as F
import yaml
from torch.utils.data import DataLoader

from corpus import PAD, build


class TextCNN(nn.Module):
    def __init__(self, vocab_size, n_classes, emb, filters, widths, dropout):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, emb, padding_idx=PAD)
        self.convs = nn.ModuleList(nn.Conv1d(emb, filters, w, padding=w // 2) for w in widths)
        self.drop = nn.Dropout(dropout)
        self.out = nn.Linear(filters * len(widths), n_classes)

    def forward(self, tokens):
        h = self.embed(tokens).transpose(1, 2)
        pooled = [F.relu(conv(h)).amax(dim=2) for conv in self.convs]
        return self.out(self.drop(torch.cat(pooled, dim=1)))


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    loss, hits, n = 0.0, 0, 0
    for x, y in loader:
        logits = model(x)
        loss += F.cross_entropy(logits, y, reduction="sum").item()
        hits += (logits.argmax(1) == y).sum().item()
        n += len(y)
    return loss / n, hits / n


def main():
    with open("config.yaml") as fh:
        cfg = yaml.safe_load(fh)
    torch.manual_seed(cfg["seed"])
    train_set, dev_set, vocab, queues = build(cfg)
    train_loader = DataLoader(train_set, batch_size=cfg["batch_size"], shuffle=True)
    dev_loader = DataLoader(dev_set, batch_size=200)

    model = TextCNN(len(vocab), len(queues), cfg["emb"], cfg["filters"], cfg["widths"], cfg["dropout"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg["lr"], weight_decay=cfg["weight_decay"])
    scheduler = torch.optim.lr_scheduler.LinearLR(
        optimizer, start_factor=1.0, end_factor=0.05, total_iters=cfg["epochs"] * len(train_loader)
    )

    for epoch in range(1, cfg["epochs"] + 1):
        model.train()
        total = 0.0
        for x, y in train_loader:
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
            scheduler.step()
            total += loss.item() * len(y)
        dev_loss, dev_acc = evaluate(model, dev_loader)
        print(f"epoch {epoch:2d}  train {total / len(train_set):.4f}  dev {dev_loss:.4f}  acc {dev_acc:.3f}")


if __name__ == "__main__":
    main()
