import json
import os

import torch
from torch.utils.data import DataLoader

from charlm.data import Vocab, Windows
from charlm.model import CharLSTM
from charlm.trainer import Trainer

HERE = os.path.dirname(os.path.abspath(__file__))


@torch.no_grad()
def sample(model, vocab, prompt, length=120, temperature=0.7):
    model.eval()
    ids = vocab.encode(prompt)[None]
    logits, state = model(ids)
    out = list(ids[0])
    for _ in range(length):
        p = torch.softmax(logits[0, -1] / temperature, -1)
        nxt = torch.multinomial(p, 1)
        out.append(nxt[0])
        logits, state = model(nxt[None], state)
    return vocab.decode(out)


def main():
    with open(os.path.join(HERE, "config.json")) as f:
        cfg = json.load(f)
    torch.manual_seed(cfg["seed"])
    text = open(os.path.join(HERE, cfg["corpus"])).read()
    vocab = Vocab(text)
    ids = vocab.encode(text)
    cut = int(0.9 * len(ids))
    train_set = Windows(ids[:cut], cfg["seq_len"])
    valid_set = Windows(ids[cut:], cfg["seq_len"])
    print(f"{len(text)} chars, vocab {len(vocab)}, {len(train_set)} train / {len(valid_set)} valid windows")
    train_loader = DataLoader(train_set, batch_size=cfg["batch_size"], shuffle=True)
    valid_loader = DataLoader(valid_set, batch_size=64)

    model = CharLSTM(len(vocab), **cfg["model"])
    Trainer(model, cfg).fit(train_loader, valid_loader, cfg["epochs"])
    print(sample(model, vocab, "The miller "))


if __name__ == "__main__":
    main()
