"""Room temperature from the heater signal: 12 rooms streamed in windows of 20 minutes."""
import numpy as np
import torch
from torch import nn

WINDOW = 20


class RoomNet(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.hidden = hidden
        self.gru = nn.GRU(1, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)

    def start(self, rooms):
        return torch.zeros(1, rooms, self.hidden)

    def forward(self, x, h):
        z, h = self.gru(x, h)
        return self.out(z)[..., 0], h


def stream(model, heater, temp, opt=None):
    """One pass over the record, window after window; updates the model when an optimizer is given."""
    errors = []
    for k in range(0, heater.shape[1], WINDOW):
        x, y = heater[:, k:k + WINDOW], temp[:, k:k + WINDOW]
        h = model.start(len(x))
        pred, h = model(x[..., None], h)
        loss = nn.functional.mse_loss(pred, y)
        if opt is not None:
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            h = h.detach()
        errors.append(loss.item())
    return float(np.mean(errors))


torch.manual_seed(9)
log = np.load("rooms.npz")
heater, temp = torch.tensor(log["heater"]), torch.tensor(log["temp"], dtype=torch.float32)
cut = 1200
heater = (heater - heater[:, :cut].mean()) / heater[:, :cut].std()
temp = (temp - temp[:, :cut].mean()) / temp[:, :cut].std()
model = RoomNet()
opt = torch.optim.Adam(model.parameters(), lr=4e-3)
for epoch in range(1, 21):
    model.train()
    tr = stream(model, heater[:, :cut], temp[:, :cut], opt)
    model.eval()
    with torch.no_grad():
        te = stream(model, heater[:, cut:], temp[:, cut:])
    if epoch % 2 == 0:
        print(f"pass {epoch} mse train {tr:.4f} last days {te:.4f}")
