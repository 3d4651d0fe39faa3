import torch
from torch import nn


class ResBlock(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.lin1 = nn.Linear(width, width)
        self.lin2 = nn.Linear(width, width)

    def forward(self, x):
        return x + self.lin2(torch.relu(self.lin1(self.norm(x))))


class TabularNet(nn.Module):
    def __init__(self, n_in, n_out, width=48, depth=2):
        super().__init__()
        self.stem = nn.Linear(n_in, width)
        self.blocks = nn.Sequential(*[ResBlock(width) for _ in range(depth)])
        self.head = nn.Linear(width, n_out)

    def forward(self, x):
        out = self.head(self.blocks(self.stem(x)))
        return out.squeeze(1) if out.shape[1] == 1 else out


class Learner:
    def __init__(self, table, lr, batch_size):
        self.table = table
        self.batch_size = batch_size
        self.net = TabularNet(table.x_train.shape[1], table.n_out)
        self.loss = nn.CrossEntropyLoss() if table.task == "classification" else nn.MSELoss()
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=lr, weight_decay=0.01)

    def codes(self, out):
        if self.table.task == "classification":
            return out.argmax(1)
        return out.round().long()

    def run_epoch(self):
        self.net.train()
        total = 0.0
        perm = torch.randperm(len(self.table.x_train))
        for idx in perm.split(self.batch_size):
            loss = self.loss(self.net(self.table.x_train[idx]), self.table.y_train[idx])
            self.opt.zero_grad(set_to_none=True)
            loss.backward()
            self.opt.step()
            total += loss.item() * len(idx)
        return total / len(perm)

    @torch.no_grad()
    def accuracy(self, x, y):
        self.net.eval()
        return (self.codes(self.net(x)) == y.long()).float().mean().item()
