import torch
from sklearn.metrics import cohen_kappa_score
from torch import nn
from torch.utils.data import DataLoader

from crf import LinearChainCRF
from nights import Nights, STAGES, collate

SEED = 17
EPOCHS = 15


class EpochScorer(nn.Module):
    def __init__(self, n_in=7, hidden=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_in, hidden), nn.ReLU(), nn.Dropout(0.1), nn.Linear(hidden, len(STAGES)))

    def forward(self, x):
        return self.net(x)


def evaluate(model, criterion, loader):
    model.eval()
    loss, true, pred = 0.0, [], []
    with torch.no_grad():
        for x, y, lengths in loader:
            e = model(x)
            loss += criterion(e, y, lengths).item() / len(loader)
            for path, row, n in zip(criterion.decode(e, lengths), y, lengths):
                pred.append(path)
                true.append(row[:n])
    true, pred = torch.cat(true), torch.cat(pred)
    return loss, (true == pred).float().mean().item(), cohen_kappa_score(true, pred)


def main():
    torch.manual_seed(SEED)
    train_loader = DataLoader(Nights(160, seed=1), batch_size=8, shuffle=True, collate_fn=collate)
    val_loader = DataLoader(Nights(50, seed=2), batch_size=25, collate_fn=collate)

    model = EpochScorer()
    criterion = LinearChainCRF(len(STAGES))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, EPOCHS)
    for epoch in range(1, EPOCHS + 1):
        model.train()
        total = 0.0
        for x, y, lengths in train_loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y, lengths)
            loss.backward()
            optimizer.step()
            total += loss.item() / len(train_loader)
        scheduler.step()
        val, acc, kappa = evaluate(model, criterion, val_loader)
        print(f"epoch {epoch:2d}  train nll {total:.4f}  val nll {val:.4f}  accuracy {acc:.3f}  kappa {kappa:.3f}")


if __name__ == "__main__":
    main()
