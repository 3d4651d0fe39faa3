import torch


@torch.no_grad()
def next_operation_accuracy(model, dataset, vocab):
    """Cut each order after every operation and ask for the one that follows."""
    model.eval()
    by_length = {}
    for order in dataset.orders:
        for cut in range(dataset.header, len(order)):
            by_length.setdefault(cut, []).append((order[:cut], order[cut]))
    hits = total = 0
    for pairs in by_length.values():
        ids = torch.tensor([p for p, _ in pairs])
        nxt = torch.tensor([n for _, n in pairs])
        logits = model(input_ids=ids, use_cache=False).logits[:, -1]
        hits += (logits.argmax(-1) == nxt).sum().item()
        total += len(pairs)
    return hits / total
