"""What is shown of what stands: lights, sounds, messages, the hidden screen."""
