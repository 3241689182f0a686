"""The engine as a process, and its helper processes."""
