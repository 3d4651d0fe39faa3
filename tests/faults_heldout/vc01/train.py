"""Estimate battery state of charge from the measured current, streaming in short segments."""
import math
import torch
from torch import nn

torch.manual_seed(7)
N_CELLS, HORIZON, SEGMENT = 48, 480, 20


def simulate(n_cells, horizon, gen):
    load = torch.randn(n_cells, horizon, generator=gen)
    drive = torch.zeros(n_cells, horizon)
    level = torch.zeros(n_cells)
    for t in range(horizon):
        level = 0.9 * level + 0.3 * load[:, t]
        drive[:, t] = level
    phase = 2 * math.pi * torch.rand(n_cells, 1, generator=gen)
    drive = drive + 0.5 * torch.sin(torch.arange(horizon)[None] / 60.0 + phase)
    soc = torch.zeros(n_cells)
    trace = torch.zeros(n_cells, horizon)
    for t in range(horizon):
        soc = 0.985 * soc + 0.05 * drive[:, t]
        trace[:, t] = soc
    current = drive + 0.1 * torch.randn(n_cells, horizon, generator=gen)
    return current.unsqueeze(-1), trace.unsqueeze(-1)


class SocEstimator(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.hidden = hidden
        self.rnn = nn.GRU(1, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)

    def initial_state(self, batch):
        return torch.zeros(1, batch, self.hidden)

    def forward(self, x, state):
        feats, state = self.rnn(x, state)
        return self.out(feats), state


def stream(model, current, soc, optimizer=None):
    """One pass over all recordings, segment by segment."""
    total, count = 0.0, 0
    for start in range(0, current.shape[1], SEGMENT):
        state = model.initial_state(current.shape[0])
        x = current[:, start:start + SEGMENT]
        y = soc[:, start:start + SEGMENT]
        pred, state = model(x, state)
        loss = nn.functional.mse_loss(pred, y)
        if optimizer is not None:
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
        total += loss.item()
        count += 1
    return total / count


def main():
    gen = torch.Generator().manual_seed(11)
    train_x, train_y = simulate(N_CELLS, HORIZON, gen)
    test_x, test_y = simulate(16, HORIZON, gen)
    scale = train_y.std()
    train_y, test_y = train_y / scale, test_y / scale

    model = SocEstimator()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(1, 31):
        model.train()
        train_mse = stream(model, train_x, train_y, optimizer)
        if epoch % 3 == 0:
            model.eval()
            with torch.no_grad():
                test_mse = stream(model, test_x, test_y)
            print(f"epoch {epoch:3d}  train mse {train_mse:.4f}  test rmse {math.sqrt(test_mse):.4f} (in std of SoC)")


if __name__ == "__main__":
    main()
