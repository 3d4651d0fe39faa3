import tempfile
import time
from pathlib import Path

import torch
import torch.nn.functional as F
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset

from model import Scorer
from telemetry import Recorder

EPOCHS, BATCH, LR = 25, 32, 1e-3


def datasets():
    x, y = load_breast_cancer(return_X_y=True)
    xt, xv, yt, yv = train_test_split(x, y, test_size=0.25, stratify=y, random_state=9)
    mu, sd = xt.mean(0), xt.std(0)
    pack = lambda a, b: TensorDataset(torch.tensor((a - mu) / sd, dtype=torch.float32), torch.tensor(b, dtype=torch.float32))
    return pack(xt, yt), pack(xv, yv)


def main():
    torch.manual_seed(9)
    train, val = datasets()
    loader = DataLoader(train, batch_size=BATCH, shuffle=True)
    model = Scorer(train.tensors[0].shape[1])
    opt = torch.optim.AdamW(model.parameters(), lr=LR, weight_decay=0.02)
    recorder = Recorder(Path(tempfile.mkdtemp(prefix="scorer_")) / "metrics.jsonl")
    step = 0
    for epoch in range(EPOCHS):
        model.train()
        began, total = time.perf_counter(), 0.0
        for xb, yb in loader:
            loss = F.binary_cross_entropy_with_logits(model(xb), yb)
            opt.zero_grad()
            loss.backward()
            opt.step()
            recorder.log(step, model, loss=loss.item(), lr=opt.param_groups[0]["lr"])
            total += loss.item()
            step += 1
        rate = len(loader) / (time.perf_counter() - began)
        model.eval()
        with torch.no_grad():
            score = model(val.tensors[0])
        print(f"epoch {epoch:2d} loss {total / len(loader):.4f} val auc {roc_auc_score(val.tensors[1], score):.4f} {rate:.0f} steps/s")
    recorder.close()


if __name__ == "__main__":
    main()
