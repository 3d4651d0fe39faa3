"""New glyph classes on top of the backbone that was trained on the first five."""
import json

import numpy as np
import torch
import torch.nn.functional as F

from model import GlyphNet


def freeze(model, names):
    for name in names:
        module = getattr(model, name)
        for p in module.parameters():
            p.requires_grad_(False)
        module.eval()


def main():
    with open("finetune.json") as f:
        cfg = json.load(f)
    torch.manual_seed(cfg["seed"])

    data = np.load(cfg["data"])
    x = torch.from_numpy(data["x"]).float().div(16).unsqueeze(1)
    y = torch.from_numpy(data["y"]).long()
    order = torch.randperm(len(x))
    train, val = order[: cfg["n_train"]], order[cfg["n_train"]:]

    model = GlyphNet(int(y.max()) + 1, cfg["neck_dim"])
    state = torch.load(cfg["backbone"], weights_only=True)
    missing, unexpected = model.load_state_dict(state, strict=False)
    assert not unexpected, unexpected
    print("from the checkpoint:", len(state), "tensors; new:", ", ".join(missing))
    freeze(model, cfg["freeze"])

    params = [p for p in model.parameters() if p.requires_grad]
    opt = torch.optim.Adam(params, lr=cfg["lr"])
    print(f"{sum(p.numel() for p in params)} of {sum(p.numel() for p in model.parameters())} weights train")

    for epoch in range(1, cfg["epochs"] + 1):
        losses = []
        for b in train[torch.randperm(len(train))].split(cfg["batch_size"]):
            loss = F.cross_entropy(model(x[b]), y[b])
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        if epoch % 5 == 0:
            with torch.no_grad():
                acc = (model(x[val]).argmax(1) == y[val]).float().mean().item()
            print(f"epoch {epoch:3d}  loss {np.mean(losses):.4f}  val acc {acc:.3f}")


if __name__ == "__main__":
    main()
