import torch
from torch import nn

from survival.cohort import cohorts
from survival.cox import concordance, cox_objective

EPOCHS, BATCH, LR = 20, 100, 1e-3


class RiskNet(nn.Module):
    def __init__(self, n_in=10, width=48):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_in, width), nn.SELU(), nn.Dropout(0.1), nn.Linear(width, width), nn.SELU(),
                                 nn.Linear(width, 1))

    def forward(self, x):
        return 3.0 * torch.tanh(self.net(x).squeeze(-1) / 3.0)


def epoch_loop(net, opt, data):
    x, time, observed = data
    net.train()
    values = []
    for idx in torch.randperm(len(x)).split(BATCH):
        opt.zero_grad()
        loss = cox_objective(net(x[idx]), time[idx], observed[idx])
        loss.backward()
        opt.step()
        values.append(loss.item())
    return sum(values) / len(values)


@torch.no_grad()
def assess(net, data):
    net.eval()
    x, time, observed = data
    score = net(x)
    return cox_objective(score, time, observed).item(), concordance(score, time, observed)


def main():
    torch.manual_seed(28)
    train, test = cohorts(seed=28)
    print(f"{len(train[0])} subjects, {train[2].mean().item():.0%} events")
    net = RiskNet()
    opt = torch.optim.AdamW(net.parameters(), lr=LR, weight_decay=1e-3)
    for epoch in range(EPOCHS):
        value = epoch_loop(net, opt, train)
        test_value, c = assess(net, test)
        print(f"epoch {epoch:2d}  train {value:8.4f}  test {test_value:8.4f}  c-index {c:.4f}")


if __name__ == "__main__":
    main()
