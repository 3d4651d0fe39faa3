import json
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader

from corpus import Corpus, passthrough

NAMES = ["O", "PER", "LOC", "ORG", "DATE"]


class GRUTagger(nn.Module):
    def __init__(self, n_words, emb, hidden, n_tags):
        super().__init__()
        self.emb = nn.Embedding(n_words, emb)
        self.gru = nn.GRU(emb, hidden, batch_first=True)
        self.out = nn.Linear(hidden, n_tags)

    def forward(self, words):
        h, _ = self.gru(self.emb(words))
        return self.out(h)


@torch.no_grad()
def score(model, loader):
    model.eval()
    tp, pred_n, gold_n, hit, tot = 0, 0, 0, 0, 0
    for words, tags, length in loader:
        best = model(words).argmax(-1)
        keep = torch.arange(words.shape[1])[None] < length[:, None]
        b, t = best[keep], tags[keep]
        tp += ((b == t) & (t > 0)).sum().item()
        pred_n += (b > 0).sum().item()
        gold_n += (t > 0).sum().item()
        hit += (b == t).sum().item()
        tot += len(t)
    model.train()
    return 2 * tp / max(pred_n + gold_n, 1), hit / tot


def main():
    cfg = json.loads((Path(__file__).resolve().parent / "config.json").read_text())
    torch.set_num_threads(1)
    torch.manual_seed(cfg["seed"])
    train, dev = Corpus("train"), Corpus("dev")
    train_loader = DataLoader(train, cfg["batch"], shuffle=True, collate_fn=passthrough)
    dev_loader = DataLoader(dev, 100, collate_fn=passthrough)
    model = GRUTagger(int(train.words.max()) + 1, cfg["embedding"], cfg["hidden"], len(NAMES))
    criterion = nn.CrossEntropyLoss(ignore_index=-100)
    opt = torch.optim.SGD(model.parameters(), lr=cfg["lr"], momentum=cfg["momentum"])
    for epoch in range(cfg["epochs"]):
        total = 0.0
        for words, tags, _ in train_loader:
            logits = model(words)
            loss = criterion(logits.reshape(-1, len(NAMES)), tags.reshape(-1))
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            opt.step()
            total += loss.item()
        f1, acc = score(model, dev_loader)
        print(f"epoch {epoch + 1} loss {total / len(train_loader):.4f} dev f1 {f1:.3f} token acc {acc:.3f}")
    torch.save(model.state_dict(), Path(__file__).resolve().parent / "gru_tagger.pt")


if __name__ == "__main__":
    main()
