import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset

from vision.evaluation import evaluate
from vision.mixer import Mixer

EPOCHS = 20
TRAIN_BATCH = 64
EVAL_BATCH = 256


def get_loaders():
    digits = load_digits()
    x = torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1) / 16
    x = (x - 0.305) / 0.376
    y = torch.tensor(digits.target)
    idx_tr, idx_va = train_test_split(range(len(y)), test_size=0.2, stratify=y, random_state=1)
    train = TensorDataset(x[idx_tr], y[idx_tr])
    valid = TensorDataset(x[idx_va], y[idx_va])
    return DataLoader(train, TRAIN_BATCH, shuffle=True), DataLoader(valid, EVAL_BATCH)


def main():
    torch.manual_seed(1)
    train_loader, valid_loader = get_loaders()
    model = Mixer()
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.05)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, EPOCHS)

    best = 0.0
    for epoch in range(EPOCHS):
        model.train()
        seen, right, running = 0, 0, 0.0
        for x, y in train_loader:
            logits = model(x)
            loss = F.cross_entropy(logits, y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            running += loss.item() * len(y)
            right += (logits.argmax(1) == y).sum().item()
            seen += len(y)
        scheduler.step()

        valid_loss, valid_acc = evaluate(model, valid_loader)
        best = max(best, valid_acc)
        print(
            f"epoch {epoch + 1:>2}/{EPOCHS} "
            f"train_loss={running / seen:.4f} train_acc={right / seen:.4f} "
            f"valid_loss={valid_loss:.4f} valid_acc={valid_acc:.4f}"
        )
    print(f"best validation accuracy: {best:.2%}")


if __name__ == "__main__":
    main()
