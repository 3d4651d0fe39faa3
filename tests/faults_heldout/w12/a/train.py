import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

from src.corpus import split, vocabulary
from src.model import Tagger

EPOCHS, BATCH, LR = 6, 32, 0.3
TAGS = ["O", "PER", "LOC", "ORG"]


def masked_loss(logits, tokens, tags, pad):
    keep = tokens != pad
    return F.cross_entropy(logits[keep], tags[keep])


@torch.no_grad()
def f1(model, tokens, tags, length):
    """Micro F1 over the entity tags, inside the sentences."""
    model.eval()
    inside = torch.arange(tokens.shape[1]) < length[:, None]
    pred, gold = model(tokens).argmax(-1)[inside], tags[inside]
    tp = ((pred == gold) & (gold > 0)).sum().item()
    return 2 * tp / max(1, (pred > 0).sum().item() + (gold > 0).sum().item())


def main():
    torch.manual_seed(2)
    vocab = vocabulary()
    pad = vocab["<pad>"]
    train, dev = split("train"), split("dev")
    model = Tagger(len(vocab), len(TAGS), pad=pad)
    opt = torch.optim.SGD(model.parameters(), lr=LR, momentum=0.9)
    loader = DataLoader(TensorDataset(*train[:2]), batch_size=BATCH, shuffle=True)
    for ep in range(EPOCHS):
        model.train()
        tot = 0.0
        for tok, tag in loader:
            loss = masked_loss(model(tok), tok, tag, pad)
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            tot += loss.item()
        print(f"epoch {ep + 1}/{EPOCHS}  loss {tot / len(loader):.4f}  dev F1 {f1(model, *dev):.4f}")


if __name__ == "__main__":
    main()
