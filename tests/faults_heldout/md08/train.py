import math
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence, pack_padded_sequence

torch.manual_seed(1999)
LANGS = ["it", "fi", "pl", "jp", "nl"]

pairs = [l.rstrip("\n").split("\t") for l in open("surnames.tsv", encoding="utf-8")]
perm = torch.randperm(len(pairs)).tolist()
pairs = [pairs[i] for i in perm]
n_dev = n_test = 600
test, dev, train = pairs[:n_test], pairs[n_test:n_test + n_dev], pairs[n_test + n_dev:]
chars = {c: i + 1 for i, c in enumerate(sorted({c for w, _ in train for c in w.lower()}))}
UNK, N = len(chars) + 1, len(chars) + 2


def batchify(rows):
    seqs = [torch.tensor([chars.get(c, UNK) for c in w.lower()]) for w, _ in rows]
    lens = torch.tensor([len(s) for s in seqs])
    return pad_sequence(seqs, batch_first=True, padding_value=0), lens, torch.tensor([LANGS.index(l) for _, l in rows])


class SurnameGRU(nn.Module):
    def __init__(self, emb=24, hid=40):
        super().__init__()
        self.emb = nn.Embedding(N, emb, padding_idx=0)
        self.rnn = nn.GRU(emb, hid, batch_first=True, bidirectional=True)
        self.drop = nn.Dropout(0.3)
        self.fc = nn.Linear(2 * hid, len(LANGS))

    def forward(self, x, lens):
        packed = pack_padded_sequence(self.emb(x), lens, batch_first=True, enforce_sorted=False)
        _, h = self.rnn(packed)
        return self.fc(self.drop(torch.cat([h[0], h[1]], dim=1)))


count = torch.bincount(torch.tensor([LANGS.index(l) for _, l in train]), minlength=len(LANGS)).float()
weight = count.sum() / (len(LANGS) * count)
criterion = nn.CrossEntropyLoss(weight=weight)
net = SurnameGRU()
EPOCHS, BATCH = 10, 50
opt = torch.optim.AdamW(net.parameters(), lr=4e-3, weight_decay=0.02)
total = EPOCHS * math.ceil(len(train) / BATCH)
sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(1.0, (s + 1) / 60) * (1 - s / (total + 1)))


def check(rows):
    net.eval()
    x, lens, y = batchify(rows)
    with torch.no_grad():
        z = net(x, lens)
    hit = (z.argmax(1) == y)
    recall = torch.stack([hit[y == k].float().mean() for k in range(len(LANGS))])
    return criterion(z, y).item(), hit.float().mean().item(), recall


for epoch in range(EPOCHS):
    net.train()
    seen, acc_loss = 0, 0.0
    for ids in torch.randperm(len(train)).split(BATCH):
        x, lens, y = batchify([train[i] for i in ids.tolist()])
        loss = criterion(net(x, lens), y)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        sched.step()
        acc_loss += loss.item() * len(y)
        seen += len(y)
    l, a, _ = check(dev)
    print(f"epoch {epoch + 1:2d} | train {acc_loss / seen:.4f} | dev {l:.4f} acc {a:.3f}")
l, a, rec = check(test)
print(f"test loss {l:.4f} acc {a:.3f} recall", " ".join(f"{k}:{r:.2f}" for k, r in zip(LANGS, rec.tolist())))
