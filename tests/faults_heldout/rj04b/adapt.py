"""Carry the meter-digit reader over to the pictures of the new camera."""
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

from scannet import Reader

EPOCHS = 10
LR = 1e-3


def pictures(path):
    d = torch.load(path)
    return d["image"].float().unsqueeze(1) / 16.0, d["digit"].long()


def evaluate(model, image, digit):
    model.eval()
    with torch.no_grad():
        logits = model(image)
    model.train()
    return F.cross_entropy(logits, digit).item(), (logits.argmax(1) == digit).float().mean().item()


def run():
    torch.manual_seed(808)
    x, y = pictures("camera_fit.pt")
    xt, yt = pictures("camera_test.pt")
    loader = DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True)

    model = Reader()
    optimizer = torch.optim.AdamW(model.parameters(), lr=LR, weight_decay=0.01)

    # go on where the reader of the old camera stopped
    state = torch.load("reader.pt")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    print("from epoch", state["epoch"], "| test loss %.3f acc %.3f" % evaluate(model, xt, yt))

    for epoch in range(EPOCHS):
        total = 0.0
        for image, digit in loader:
            loss = F.cross_entropy(model(image), digit)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        print("epoch %2d | fit loss %.3f" % (epoch + 1, total / len(loader)),
              "| test loss %.3f acc %.3f" % evaluate(model, xt, yt))


run()
