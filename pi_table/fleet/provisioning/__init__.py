"""Tables among many: their credentials, and what the broker grants to whom."""
