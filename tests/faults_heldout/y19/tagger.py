"""BiGRU sequence tagger for address strings."""
import json
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

HERE = Path(__file__).resolve().parent
META = json.loads((HERE / "meta.json").read_text())


class Corpus(torch.utils.data.Dataset):
    def __init__(self, split):
        z = np.load(HERE / "corpus.npz")
        self.tok = torch.from_numpy(z[f"{split}_tokens"]).long()
        self.tag = torch.from_numpy(z[f"{split}_tags"]).long()
        self.len = torch.from_numpy(z[f"{split}_len"]).long()

    def __len__(self):
        return len(self.len)

    def __getitem__(self, i):
        return self.tok[i], self.tag[i], self.len[i]


class Tagger(nn.Module):
    def __init__(self, vocab, tags, emb=24, hid=24):
        super().__init__()
        self.emb = nn.Embedding(vocab, emb, padding_idx=0)
        self.rnn = nn.GRU(emb, hid, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hid, tags)

    def forward(self, tok, length):
        packed = pack_padded_sequence(self.emb(tok), length, batch_first=True, enforce_sorted=False)
        h, _ = pad_packed_sequence(self.rnn(packed)[0], batch_first=True, total_length=tok.shape[1])
        return self.out(h)


def token_scores(model, dl, n_tags):
    """Accuracy over real tokens and macro recall over tags."""
    model.eval()
    hit, cnt = torch.zeros(n_tags), torch.zeros(n_tags)
    with torch.no_grad():
        for tok, tag, length in dl:
            real = torch.arange(tok.shape[1])[None] < length[:, None]
            pred, gold = model(tok, length).argmax(-1)[real], tag[real]
            cnt += torch.bincount(gold, minlength=n_tags)
            hit += torch.bincount(gold[pred == gold], minlength=n_tags)
    seen = cnt > 0
    return (hit.sum() / cnt.sum()).item(), (hit[seen] / cnt[seen]).mean().item()


def main():
    torch.manual_seed(6)
    n_tags = len(META["tags"])
    dl = torch.utils.data.DataLoader(Corpus("train"), batch_size=32, shuffle=True)
    vdl = torch.utils.data.DataLoader(Corpus("valid"), batch_size=128)
    model = Tagger(META["vocab_size"], n_tags)
    loss_fn = nn.CrossEntropyLoss(ignore_index=META["ignore_tag"])
    opt = torch.optim.SGD(model.parameters(), lr=0.2, momentum=0.9)
    for epoch in range(1, 9):
        model.train()
        tot = 0.0
        for tok, tag, length in dl:
            logits = model(tok, length)
            loss = loss_fn(logits.flatten(0, 1), tag.flatten())
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            opt.step()
            tot += loss.item()
        acc, rec = token_scores(model, vdl, n_tags)
        print(f"epoch {epoch:2d}  loss {tot / len(dl):.4f}  token acc {acc:.4f}  macro recall {rec:.4f}")


if __name__ == "__main__":
    main()
