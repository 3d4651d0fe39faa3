import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

from model import NameGRU
from words import encode, make


def collate(batch):
    seqs = [torch.tensor(encode(w)) for w, _ in batch]
    return pad_sequence(seqs, batch_first=True), torch.tensor([len(s) for s in seqs]), torch.tensor([l for _, l in batch])


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    hits = n = 0
    for tokens, lengths, y in loader:
        hits += (model(tokens, lengths).argmax(1) == y).sum().item()
        n += len(y)
    return hits / n


def main():
    torch.manual_seed(0)
    train = make(3000, seed=1)
    seen = {w for w, _ in train}
    val = [(w, l) for w, l in make(800, seed=2) if w not in seen]
    loader = DataLoader(train, batch_size=64, shuffle=True, collate_fn=collate)
    val_loader = DataLoader(val, batch_size=128, collate_fn=collate)
    model, criterion = NameGRU(), nn.CrossEntropyLoss()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    for epoch in range(6):
        model.train()
        total = 0.0
        for tokens, lengths, y in loader:
            loss = criterion(model(tokens, lengths), y)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            total += loss.item() * len(y)
        print(f"epoch {epoch} loss {total / len(train):.4f} unseen-name accuracy {evaluate(model, val_loader):.4f}")


if __name__ == "__main__":
    main()
