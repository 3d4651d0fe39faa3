from .batching import bucket_batches, collate, plain_batches
from .encoder import TextEncoder
from .vocab import Vocabulary
