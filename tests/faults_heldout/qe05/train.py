import json

import torch
import torch.nn as nn
import torch.nn.functional as F

from data import Corpus


class CharLM(nn.Module):
    def __init__(self, vocab, embed, hidden):
        super().__init__()
        self.emb = nn.Embedding(vocab, embed)
        self.rnn = nn.GRU(embed, hidden, batch_first=True)
        self.out = nn.Linear(hidden, vocab)

    def forward(self, x):
        h, _ = self.rnn(self.emb(x))
        return self.out(h)


def ce(logits, y):
    return F.cross_entropy(logits.flatten(0, 1), y.flatten())


@torch.no_grad()
def evaluate(model, corpus):
    model.eval()
    starts = torch.arange(0, len(corpus.parts["val"]) - corpus.context - 1, corpus.context)
    x, y = corpus.windows("val", starts)
    loss = ce(model(x), y).item()
    model.train()
    return loss


def main():
    cfg = json.load(open("config.json"))
    torch.manual_seed(cfg["seed"])
    corpus = Corpus("corpus.txt", cfg["context"], cfg["seed"])
    model = CharLM(len(corpus.chars), cfg["embed"], cfg["hidden"])
    opt = torch.optim.AdamW(model.parameters(), lr=cfg["lr"], weight_decay=0.01)
    for it in range(1, cfg["iters"] + 1):
        x, y = corpus.get_batch("train", cfg["batch"])
        loss = ce(model(x), y)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        if it % cfg["eval_every"] == 0:
            print(f"iter {it}: train {loss.item():.3f} nats, val {evaluate(model, corpus):.3f} nats")


if __name__ == "__main__":
    main()
