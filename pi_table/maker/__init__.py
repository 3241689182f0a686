"""The maker's commands: what works (`doctor`), how pads feel (`calibrate`), firmware (`flash`)."""
