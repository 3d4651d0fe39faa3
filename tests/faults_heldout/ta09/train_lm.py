"""Character model for place names, used to propose new map labels."""
from pathlib import Path

import torch
import torch.nn as nn
import torch.nn.functional as F

from corpus import BOS, EOS, PAD, load

CFG = dict(max_len=56, emb=24, hidden=96, lr=0.1, momentum=0.9, batch=64, epochs=4, clip=1.0, seed=13)


class NameLM(nn.Module):
    def __init__(self, vocab, emb, hidden):
        super().__init__()
        self.emb = nn.Embedding(vocab, emb, padding_idx=PAD)
        self.rnn = nn.GRU(emb, hidden, batch_first=True)
        self.out = nn.Linear(hidden, vocab)

    def forward(self, ids, state=None):
        h, state = self.rnn(self.emb(ids), state)
        return self.out(h), state


def lm_loss(model, seq):
    logits, _ = model(seq[:, :-1])
    return F.cross_entropy(logits.flatten(0, 1), seq[:, 1:].flatten())


@torch.no_grad()
def char_stats(model, seq):
    """NLL and top-1 accuracy on the letters (and the end mark) of held-out names."""
    logits, _ = model(seq[:, :-1])
    target = seq[:, 1:]
    keep = target != PAD
    nll = F.cross_entropy(logits[keep], target[keep]).item()
    acc = (logits[keep].argmax(-1) == target[keep]).float().mean().item()
    return nll, acc


@torch.no_grad()
def propose(model, vocab, n, max_len):
    names = []
    for _ in range(n):
        tok, state, ids = torch.tensor([[BOS]]), None, []
        for _ in range(max_len):
            logits, state = model(tok, state)
            tok = torch.multinomial(logits[:, -1].softmax(-1), 1)
            ids.append(tok.item())
            if ids[-1] in (EOS, PAD):
                break
        names.append(vocab.decode(ids))
    return names


def main(cfg):
    torch.manual_seed(cfg["seed"])
    vocab, train, held = load(Path(__file__).with_name("places.txt"), cfg["max_len"])
    print(f"{len(train)} names, alphabet {len(vocab)}, mean length {(train > 2).sum(1).float().mean():.1f}")
    model = NameLM(len(vocab), cfg["emb"], cfg["hidden"])
    opt = torch.optim.SGD(model.parameters(), lr=cfg["lr"], momentum=cfg["momentum"])
    for epoch in range(cfg["epochs"]):
        running = 0.0
        chunks = torch.randperm(len(train)).split(cfg["batch"])
        for b in chunks:
            loss = lm_loss(model, train[b])
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), cfg["clip"])
            opt.step()
            running += loss.item()
        nll, acc = char_stats(model, held)
        print(f"epoch {epoch} loss {running / len(chunks):.4f} held-out letter nll {nll:.4f} top1 {acc:.4f}")
    print(propose(model, vocab, 6, cfg["max_len"]))


if __name__ == "__main__":
    main(CFG)
