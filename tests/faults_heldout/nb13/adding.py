"""Identity-initialised ReLU RNN on the adding problem (sum the two marked numbers)."""
import torch
import torch.nn as nn

SEQ_LEN, HIDDEN, BATCH = 30, 64, 64
STEPS, LR, MAX_NORM = 1500, 0.01, 1.0

gen = torch.Generator().manual_seed(6)
torch.manual_seed(6)


def sample(n):
    values = torch.rand(n, SEQ_LEN, generator=gen)
    marks = torch.zeros(n, SEQ_LEN)
    half = SEQ_LEN // 2
    first = torch.randint(0, half, (n,), generator=gen)
    second = torch.randint(half, SEQ_LEN, (n,), generator=gen)
    rows = torch.arange(n)
    marks[rows, first] = 1.0
    marks[rows, second] = 1.0
    target = values[rows, first] + values[rows, second]
    return torch.stack([values, marks], dim=-1), target


class IRNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.RNN(2, HIDDEN, nonlinearity="relu", batch_first=True)
        self.readout = nn.Linear(HIDDEN, 1)
        nn.init.eye_(self.rnn.weight_hh_l0)
        nn.init.normal_(self.rnn.weight_ih_l0, std=0.1)
        nn.init.zeros_(self.rnn.bias_ih_l0)
        nn.init.zeros_(self.rnn.bias_hh_l0)

    def forward(self, x):
        out, _ = self.rnn(x)
        return self.readout(out[:, -1]).squeeze(-1)


def train_step(model, optimizer, loss_fn):
    x, y = sample(BATCH)
    optimizer.zero_grad()
    loss = loss_fn(model(x), y)
    nn.utils.clip_grad_norm_(model.parameters(), MAX_NORM)
    loss.backward()
    optimizer.step()
    return loss.item()


model = IRNN()
optimizer = torch.optim.SGD(model.parameters(), lr=LR, momentum=0.9)
loss_fn = nn.MSELoss()
x_test, y_test = sample(1000)
print(f"variance of the target {y_test.var().item():.4f}")

window = []
for step in range(1, STEPS + 1):
    window.append(train_step(model, optimizer, loss_fn))
    if step % 150 == 0:
        with torch.no_grad():
            test = loss_fn(model(x_test), y_test).item()
        print(f"step {step:5d}  train mse {sum(window) / len(window):.4f}  test mse {test:.4f}")
        window.clear()
