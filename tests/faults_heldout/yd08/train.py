from pathlib import Path

import torch
import torch.nn as nn

from deepsurv.data import prepare
from deepsurv.losses import concordance, cox_loss

EPOCHS = 250
LR = 2e-3


class RiskNet(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d, 32), nn.SELU(), nn.Dropout(0.2), nn.Linear(32, 16), nn.SELU(), nn.Linear(16, 1, bias=False))

    def forward(self, x):
        return self.net(x).squeeze(1)


def main():
    torch.manual_seed(40)
    train, test = prepare(Path(__file__).parent / "cohort.csv")
    train = train.by_follow_up()
    model = RiskNet(train.x.shape[1])
    opt = torch.optim.AdamW(model.parameters(), lr=LR, weight_decay=1e-2)
    for epoch in range(1, EPOCHS + 1):
        model.train()
        loss = cox_loss(model(train.x), train.died)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if epoch % 25 == 0:
            model.eval()
            with torch.no_grad():
                c = concordance(model(test.x), test.months, test.died)
            print(f"epoch {epoch:4d}  partial likelihood loss {loss.item():.4f}  test C-index {c:.3f}")


if __name__ == "__main__":
    main()
