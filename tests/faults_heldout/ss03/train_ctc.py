import configparser
import os

import torch
from torch import nn
from torch.utils.data import DataLoader

from morse.data import Calls, collate
from morse.model import Reader, best_path, edit_distance

here = os.path.dirname(os.path.abspath(__file__))
cfg = configparser.ConfigParser()
cfg.read(os.path.join(here, "run.ini"))
D, M, T = cfg["data"], cfg["model"], cfg["train"]
torch.manual_seed(T.getint("seed"))

path = os.path.join(here, D["file"])
train = DataLoader(Calls(path, "train"), D.getint("batch"), shuffle=True, collate_fn=collate)
dev = DataLoader(Calls(path, "dev"), 50, collate_fn=collate)

model = Reader(M.getint("bands"), M.getint("hidden"), M.getint("symbols"))
criterion = nn.CTCLoss(blank=0)
optimizer = torch.optim.Adam(model.parameters(), lr=T.getfloat("lr"))
total = T.getint("epochs") * len(train)
warm = T.getint("warmup_updates")
scheduler = torch.optim.lr_scheduler.LambdaLR(
    optimizer, lambda s: min((s + 1) / warm, max(0.02, 1 - (s - warm) / (total - warm))))


def evaluate():
    model.eval()
    wrong = symbols = 0
    loss = 0.0
    with torch.no_grad():
        for x, xlen, y, ylen in dev:
            logp = model(x, xlen)
            loss += criterion(logp.transpose(0, 1), y, xlen, ylen).item()
            for hyp, ref in zip(best_path(logp, xlen), y.split(ylen.tolist())):
                wrong += edit_distance(hyp, ref.tolist())
                symbols += len(ref)
    return loss / len(dev), wrong / symbols


for epoch in range(1, T.getint("epochs") + 1):
    model.train()
    acc, clipped = 0.0, 0
    for x, xlen, y, ylen in train:
        logp = model(x, xlen)
        loss = criterion(logp.transpose(0, 1), y, xlen, ylen)
        optimizer.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), T.getfloat("clip"))
        optimizer.step()
        scheduler.step()
        acc += loss.item()
        clipped += int(norm > T.getfloat("clip"))
    dl, ser = evaluate()
    print(f"[{epoch:02d}] ctc {acc / len(train):.3f}  dev {dl:.3f}  symbol error {100 * ser:5.1f}%  clipped {clipped}/{len(train)}")
