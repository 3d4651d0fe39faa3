from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from model import Encoder, StateClassifier

HERE = Path(__file__).parent
STATES = 7


def pretrained_encoder(path):
    enc = Encoder()
    blob = torch.load(path, map_location="cpu")
    # the file also holds the projection used for pre-training, which is not needed here
    enc.load_state_dict(blob["state_dict"], strict=False)
    return enc


def param_groups(model, lr_head, lr_encoder):
    return [
        {"params": model.head.parameters(), "lr": lr_head},
        {"params": model.encoder.parameters(), "lr": lr_encoder},
    ]


def test_scores(model, x, y):
    model.eval()
    with torch.no_grad():
        out = model(x)
    return F.cross_entropy(out, y).item(), (out.argmax(1) == y).float().mean().item()


def main():
    torch.manual_seed(3)
    z = np.load(HERE / "bench.npz")
    x, y = torch.from_numpy(z["x_train"]), torch.from_numpy(z["y_train"])
    xt, yt = torch.from_numpy(z["x_test"]), torch.from_numpy(z["y_test"])

    model = StateClassifier(pretrained_encoder(HERE / "weights" / "vib_encoder.pt"), STATES)
    opt = torch.optim.AdamW(param_groups(model, 3e-3, 3e-5), weight_decay=0.01)
    bs, epochs = 28, 25
    for ep in range(epochs):
        model.train()
        order, tot = torch.randperm(len(x)), 0.0
        for k in range(0, len(x), bs):
            i = order[k:k + bs]
            loss = F.cross_entropy(model(x[i]), y[i])
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item() * len(i)
        if ep % 4 == 3 or ep == epochs - 1:
            tl, ta = test_scores(model, xt, yt)
            print(f"{ep + 1:3d}: train {tot / len(x):.3f}  test {tl:.3f}  accuracy {ta:.3f}")


main()
