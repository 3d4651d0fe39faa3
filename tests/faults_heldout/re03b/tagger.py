import json
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

here = Path(__file__).parent


class SlotTagger(nn.Module):
    def __init__(self, n_words, n_slots, emb, hid, drop, pad_id):
        super().__init__()
        self.pad_id = pad_id
        self.words = nn.Embedding(n_words, emb)
        self.rnn = nn.LSTM(emb, hid, batch_first=True, bidirectional=True)
        self.drop = nn.Dropout(drop)
        self.proj = nn.Linear(2 * hid, n_slots)

    def forward(self, tokens):
        lengths = (tokens != self.pad_id).sum(1)
        packed = pack_padded_sequence(self.drop(self.words(tokens)), lengths, batch_first=True, enforce_sorted=False)
        states, _ = pad_packed_sequence(self.rnn(packed)[0], batch_first=True, total_length=tokens.shape[1])
        return self.proj(self.drop(states))


def token_loss(logits, slots, real):
    per_token = nn.functional.cross_entropy(logits.transpose(1, 2), slots, reduction="none")
    return per_token[real].mean()


def slot_f1(model, tokens, slots, outside=0):
    """micro F1 over everything that is not the outside tag"""
    model.eval()
    with torch.no_grad():
        pred = model(tokens).argmax(-1)
    keep = tokens != model.pad_id
    tp = ((pred == slots) & (slots != outside) & keep).sum().item()
    n_pred = ((pred != outside) & keep).sum().item()
    n_gold = ((slots != outside) & keep).sum().item()
    return 2 * tp / max(n_pred + n_gold, 1)


def run(cfg):
    torch.manual_seed(cfg["seed"])
    blob = np.load(here / cfg["corpus"])
    vocab = json.loads((here / cfg["vocab"]).read_text())
    tokens, slots = (torch.from_numpy(blob[k].astype("int64")) for k in ("tokens", "slots"))
    cut = int(len(tokens) * cfg["train_fraction"])

    model = SlotTagger(len(vocab["words"]), len(vocab["slots"]), cfg["emb"], cfg["hidden"], cfg["dropout"], cfg["pad_id"])
    opt = torch.optim.SGD(model.parameters(), lr=cfg["lr"], momentum=0.9)
    steps = cfg["epochs"] * -(-cut // cfg["batch_size"])
    sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.05, total_iters=steps)

    for epoch in range(cfg["epochs"]):
        model.train()
        seen = []
        for idx in torch.randperm(cut).split(cfg["batch_size"]):
            x, y = tokens[idx], slots[idx]
            loss = token_loss(model(x), y, x != cfg["pad_id"])
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), cfg["max_norm"])
            opt.step()
            sched.step()
            seen.append(loss.item())
        f1 = slot_f1(model, tokens[cut:], slots[cut:])
        print(f"epoch {epoch}: loss {np.mean(seen):.4f}, dev slot F1 {f1:.3f}")


if __name__ == "__main__":
    run(json.loads((here / "config.json").read_text()))
