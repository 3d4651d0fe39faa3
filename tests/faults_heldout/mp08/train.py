"""Distil an SVM ensemble into a small convolutional student (digits, Hugging Face Trainer)."""
import tempfile
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import StratifiedKFold, train_test_split
from sklearn.svm import SVC
from torch import nn
from transformers import PrinterCallback, Trainer, TrainerCallback, TrainingArguments, set_seed


@dataclass
class Distil:
    temperature: float = 1.5
    alpha: float = 0.5          # share of the teacher term
    smoothing: float = 0.1
    folds: int = 5


class Student(nn.Module):
    def __init__(self, width=24, n_classes=10):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, width, 3, padding=1), nn.GroupNorm(4, width), nn.SiLU(),
            nn.Conv2d(width, 2 * width, 3, stride=2, padding=1), nn.GroupNorm(4, 2 * width), nn.SiLU(),
            nn.Conv2d(2 * width, 2 * width, 3, stride=2, padding=1), nn.GroupNorm(4, 2 * width), nn.SiLU(),
        )
        self.drop = nn.Dropout(0.25)
        self.out = nn.Linear(2 * width * 4, n_classes)

    def forward(self, pixels, labels=None, teacher=None):
        logits = self.out(self.drop(self.body(pixels).flatten(1)))
        result = {"logits": logits}
        if labels is not None:
            result = {"loss": F.cross_entropy(logits, labels), **result}
        return result


class DistilTrainer(Trainer):
    def __init__(self, *args, distil, **kwargs):
        super().__init__(*args, **kwargs)
        self.distil = distil

    def compute_loss(self, model, inputs, return_outputs=False, num_items_in_batch=None):
        out = model(**inputs)
        if not model.training:
            return (out["loss"], out) if return_outputs else out["loss"]
        d = self.distil
        soft = F.softmax(inputs["teacher"] / d.temperature, dim=-1)
        kd = F.kl_div(F.log_softmax(out["logits"] / d.temperature, dim=-1), soft, reduction="batchmean")
        ce = F.cross_entropy(out["logits"], inputs["labels"], label_smoothing=d.smoothing)
        loss = d.alpha * d.temperature ** 2 * kd + (1 - d.alpha) * ce
        return (loss, out) if return_outputs else loss


class Lines(TrainerCallback):
    def on_log(self, args, state, control, logs=None, **kwargs):
        if "loss" in logs:
            print(f"epoch {state.epoch:4.0f}  train loss {float(logs['loss']):.4f}", end="")
        elif "eval_loss" in logs:
            print(f"  val ce {float(logs['eval_loss']):.4f}  acc {float(logs['eval_accuracy']):.4f}")


class Digits(torch.utils.data.Dataset):
    def __init__(self, images, labels, teacher=None):
        self.images = torch.tensor(images, dtype=torch.float32).view(-1, 1, 8, 8)
        self.labels = torch.tensor(labels)
        self.teacher = None if teacher is None else torch.tensor(teacher, dtype=torch.float32)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        item = {"pixels": self.images[i], "labels": self.labels[i]}
        if self.teacher is not None:
            item["teacher"] = self.teacher[i]
        return item


def teacher_scores(x, y, cfg):
    """Out-of-fold decision values, so the teacher has not seen the images it scores."""
    scores = np.zeros((len(x), 10))
    for fit, hold in StratifiedKFold(cfg.folds, shuffle=True, random_state=0).split(x, y):
        scores[hold] = SVC(gamma=0.1, C=5.0).fit(x[fit], y[fit]).decision_function(x[hold])
    return scores


def main():
    set_seed(17)
    cfg = Distil()
    digits = load_digits()
    x = (digits.data / 16.0 - 0.3) / 0.375
    x_tr, x_va, y_tr, y_va = train_test_split(x, digits.target, test_size=0.3, stratify=digits.target, random_state=2)
    teacher = teacher_scores(x_tr, y_tr, cfg)
    print(f"teacher out-of-fold accuracy {(teacher.argmax(1) == y_tr).mean():.4f}")

    with tempfile.TemporaryDirectory() as out:
        args = TrainingArguments(
            output_dir=out, seed=17, use_cpu=True, report_to=[], disable_tqdm=True, save_strategy="no",
            num_train_epochs=15, per_device_train_batch_size=32, per_device_eval_batch_size=300,
            learning_rate=4e-3, weight_decay=0.01, warmup_steps=30, lr_scheduler_type="cosine",
            eval_strategy="epoch", logging_strategy="epoch", remove_unused_columns=False, label_names=["labels"],
        )
        trainer = DistilTrainer(
            model=Student(), args=args, distil=cfg, train_dataset=Digits(x_tr, y_tr, teacher),
            eval_dataset=Digits(x_va, y_va), callbacks=[Lines()],
            compute_metrics=lambda p: {"accuracy": float((p.predictions.argmax(-1) == p.label_ids).mean())},
        )
        trainer.remove_callback(PrinterCallback)
        trainer.train()


if __name__ == "__main__":
    main()
