"""Intent classifier of the voice assistant.

The transcripts are tokenised upstream; utterances.npz holds one row of token ids per
utterance (fixed width) and its intent.
"""
import numpy as np
import torch
import torch.nn as nn
from sklearn.metrics import f1_score

from vocab_utils import Vocab

SEED, EPOCHS, BATCH = 5, 5, 32


class IntentGRU(nn.Module):
    def __init__(self, n_tokens, n_intents, pad_id, emb=32, hidden=40):
        super().__init__()
        self.pad_id = pad_id
        self.embed = nn.Embedding(n_tokens, emb, padding_idx=pad_id)
        self.gru = nn.GRU(emb, hidden, batch_first=True)
        self.out = nn.Linear(hidden, n_intents)

    def forward(self, ids):
        lengths = (ids != self.pad_id).sum(dim=1)
        states, _ = self.gru(self.embed(ids))
        # state at the last real token
        last = states[torch.arange(len(ids)), lengths - 1]
        return self.out(last)


def evaluate(model, ids, y):
    model.eval()
    with torch.no_grad():
        logits = model(ids)
    pred = logits.argmax(1)
    return nn.functional.cross_entropy(logits, y).item(), (pred == y).float().mean().item(), f1_score(y, pred, average="macro")


if __name__ == "__main__":
    torch.manual_seed(SEED)
    vocab = Vocab.from_file("vocab.json")
    z = np.load("utterances.npz")
    ids, y = torch.from_numpy(z["ids"]).long(), torch.from_numpy(z["intent"]).long()
    n_train = int(0.8 * len(ids))  # rows come in random order
    xtr, ytr, xva, yva = ids[:n_train], y[:n_train], ids[n_train:], y[n_train:]
    print(f"vocab {len(vocab)}, train {tuple(xtr.shape)}, val {tuple(xva.shape)}, {int(y.max()) + 1} intents")

    model = IntentGRU(len(vocab), int(y.max()) + 1, vocab.pad_id)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    for epoch in range(1, EPOCHS + 1):
        model.train()
        losses = []
        for idx in torch.randperm(n_train).split(BATCH):
            loss = nn.functional.cross_entropy(model(xtr[idx]), ytr[idx])
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            losses.append(loss.item())
        vl, acc, f1 = evaluate(model, xva, yva)
        print(f"epoch {epoch} train_loss={np.mean(losses):.3f} val_loss={vl:.3f} val_acc={acc:.3f} val_f1={f1:.3f}")
