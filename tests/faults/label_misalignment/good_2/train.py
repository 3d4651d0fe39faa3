from __future__ import annotations

import logging
import sys
from dataclasses import dataclass

import torch
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="%(message)s")
log = logging.getLogger("train")


@dataclass
class TrainingArguments:
    num_train_epochs: int = 14
    per_device_train_batch_size: int = 16
    per_device_eval_batch_size: int = 64
    learning_rate: float = 0.01
    momentum: float = 0.9
    weight_decay: float = 2e-3
    max_grad_norm: float = 5.0
    logging_steps: int = 40
    seed: int = 11


class TumourClassifier(nn.Module):
    def __init__(self, n_features: int, hidden: int = 32):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_features, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())
        self.classifier = nn.Linear(hidden, 1)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        return self.classifier(self.body(features)).squeeze(-1)


class Trainer:
    def __init__(self, model, args, train_dataset, eval_dataset):
        self.model = model
        self.args = args
        self.train_loader = DataLoader(train_dataset, batch_size=args.per_device_train_batch_size, shuffle=True)
        self.eval_loader = DataLoader(eval_dataset, batch_size=args.per_device_eval_batch_size)
        self.loss_fn = nn.BCEWithLogitsLoss()
        self.optimizer = self.create_optimizer()
        self.global_step = 0

    def create_optimizer(self):
        decay = [p for n, p in self.model.named_parameters() if not n.endswith("bias")]
        no_decay = [p for n, p in self.model.named_parameters() if n.endswith("bias")]
        groups = [
            {"params": decay, "weight_decay": self.args.weight_decay},
            {"params": no_decay, "weight_decay": 0.0},
        ]
        return torch.optim.SGD(groups, lr=self.args.learning_rate, momentum=self.args.momentum)

    def compute_loss(self, batch):
        features, labels = batch
        outputs = self.model(features)
        return self.loss_fn(outputs, labels)

    def training_step(self, batch):
        self.model.train()
        loss = self.compute_loss(batch)
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), self.args.max_grad_norm)
        self.optimizer.step()
        self.global_step += 1
        return loss.detach()

    def train(self):
        for epoch in range(self.args.num_train_epochs):
            for batch in self.train_loader:
                loss = self.training_step(batch)
                if self.global_step % self.args.logging_steps == 0:
                    log.info("{'step': %d, 'loss': %.4f}", self.global_step, loss.item())
            metrics = self.evaluate()
            log.info("{'epoch': %d, 'eval_loss': %.4f, 'eval_accuracy': %.4f}", epoch + 1, *metrics)

    @torch.no_grad()
    def evaluate(self):
        self.model.eval()
        loss_sum, correct, total = 0.0, 0, 0
        for features, labels in self.eval_loader:
            outputs = self.model(features)
            loss_sum += self.loss_fn(outputs, labels).item() * len(labels)
            correct += ((outputs > 0).float() == labels).sum().item()
            total += len(labels)
        return loss_sum / total, correct / total


def load_datasets(seed):
    x, y = load_breast_cancer(return_X_y=True)
    x_train, x_test, y_train, y_test = train_test_split(x, y, test_size=0.3, random_state=seed, stratify=y)
    scaler = StandardScaler().fit(x_train)

    def wrap(a, b):
        return TensorDataset(torch.tensor(scaler.transform(a), dtype=torch.float32), torch.tensor(b, dtype=torch.float32))

    return wrap(x_train, y_train), wrap(x_test, y_test)


if __name__ == "__main__":
    args = TrainingArguments()
    torch.manual_seed(args.seed)
    train_dataset, eval_dataset = load_datasets(args.seed)
    trainer = Trainer(TumourClassifier(30), args, train_dataset, eval_dataset)
    trainer.train()
