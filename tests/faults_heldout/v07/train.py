"""Intent classification of short event sequences with a GRU."""
import numpy as np
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

PAD, VOCAB, N_INTENTS = 0, 40, 6


def make_events(n, rng):
    """The intent is set by the combination of the first and the last two events."""
    rows = []
    for _ in range(n):
        length = int(np.clip(rng.geometric(0.12) + 3, 4, 70))
        seq = rng.integers(1, VOCAB, length)
        label = (2 * (seq[0] % 3) + (seq[-1] + seq[-2]) // 40) % N_INTENTS
        rows.append((torch.tensor(seq), int(label)))
    return rows


def collate(rows):
    seqs, labels = zip(*rows)
    lengths = torch.tensor([len(s) for s in seqs])
    return pad_sequence(seqs, batch_first=True, padding_value=PAD), lengths, torch.tensor(labels)


class IntentModel(nn.Module):
    def __init__(self, dim=32, hidden=64):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, dim, padding_idx=PAD)
        self.gru = nn.GRU(dim, hidden, batch_first=True)
        self.head = nn.Sequential(nn.LayerNorm(hidden), nn.Linear(hidden, N_INTENTS))

    def forward(self, tokens, lengths):
        out, _ = self.gru(self.embed(tokens))
        summary = out[:, -1]
        return self.head(summary)


def run_epoch(model, loader, opt=None):
    model.train(opt is not None)
    loss_sum = hits = n = 0
    with torch.set_grad_enabled(opt is not None):
        for tokens, lengths, labels in loader:
            logits = model(tokens, lengths)
            loss = nn.functional.cross_entropy(logits, labels)
            if opt is not None:
                opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                opt.step()
            loss_sum += loss.item() * len(labels)
            hits += (logits.argmax(1) == labels).sum().item()
            n += len(labels)
    return loss_sum / n, hits / n


def main():
    torch.manual_seed(2)
    rng = np.random.default_rng(2)
    train, val = make_events(3000, rng), make_events(600, rng)
    train_loader = DataLoader(train, batch_size=64, shuffle=True, collate_fn=collate)
    val_loader = DataLoader(val, batch_size=64, collate_fn=collate)
    model = IntentModel()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(10):
        tr = run_epoch(model, train_loader, opt)
        va = run_epoch(model, val_loader)
        print(f"epoch {epoch}: train {tr[0]:.3f}/{tr[1]:.3f}  val {va[0]:.3f}/{va[1]:.3f}")


if __name__ == "__main__":
    main()
