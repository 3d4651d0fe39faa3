"""Machine-state labelling of a long sensor log, read in consecutive windows by parallel streams."""
import torch
from torch import nn

STREAMS, WINDOW, CHANNELS, MODES = 16, 10, 6, 3


def sensor_log(length, seed):
    """A mode is announced by a short pulse and holds until the next one; in between there is only noise."""
    g = torch.Generator().manual_seed(seed)
    x = 0.3 * torch.randn(length, STREAMS, CHANNELS, generator=g)
    y = torch.zeros(length, STREAMS, dtype=torch.long)
    mode = torch.randint(0, MODES, (STREAMS,), generator=g)
    for t in range(length):
        change = (torch.rand(STREAMS, generator=g) < 0.04) | torch.full((STREAMS,), t == 0)
        fresh = torch.randint(0, MODES, (STREAMS,), generator=g)
        mode = torch.where(change, fresh, mode)
        pulse = nn.functional.one_hot(mode, MODES).float() * change.unsqueeze(1)
        x[t, :, :MODES] += 2.0 * pulse
        y[t] = mode
    return x, y


class Labeller(nn.Module):
    def __init__(self, hidden=40):
        super().__init__()
        self.rnn = nn.GRU(CHANNELS, hidden)
        self.out = nn.Linear(hidden, MODES)

    def forward(self, x, state=None):
        h, state = self.rnn(x, state)
        return self.out(h), state


def windows(x, y):
    for start in range(0, len(x) - WINDOW + 1, WINDOW):
        yield x[start:start + WINDOW], y[start:start + WINDOW]


def train_epoch(model, opt, log):
    model.train()
    losses = []
    for xb, yb in windows(*log):
        state = None
        logits, state = model(xb, state)
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), yb.flatten())
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        state = state.detach()
        losses.append(loss.item())
    return sum(losses) / len(losses)


@torch.no_grad()
def accuracy(model, log):
    model.eval()
    logits, _ = model(log[0])
    return (logits.argmax(-1) == log[1]).float().mean().item()


def main():
    torch.manual_seed(6)
    train_log, val_log = sensor_log(1200, 1), sensor_log(300, 2)
    model = Labeller()
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    for epoch in range(10):
        loss = train_epoch(model, opt, train_log)
        print(f"epoch {epoch} loss {loss:.4f} val accuracy {accuracy(model, val_log):.4f}")


if __name__ == "__main__":
    main()
