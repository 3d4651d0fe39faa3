import torch
from torch import nn

from plant import simulate
from stream import ContiguousStream

WINDOW, CHANNELS, EPOCHS, HIDDEN = 25, 32, 12, 24


class Observer(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(1, HIDDEN, batch_first=True)
        self.out = nn.Linear(HIDDEN, 1)

    def forward(self, u, h):
        z, h = self.rnn(u, h)
        return self.out(z), h


def evaluate(net, stream, carry=True):
    net.eval()
    h, err, var, n = None, 0.0, 0.0, 0
    with torch.no_grad():
        for k, (u, y) in enumerate(stream):
            p, h = net(u, h)
            if not carry:
                h = None
            if k >= 4:                       # first windows only settle the state
                err += ((p - y) ** 2).sum().item()
                var += (y ** 2).sum().item()
                n += y.numel()
    net.train()
    return (err / n) ** 0.5, 1 - err / var


def main():
    torch.manual_seed(12)
    train = ContiguousStream(*simulate(1500, CHANNELS, 1), WINDOW)
    valid = ContiguousStream(*simulate(700, CHANNELS, 2), WINDOW)
    test = ContiguousStream(*simulate(700, CHANNELS, 3), WINDOW)
    net = Observer()
    opt = torch.optim.Adam(net.parameters(), lr=8e-3)
    sched = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, factor=0.4, patience=1)
    for ep in range(1, EPOCHS + 1):
        h, total = None, 0.0
        for u, y in train:
            p, h = net(u, h)
            loss = nn.functional.mse_loss(p, y)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
            h = h.detach()
            total += loss.item()
        rmse, r2 = evaluate(net, valid)
        sched.step(rmse)
        print(f"epoch {ep:2d} train mse {total/len(train):.5f} valid rmse {rmse:.4f} fit {r2:.4f} lr {opt.param_groups[0]['lr']:.1e}")
    print("test rmse %.4f fit %.4f" % evaluate(net, test))
    print("test, state cleared at every window: rmse %.4f fit %.4f" % evaluate(net, test, carry=False))


if __name__ == "__main__":
    main()
