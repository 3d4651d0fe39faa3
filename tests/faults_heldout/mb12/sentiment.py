import json
import math
from collections import Counter

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence

PAD, UNK, CLS = 0, 1, 2


class Vocabulary:
    def __init__(self, texts):
        words = [w for w, _ in Counter(w for t in texts for w in t.split()).most_common()]
        self.index = {w: i + 3 for i, w in enumerate(words)}

    def __len__(self):
        return len(self.index) + 3

    def encode(self, text):
        return torch.tensor([CLS] + [self.index.get(w, UNK) for w in text.split()])


class Classifier(nn.Module):
    def __init__(self, n_words, d_model, heads, layers, dropout, max_len):
        super().__init__()
        self.words = nn.Embedding(n_words, d_model, padding_idx=PAD)
        self.places = nn.Embedding(max_len, d_model)
        nn.init.normal_(self.places.weight, std=0.5)
        layer = nn.TransformerEncoderLayer(d_model, heads, 2 * d_model, dropout, batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, layers, norm=nn.LayerNorm(d_model), enable_nested_tensor=False)
        self.head = nn.Linear(d_model, 1)

    def forward(self, tokens):
        padding = tokens == PAD
        h = self.words(tokens) + self.places(torch.arange(tokens.shape[1]))
        h = self.encoder(h, src_key_padding_mask=padding)
        return self.head(h[:, 0]).squeeze(1)


class Trainer:
    def __init__(self, model, cfg, n_batches):
        self.model, self.cfg = model, cfg
        self.opt = torch.optim.AdamW(model.parameters(), lr=cfg["peak_lr"], weight_decay=cfg["weight_decay"])
        total, warm = n_batches * cfg["epochs"], cfg["warmup_steps"]
        self.sched = torch.optim.lr_scheduler.LambdaLR(
            self.opt, lambda s: (s + 1) / warm if s < warm else 0.5 * (1 + math.cos(math.pi * (s - warm) / (total - warm))))
        self.loss = nn.BCEWithLogitsLoss()

    def epoch(self, batches):
        self.model.train()
        total = n = 0
        for tokens, y in batches:
            loss = self.loss(self.model(tokens), y)
            self.opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), self.cfg["clip"])
            self.opt.step()
            self.sched.step()
            total, n = total + loss.item() * len(y), n + len(y)
        return total / n

    @torch.inference_mode()
    def score(self, batches):
        self.model.eval()
        total = good = n = 0
        for tokens, y in batches:
            z = self.model(tokens)
            total += self.loss(z, y).item() * len(y)
            good += ((z > 0) == (y > 0.5)).sum().item()
            n += len(y)
        return total / n, good / n


def batches(rows, vocab, size, shuffle):
    def collate(part):
        tokens = pad_sequence([vocab.encode(r["text"]) for r in part], batch_first=True, padding_value=PAD)
        return tokens, torch.tensor([float(r["stars"] > 3) for r in part])
    return torch.utils.data.DataLoader(rows, batch_size=size, shuffle=shuffle, collate_fn=collate)


def main():
    torch.manual_seed(1)
    s = json.load(open("settings.json"))
    rows = [json.loads(line) for line in open(s["file"])]
    a, b, c = s["split"]
    train, val, test = rows[:a], rows[a:a + b], rows[a + b:a + b + c]
    vocab = Vocabulary([r["text"] for r in train])
    t = s["training"]
    loaders = [batches(r, vocab, t["batch_size"], r is train) for r in (train, val, test)]
    model = Classifier(len(vocab), **s["model"])
    trainer = Trainer(model, t, len(loaders[0]))
    print(f"{len(vocab)} words, {sum(p.numel() for p in model.parameters())} parameters")
    for e in range(t["epochs"]):
        loss = trainer.epoch(loaders[0])
        vl, va = trainer.score(loaders[1])
        print(f"epoch {e + 1}: train {loss:.3f}, val {vl:.3f}, accuracy {va:.3f}")
    print("test: loss %.3f, accuracy %.3f" % trainer.score(loaders[2]))


if __name__ == "__main__":
    main()
