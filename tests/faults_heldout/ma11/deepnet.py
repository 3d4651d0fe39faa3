import argparse
import time

import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset

ACTIVATIONS = {"relu": nn.ReLU, "gelu": nn.GELU, "tanh": nn.Tanh, "sigmoid": nn.Sigmoid}


def get_args():
    parser = argparse.ArgumentParser(description="handwritten digits, plain deep network")
    parser.add_argument("--depth", type=int, default=12, help="hidden layers")
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--activation", choices=sorted(ACTIVATIONS), default="sigmoid")
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


def make_loaders(args):
    X, y = load_digits(return_X_y=True)
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.25, stratify=y, random_state=args.seed)
    mean, std = X_train.mean(), X_train.std()
    to_set = lambda a, b: TensorDataset(torch.tensor((a - mean) / std, dtype=torch.float32), torch.tensor(b))
    return (DataLoader(to_set(X_train, y_train), batch_size=args.batch, shuffle=True),
            DataLoader(to_set(X_test, y_test), batch_size=500))


def make_model(args, n_in=64, n_out=10):
    act = ACTIVATIONS[args.activation]
    layers = [nn.Linear(n_in, args.width), act()]
    for _ in range(args.depth - 1):
        layers += [nn.Linear(args.width, args.width), act()]
    layers.append(nn.Linear(args.width, n_out))
    model = nn.Sequential(*layers)
    for m in model:
        if isinstance(m, nn.Linear):
            gain = "relu" if args.activation in ("relu", "gelu") else args.activation
            nn.init.xavier_normal_(m.weight, nn.init.calculate_gain(gain))
            nn.init.zeros_(m.bias)
    return model


def epoch_pass(model, loader, criterion, optimizer=None):
    training = optimizer is not None
    model.train(training)
    loss_sum = correct = count = 0
    with torch.set_grad_enabled(training):
        for xb, yb in loader:
            logits = model(xb)
            loss = criterion(logits, yb)
            if training:
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            loss_sum += loss.item() * len(yb)
            correct += (logits.argmax(1) == yb).sum().item()
            count += len(yb)
    return loss_sum / count, correct / count


def main():
    args = get_args()
    torch.manual_seed(args.seed)
    train_loader, test_loader = make_loaders(args)
    model = make_model(args)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=0.02)
    criterion = nn.CrossEntropyLoss()
    start = time.time()
    for epoch in range(args.epochs):
        tr_loss, tr_acc = epoch_pass(model, train_loader, criterion, optimizer)
        te_loss, te_acc = epoch_pass(model, test_loader, criterion)
        print(f"Epoch {epoch + 1:02d}/{args.epochs}  loss {tr_loss:.3f}/{te_loss:.3f}  acc {tr_acc:.3f}/{te_acc:.3f}  "
              f"{time.time() - start:.1f}s")


if __name__ == "__main__":
    main()
