"""Routes support tickets to one of six queues with a small GRU."""
import json

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.rnn import pack_padded_sequence
from torch.utils.data import DataLoader

from tickets import Tickets


class Router(nn.Module):
    def __init__(self, vocab, queues, dim=24, hidden=40):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim, padding_idx=0)
        self.gru = nn.GRU(dim, hidden, batch_first=True)
        self.drop = nn.Dropout(0.2)
        self.out = nn.Linear(hidden, queues)

    def forward(self, ids, n_tokens):
        packed = pack_padded_sequence(
            self.embed(ids), n_tokens, batch_first=True, enforce_sorted=False)
        _, h = self.gru(packed)
        return self.out(self.drop(h[-1]))


@torch.no_grad()
def score(model, loader):
    model.eval()
    loss = right = n = 0
    for ids, n_tokens, queue in loader:
        logits = model(ids, n_tokens)
        loss += F.cross_entropy(logits, queue, reduction="sum").item()
        right += (logits.argmax(1) == queue).sum().item()
        n += len(queue)
    return loss / n, right / n


def main():
    torch.manual_seed(11)
    with open("vocab.json") as f:
        vocab = json.load(f)
    train = DataLoader(Tickets("tickets.npz", "train"), batch_size=64, shuffle=True)
    valid = DataLoader(Tickets("tickets.npz", "valid"), batch_size=256)

    model = Router(len(vocab), queues=6)
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(6):
        model.train()
        total = 0.0
        for ids, n_tokens, queue in train:
            loss = F.cross_entropy(model(ids, n_tokens), queue)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            opt.step()
            total += loss.item()
        v_loss, v_acc = score(model, valid)
        print(f"epoch {epoch + 1}: train {total / len(train):.3f}  valid {v_loss:.3f}  acc {v_acc:.3f}")


if __name__ == "__main__":
    main()
