import torch
import torch.nn as nn
from torch.utils.data import DataLoader

from dataset import CHANNELS, N_SYMBOLS, collate, make_split


class Recognizer(nn.Module):
    def __init__(self, hidden=48):
        super().__init__()
        self.conv = nn.Conv1d(CHANNELS, 32, 3, padding=1)
        self.rnn = nn.GRU(32, hidden, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden, N_SYMBOLS + 1)

    def forward(self, x, lengths):
        h = torch.relu(self.conv(x.transpose(1, 2))).transpose(1, 2)
        packed = nn.utils.rnn.pack_padded_sequence(h, lengths, batch_first=True, enforce_sorted=False)
        h, _ = nn.utils.rnn.pad_packed_sequence(self.rnn(packed)[0], batch_first=True)
        return self.out(h).log_softmax(-1)


def greedy(log_probs, lengths):
    out = []
    for row, n in zip(log_probs.argmax(-1), lengths.tolist()):
        path = torch.unique_consecutive(row[:n])
        out.append(path[path != 0].tolist())
    return out


def edit_distance(a, b):
    row = list(range(len(b) + 1))
    for i, ca in enumerate(a, 1):
        prev, row[0] = row[0], i
        for j, cb in enumerate(b, 1):
            prev, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, prev + (ca != cb))
    return row[-1]


@torch.no_grad()
def error_rate(model, items):
    model.eval()
    wrong = total = 0
    for i in range(0, len(items), 100):
        x, _, x_len, _ = collate(items[i:i + 100])
        for hyp, (_, ref) in zip(greedy(model(x, x_len), x_len), items[i:i + 100]):
            wrong += edit_distance(hyp, ref.tolist())
            total += len(ref)
    return wrong / total


def main():
    torch.manual_seed(31)
    train, test = make_split(1200, seed=1), make_split(300, seed=2)
    by_length = sorted(train, key=lambda item: len(item[0]))
    model = Recognizer()
    ctc = nn.CTCLoss(blank=0, zero_infinity=True)
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    sched = torch.optim.lr_scheduler.StepLR(opt, step_size=3, gamma=0.4)

    for epoch in range(1, 9):
        # short utterances first in the opening epoch, random order afterwards
        loader = DataLoader(by_length if epoch == 1 else train, batch_size=24, shuffle=epoch > 1, collate_fn=collate)
        model.train()
        total = 0.0
        for x, y, x_len, y_len in loader:
            log_probs = model(x, x_len)
            loss = ctc(log_probs.transpose(0, 1), y, x_len, y_len)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            opt.step()
            total += loss.item()
        sched.step()
        if epoch <= 2 or epoch % 2 == 0:
            print(f"epoch {epoch:2d}  ctc {total / len(loader):.3f}  symbol error rate {error_rate(model, test):.3f}")


if __name__ == "__main__":
    main()
