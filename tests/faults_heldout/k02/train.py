import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
from torch.utils.data import DataLoader

from dataset import BLANK, build, collate

EPOCHS = 10


class Reader(nn.Module):
    def __init__(self, hidden=48, n_tokens=11):
        super().__init__()
        self.front = nn.Sequential(nn.Conv1d(8, 48, 3, padding=1), nn.ReLU(), nn.Conv1d(48, 48, 3, padding=1), nn.ReLU())
        self.rnn = nn.GRU(48, hidden, batch_first=True, bidirectional=True)
        self.drop = nn.Dropout(0.2)
        self.out = nn.Linear(2 * hidden, n_tokens)

    def forward(self, x, lengths):
        h = self.front(x.transpose(1, 2)).transpose(1, 2)
        packed = pack_padded_sequence(h, lengths, batch_first=True, enforce_sorted=False)
        h, _ = pad_packed_sequence(self.rnn(packed)[0], batch_first=True)
        return self.out(self.drop(h)).log_softmax(-1)


def greedy(logp, lengths):
    res = []
    for path, n in zip(logp.argmax(-1), lengths):
        seq = torch.unique_consecutive(path[:n])
        res.append(seq[seq != BLANK].tolist())
    return res


def edit_distance(a, b):
    row = list(range(len(b) + 1))
    for i, ca in enumerate(a, 1):
        prev, row[0] = row[0], i
        for j, cb in enumerate(b, 1):
            prev, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, prev + (ca != cb))
    return row[-1]


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    err = total = 0
    loss_sum = n = 0
    for x, xl, y, yl in loader:
        logp = model(x, xl)
        loss_sum += F.ctc_loss(logp.transpose(0, 1), y, xl, yl, blank=BLANK).item() * len(x)
        n += len(x)
        for hyp, ref in zip(greedy(logp, xl), y.split(yl.tolist())):
            err += edit_distance(hyp, ref.tolist())
            total += len(ref)
    model.train()
    return loss_sum / n, err / total


def main():
    torch.manual_seed(3)
    train_set, test_set = build()
    train_loader = DataLoader(train_set, batch_size=40, shuffle=True, collate_fn=collate)
    test_loader = DataLoader(test_set, batch_size=100, collate_fn=collate)
    model = Reader()
    opt = torch.optim.AdamW(model.parameters(), lr=5e-3, weight_decay=1e-3)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, 5e-3, total_steps=EPOCHS * len(train_loader), pct_start=0.15)
    for epoch in range(EPOCHS):
        tot = 0.0
        for x, xl, y, yl in train_loader:
            loss = F.ctc_loss(model(x, xl).transpose(0, 1), y, xl, yl, blank=BLANK)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            opt.step()
            sched.step()
            tot += loss.item()
        vl, cer = evaluate(model, test_loader)
        print(f"[{epoch + 1:2d}/{EPOCHS}] ctc {tot / len(train_loader):.4f} | test ctc {vl:.4f} cer {cer:.3f}")


main()
