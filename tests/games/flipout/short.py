"""How a match of random moves gets on: by chance alone hardly any set is ever scored."""

SENSE = 0.8
