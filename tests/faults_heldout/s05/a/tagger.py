"""BiLSTM slot tagger.  corpus.npz holds fixed-width token and tag matrices."""
import configparser
import os

import numpy as np
import torch
from torch import nn

BASE = os.path.dirname(os.path.abspath(__file__))
ini = configparser.ConfigParser()
ini.read(os.path.join(BASE, "tagger.ini"))
T, M = ini["train"], ini["model"]


class Tagger(nn.Module):
    def __init__(self, vocab, n_tags):
        super().__init__()
        e, h = M.getint("emb"), M.getint("hidden")
        self.emb = nn.Embedding(vocab, e, padding_idx=0)
        self.rnn = nn.LSTM(e, h, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * h, n_tags)

    def forward(self, tok):
        return self.out(self.rnn(self.emb(tok))[0])


def split(corpus, name):
    return (torch.from_numpy(corpus[f"{name}_tok"].astype(np.int64)),
            torch.from_numpy(corpus[f"{name}_tag"].astype(np.int64)))


def word_scores(model, tok, tag):
    """token accuracy and macro recall, words only"""
    model.eval()
    with torch.no_grad():
        pred = model(tok).argmax(-1)
    model.train()
    words = tok != 0
    p, g = pred[words], tag[words]
    rec = [(p[g == c] == c).float().mean().item() for c in g.unique()]
    return (p == g).float().mean().item(), sum(rec) / len(rec)


def main():
    torch.manual_seed(T.getint("seed"))
    corpus = np.load(os.path.join(BASE, "corpus.npz"))
    tok, tag = split(corpus, "train")
    vtok, vtag = split(corpus, "dev")
    model = Tagger(int(corpus["vocab"]), int(corpus["n_tags"]))
    opt = torch.optim.SGD(model.parameters(), lr=T.getfloat("lr"), momentum=0.9)
    ce = nn.CrossEntropyLoss()
    step = 0
    for epoch in range(T.getint("epochs")):
        for idx in torch.randperm(len(tok)).split(T.getint("batch")):
            logits = model(tok[idx])
            loss = ce(logits.flatten(0, 1), tag[idx].flatten())
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            opt.step()
            step += 1
        acc, rec = word_scores(model, vtok, vtag)
        print(f"epoch {epoch} step {step} loss {loss.item():.4f} dev_acc {acc:.4f} dev_recall {rec:.4f}")


if __name__ == "__main__":
    main()
