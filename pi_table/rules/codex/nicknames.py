"""Nicknames for agents who do not bring their own: short, and the same in English and Italian."""

from typing import Final

NICKNAMES: Final = (
    *("Cobra", "Puma", "Panda", "Zebra", "Koala", "Gorilla", "Lama", "Iguana", "Condor"),
    *("Piranha", "Alpaca", "Chinchilla", "Delta", "Sigma", "Omega", "Kappa", "Zeta", "Theta"),
    *("Quasar", "Pulsar", "Nova", "Sirius", "Vega", "Altair", "Rigel", "Antares", "Atlas"),
    *("Nadir", "Radar", "Sonar", "Laser", "Turbo", "Robot", "Domino", "Tango", "Salsa"),
    *("Rumba", "Samba", "Polka", "Mambo", "Opera", "Tempo", "Bravo", "Fiasco", "Viola"),
    *("Ocarina", "Banjo", "Jolly", "Joker", "Poker", "Bingo", "Oasis", "Igloo", "Kayak"),
    *("Espresso", "Macchiato", "Cappuccino", "Gelato", "Pesto", "Risotto", "Polenta", "Kiwi"),
    *("Mango", "Papaya", "Paprika", "Wasabi", "Tofu", "Origami", "Karate", "Judo", "Sudoku"),
    *("Panorama", "Enigma", "Incognito", "Orchestra", "Extra", "Zero", "Mistral", "Tsunami"),
)
