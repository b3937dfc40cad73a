"""What stands around the engine: the ledger, the door, the api, the feeds and the commands."""
