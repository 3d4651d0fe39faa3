"""BiLSTM tagger for machine logs: each token gets one of seven roles. Batches are filled up to a token budget."""
import argparse
import random

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset, Sampler

ROLES = 7
VOCAB = 60


class Logs(Dataset):
    def __init__(self, n, seed):
        r = random.Random(seed)
        self.items = []
        for _ in range(n):
            toks = [r.randrange(1, VOCAB) for _ in range(r.randint(6, 30))]
            tags, state = [], 0
            for t in toks:
                if t <= 10:                      # opening words move on through the sections
                    state = (state + t) % 5
                tags.append(6 if t <= 10 else (state if t % 4 else 5))
            self.items.append((torch.tensor(toks), torch.tensor(tags)))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


class TokenBudget(Sampler):
    """Groups sequences of like length until the padded batch holds about max_tokens tokens."""

    def __init__(self, lengths, max_tokens, seed=0):
        self.lengths, self.max_tokens, self.rng = lengths, max_tokens, random.Random(seed)

    def __iter__(self):
        idx = sorted(range(len(self.lengths)), key=lambda i: (self.lengths[i] + self.rng.random() * 4))
        batches, cur, widest = [], [], 0
        for i in idx:
            widest = max(widest, self.lengths[i])
            if cur and widest * (len(cur) + 1) > self.max_tokens:
                batches.append(cur)
                cur, widest = [], self.lengths[i]
            cur.append(i)
        batches.append(cur)
        self.rng.shuffle(batches)
        return iter(batches)


def collate(batch):
    toks, tags = zip(*batch)
    return pad_sequence(toks, batch_first=True), pad_sequence(tags, batch_first=True, padding_value=-100)


class Tagger(nn.Module):
    def __init__(self, dim=24, hidden=32):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, dim, padding_idx=0)
        self.lstm = nn.LSTM(dim, hidden, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden, ROLES)

    def forward(self, toks):
        return self.out(self.lstm(self.emb(toks))[0])


def token_accuracy(model, loader):
    model.eval()
    ok = n = 0
    with torch.no_grad():
        for toks, tags in loader:
            keep = tags != -100
            ok += (model(toks).argmax(-1) == tags)[keep].sum().item()
            n += keep.sum().item()
    model.train()
    return ok / n


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--max-tokens", type=int, default=8192)
    ap.add_argument("--epochs", type=int, default=10)
    ap.add_argument("--lr", type=float, default=1e-2)
    args = ap.parse_args()
    torch.manual_seed(6)
    train, test = Logs(3000, 1), Logs(500, 2)
    sampler = TokenBudget([len(t) for t, _ in train.items], args.max_tokens)
    loader = DataLoader(train, batch_sampler=sampler, collate_fn=collate)
    test_loader = DataLoader(test, batch_size=100, collate_fn=collate)
    model = Tagger()
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    loss_fn = nn.CrossEntropyLoss(ignore_index=-100)
    for epoch in range(args.epochs):
        last = []
        for toks, tags in loader:
            loss = loss_fn(model(toks).flatten(0, 1), tags.flatten())
            opt.zero_grad()
            loss.backward()
            opt.step()
            last.append(loss.item())
        print(f"epoch {epoch:2d}: {len(last)} batches, loss {sum(last) / len(last):.4f}, "
              f"test token acc {token_accuracy(model, test_loader):.4f}")


if __name__ == "__main__":
    main()
