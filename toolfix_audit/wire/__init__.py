"""Provider protocols, pure: bytes to events and back; imports the model only."""
