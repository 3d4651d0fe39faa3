import torch
from sklearn.metrics import f1_score
from torch.nn import functional as F


def batches(n, size, generator=None):
    order = torch.arange(n) if generator is None else torch.randperm(n, generator=generator)
    return order.split(size)


def train_one(model, optimizer, data, size, generator, clip):
    model.train()
    total = 0.0
    for pick in batches(len(data), size, generator):
        tokens, lengths, labels = data.take(pick)
        loss = F.cross_entropy(model(tokens, lengths), labels)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
        optimizer.step()
        total += loss.item() * len(pick)
    return total / len(data)


@torch.no_grad()
def evaluate(model, data, size=256):
    model.eval()
    total, guess, truth = 0.0, [], []
    for pick in batches(len(data), size):
        tokens, lengths, labels = data.take(pick)
        logits = model(tokens, lengths)
        total += F.cross_entropy(logits, labels, reduction="sum").item()
        guess.append(logits.argmax(1))
        truth.append(labels)
    guess, truth = torch.cat(guess), torch.cat(truth)
    return {"loss": total / len(data),
            "accuracy": (guess == truth).float().mean().item(),
            "f1": float(f1_score(truth.numpy(), guess.numpy(), average="macro", zero_division=0))}


def fit(model, optimizer, train, valid, cfg, stopper, keeper):
    generator = torch.Generator().manual_seed(cfg["seed"])
    for epoch in range(1, cfg["max_epochs"] + 1):
        logs = {"train_loss": train_one(model, optimizer, train, cfg["batch_size"], generator, cfg["clip"])}
        logs.update({f"valid_{k}": v for k, v in evaluate(model, valid).items()})
        print(f"epoch {epoch:3d}  " + "  ".join(f"{k} {v:.4f}" for k, v in logs.items()))
        if stopper.update(logs):
            keeper.keep(model, epoch)
        if stopper.should_stop:
            print(f"stopped after epoch {epoch}, {stopper.monitor} has not moved for {stopper.patience} epochs")
            break
    keeper.restore(model)
    return keeper.epoch
