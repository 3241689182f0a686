"""What every part may use: configuration, languages, files, errors."""
