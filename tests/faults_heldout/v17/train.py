from pathlib import Path

import torch
import torch.nn.functional as F

from lm.model import CharModel

CONTEXT, BATCH, STEPS = 32, 32, 400


def load_text():
    text = Path(__file__).with_name("orders.txt").read_text()
    chars = sorted(set(text))
    ids = torch.tensor([chars.index(c) for c in text])
    cut = int(0.9 * len(ids))
    return ids[:cut], ids[cut:], len(chars)


def get_batch(ids, n=BATCH):
    start = torch.randint(0, len(ids) - CONTEXT - 1, (n,))
    window = torch.stack([ids[s:s + CONTEXT + 1] for s in start])
    return window[:, :-1], window[:, 1:]


@torch.no_grad()
def evaluate(model, ids):
    """Held-out loss over windows, and accuracy of the next character given only a prefix, as in sampling."""
    model.eval()
    x, y = get_batch(ids, 256)
    loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten()).item()
    acc = (model(x)[:, -1].argmax(-1) == y[:, -1]).float().mean().item()
    model.train()
    return loss, acc


def main():
    torch.manual_seed(17)
    train, val, vocab = load_text()
    model = CharModel(vocab, context=CONTEXT)
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.01)
    for step in range(1, STEPS + 1):
        x, y = get_batch(train)
        logits = model(x)
        loss = F.cross_entropy(logits.flatten(0, 1), y.flatten())
        opt.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        if step % 50 == 0:
            val_loss, next_acc = evaluate(model, val)
            print(f"step {step} train {loss.item():.4f} val {val_loss:.4f} next-char accuracy {next_acc:.3f}")


if __name__ == "__main__":
    main()
