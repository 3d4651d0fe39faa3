import torch
from torch.utils.data import DataLoader

from src.corpus import Reviews, Vocab, collate, read_jsonl
from src.engine import test_epoch, train_epoch
from src.model import BiGRUClassifier

EPOCHS, BATCH, LR = 8, 32, 2e-3

if __name__ == "__main__":
    torch.manual_seed(31)
    rows = read_jsonl("reviews.jsonl")
    train_rows, test_rows = rows[:1400], rows[1400:]
    vocab = Vocab(r["text"] for r in train_rows)
    train = DataLoader(Reviews(train_rows, vocab), batch_size=BATCH, shuffle=True, collate_fn=collate)
    test = DataLoader(Reviews(test_rows, vocab), batch_size=BATCH, collate_fn=collate)
    model = BiGRUClassifier(len(vocab))
    opt = torch.optim.Adam(model.parameters(), lr=LR)
    for ep in range(1, EPOCHS + 1):
        tr = train_epoch(model, train, opt)
        te, acc = test_epoch(model, test)
        print(f"[{ep:02d}] train {tr:.4f} test {te:.4f} acc {acc:.3f}")
