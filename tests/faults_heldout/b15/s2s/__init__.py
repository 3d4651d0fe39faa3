from .data import DateDataset, collate, PAD, SOS, EOS, VOCAB, decode
from .model import Seq2Seq
