import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from reader.augment import train_transform
from reader.net import Reader

torch.manual_seed(12)
d = load_digits()
tr_x, te_x, tr_y, te_y = train_test_split(d.images, d.target, test_size=0.25, stratify=d.target, random_state=0)
tr_x = torch.tensor(tr_x, dtype=torch.float32)[:, None] / 16
te_x = torch.tensor(te_x, dtype=torch.float32)[:, None] / 16
tr_y, te_y = torch.tensor(tr_y), torch.tensor(te_y)
mu, sd = tr_x.mean(), tr_x.std()

net = Reader()
opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-2)
epochs, bs = 18, 64
steps = epochs * (len(tr_x) // bs)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps)

for epoch in range(epochs):
    net.train()
    perm = torch.randperm(len(tr_x))
    loss_sum = hits = seen = 0
    for k in range(len(tr_x) // bs):
        idx = perm[k * bs:(k + 1) * bs]
        x = (train_transform(tr_x[idx]) - mu) / sd
        logits = net(x)
        loss = F.cross_entropy(logits, tr_y[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        loss_sum += loss.item() * bs
        hits += (logits.argmax(1) == tr_y[idx]).sum().item()
        seen += bs
    net.eval()
    with torch.no_grad():
        out = net((te_x - mu) / sd)
        acc = (out.argmax(1) == te_y).float().mean().item()
        tl = F.cross_entropy(out, te_y).item()
    print(f"epoch {epoch + 1:02d}: train loss {loss_sum / seen:.3f} acc {hits / seen:.3f} | clean test loss {tl:.3f} acc {acc:.3f}")
