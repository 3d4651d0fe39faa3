from .stream import TicketStream, collate
from .text import Hasher
from .classifier import BagClassifier
