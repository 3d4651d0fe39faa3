from pathlib import Path

from surrogate.core import Trainer, load_spec

if __name__ == "__main__":
    spec = load_spec(Path(__file__).parent / "arm.json")
    trainer = Trainer(spec)
    trainer.fit()
    rmse, baseline = trainer.rmse()
    print(f"val rmse {rmse:.4f} m, predicting the mean {baseline:.4f} m")
