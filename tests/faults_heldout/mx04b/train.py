"""Next-operation model for shop-floor routings (Hugging Face Trainer)."""
import argparse

import yaml
from transformers import Trainer, TrainingArguments, set_seed

from routing.collator import RoutingCollator
from routing.dataset import RoutingDataset
from routing.evaluation import next_operation_accuracy
from routing.modeling import build_model
from routing.reporting import LogToStdout
from routing.vocab import Vocab


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--config", default="config/training.yaml")
    ap.add_argument("--seed", type=int, default=None)
    cli = ap.parse_args()

    with open(cli.config) as f:
        cfg = yaml.safe_load(f)
    seed = cfg["seed"] if cli.seed is None else cli.seed
    set_seed(seed)

    vocab = Vocab.load(cfg["data"]["vocab"])
    train_set = RoutingDataset(cfg["data"]["train"], vocab)
    eval_set = RoutingDataset(cfg["data"]["eval"], vocab)
    model = build_model(cfg["model_config"], vocab)

    t = cfg["trainer"]
    args = TrainingArguments(
        output_dir=cfg["output_dir"],
        num_train_epochs=t["epochs"],
        per_device_train_batch_size=t["batch_size"],
        per_device_eval_batch_size=128,
        learning_rate=t["learning_rate"],
        warmup_steps=t["warmup_steps"],
        weight_decay=t["weight_decay"],
        lr_scheduler_type="linear",
        eval_strategy="epoch",
        logging_strategy="epoch",
        save_strategy="no",
        report_to=[],
        disable_tqdm=True,
        use_cpu=True,
        seed=seed,
    )
    trainer = Trainer(
        model=model,
        args=args,
        train_dataset=train_set,
        eval_dataset=eval_set,
        data_collator=RoutingCollator(vocab.pad_id),
        callbacks=[LogToStdout()],
    )
    trainer.train()

    acc = next_operation_accuracy(model, eval_set, vocab)
    print(f"next operation from a started order: accuracy {acc:.3f}")


if __name__ == "__main__":
    main()
