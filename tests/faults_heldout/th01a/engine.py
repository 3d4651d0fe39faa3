import torch
from torch import nn

criterion = nn.CrossEntropyLoss()


def run_phase(model, loader, size, optimizer=None):
    """One pass over a split. Trains when an optimizer is given. Returns (loss, accuracy)."""
    training = optimizer is not None
    model.train(training)
    running_loss, running_corrects = 0.0, 0
    with torch.set_grad_enabled(training):
        for x, y in loader:
            logits = model(x)
            loss = criterion(logits, y)
            if training:
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            running_loss += loss.item() * x.size(0)
            running_corrects += (logits.argmax(1) == y).sum().item()
    return running_loss / size, running_corrects / size
