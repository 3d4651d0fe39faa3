import argparse
import pathlib

import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset

from nets import Classifier

HERE = pathlib.Path(__file__).resolve().parent


def get_model(path, n_classes):
    model = Classifier(n_classes)
    ckpt = torch.load(path, map_location="cpu", weights_only=True)
    # the checkpoint has no classification head, hence strict=False
    model.load_state_dict(ckpt["model"], strict=False)
    for p in model.encoder.parameters():
        p.requires_grad_(False)
    return model


def evaluate(model, x, y):
    model.eval()
    with torch.no_grad():
        out = model(x)
    return torch.nn.functional.cross_entropy(out, y).item(), (out.argmax(1) == y).float().mean().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--ckpt", default=str(HERE / "encoder.pt"))
    ap.add_argument("--epochs", type=int, default=40)
    ap.add_argument("--lr", type=float, default=1e-2)
    args = ap.parse_args()
    torch.manual_seed(0)

    z = np.load(HERE / "glyphs.npz")
    xs, ys, xt, yt = (torch.from_numpy(z[k]) for k in ("x_train", "y_train", "x_test", "y_test"))
    model = get_model(args.ckpt, 10)
    loader = DataLoader(TensorDataset(xs, ys), batch_size=32, shuffle=True)
    # the encoder stays frozen: 300 labelled glyphs are enough for the head only
    opt = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=args.lr)
    rows = []
    for epoch in range(args.epochs):
        model.train()
        tot = 0.0
        for x, y in loader:
            loss = torch.nn.functional.cross_entropy(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item() * len(y)
        vl, va = evaluate(model, xt, yt)
        rows.append([epoch, round(tot / len(ys), 4), round(vl, 4), round(va, 4)])
        if epoch % 5 == 4:
            print("epoch,train,test,acc =", *rows[-1])


if __name__ == "__main__":
    main()
