import torch


@torch.no_grad()
def token_accuracy(model, batch_iter):
    """Share of tokens whose tag is predicted correctly."""
    was_training = model.training
    model.eval()
    correct = 0
    total = 0
    for words, lengths, tags in batch_iter:
        pred = model(words, lengths).argmax(-1)
        correct += (pred == tags).sum().item()
        total += tags.numel()
    model.train(was_training)
    return correct / total
