import torch

from .data import BOS, EOS


@torch.no_grad()
def next_char_accuracy(model, batches):
    """Share of characters guessed right from everything to their left."""
    model.eval()
    good = total = 0
    for b in batches:
        guess = model(input_ids=b["input_ids"], attention_mask=b["attention_mask"]).logits[:, :-1].argmax(-1)
        real = b["input_ids"][:, 1:]
        keep = b["attention_mask"][:, 1:].bool()
        good += (guess == real)[keep].sum().item()
        total += keep.sum().item()
    return good / total


@torch.no_grad()
def complete(model, table, prefix, limit=40):
    model.eval()
    ids = table.encode(prefix)[:-1]
    for _ in range(limit):
        nxt = model(input_ids=torch.tensor([ids])).logits[0, -1].argmax().item()
        if nxt in (BOS, EOS):
            break
        ids.append(nxt)
    return table.decode(ids)
