import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from lib.stopping import EarlyStopping
from lib.tabular import splits


def evaluate(net, pair):
    net.eval()
    with torch.no_grad():
        return nn.functional.mse_loss(net(pair[0]), pair[1]).item()


def main(argv=None):
    ap = argparse.ArgumentParser(description="disease progression regression")
    ap.add_argument("--hidden", type=int, default=32)
    ap.add_argument("--patience", type=int, default=20)
    ap.add_argument("--max-epochs", type=int, default=200)
    ap.add_argument("--lr", type=float, default=1e-3)
    ap.add_argument("--seed", type=int, default=19)
    args = ap.parse_args(argv)

    torch.manual_seed(args.seed)
    train, val, test, unit = splits(args.seed)
    loader = DataLoader(TensorDataset(*train), batch_size=32, shuffle=True)
    net = nn.Sequential(nn.Linear(10, args.hidden), nn.SiLU(), nn.Dropout(0.2), nn.Linear(args.hidden, args.hidden),
                        nn.SiLU(), nn.Dropout(0.2), nn.Linear(args.hidden, 1))
    opt = torch.optim.AdamW(net.parameters(), lr=args.lr, weight_decay=1e-2)
    stopper = EarlyStopping(net, args.patience)

    for epoch in range(args.max_epochs):
        net.train()
        running = 0.0
        for x, y in loader:
            opt.zero_grad()
            loss = nn.functional.mse_loss(net(x), y)
            loss.backward()
            opt.step()
            running += loss.item() * len(x)
        val_loss = evaluate(net, val)
        if epoch % 5 == 0:
            print(f"epoch {epoch:3d}  train {running / len(train[0]):.4f}  val {val_loss:.4f}")
        if stopper.update(epoch, val_loss):
            print(f"stopped after epoch {epoch}; best was epoch {stopper.best_epoch}")
            break
    stopper.restore()
    mse = evaluate(net, test)
    print(f"val {stopper.best:.4f}  test mse {mse:.4f} (variance {test[1].var(unbiased=False).item():.4f})  test rmse {unit * mse ** 0.5:.1f}")


if __name__ == "__main__":
    main()
