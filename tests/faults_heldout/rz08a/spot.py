"""Keyword spotting for a new command set on top of the speech encoder."""
import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from encoder import ClipEncoder

SEED, EPOCHS, BATCH = 5, 40, 12
LR_ENCODER, LR_HEAD = 5e-5, 5e-3


class Spotter(nn.Module):
    def __init__(self, words):
        super().__init__()
        self.encoder = ClipEncoder()
        self.head = nn.Linear(self.encoder.width, words)

    def forward(self, mel):
        return self.head(self.encoder(mel))


def warm_start(model, path):
    state = torch.load(path, map_location="cpu", weights_only=True)
    model.encoder.load_state_dict(state["encoder"], strict=False)
    return state["epoch"]


def clips(path):
    z = np.load(path)
    mel = torch.from_numpy(z["mel"]).float() / 20.0
    word = torch.from_numpy(z["word"]).long()
    order = torch.randperm(len(mel), generator=torch.Generator().manual_seed(SEED))
    fit, check = order[:96], order[96:]
    return mel[fit], word[fit], mel[check], word[check]


@torch.no_grad()
def check(model, mel, word):
    model.eval()
    z = model(mel)
    model.train()
    return F.cross_entropy(z, word).item(), (z.argmax(1) == word).float().mean().item()


def main():
    torch.manual_seed(SEED)
    mel, word, mel_v, word_v = clips("keywords.npz")
    model = Spotter(int(word.max()) + 1)
    epoch0 = warm_start(model, "encoder.pt")
    print(f"encoder from epoch {epoch0}, {len(mel)} clips to train on")
    opt = torch.optim.AdamW([
        {"params": model.encoder.parameters(), "lr": LR_ENCODER},
        {"params": model.head.parameters(), "lr": LR_HEAD},
    ], weight_decay=1e-2)

    for epoch in range(EPOCHS):
        running = []
        for idx in torch.randperm(len(mel)).split(BATCH):
            batch = mel[idx] + 0.1 * torch.randn_like(mel[idx])
            loss = F.cross_entropy(model(batch), word[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            running.append(loss.item())
        if epoch % 8 == 7:
            vl, va = check(model, mel_v, word_v)
            print(f"{epoch + 1:3d}  loss {np.mean(running):.4f}  val {vl:.4f}  acc {va:.3f}")


if __name__ == "__main__":
    main()
