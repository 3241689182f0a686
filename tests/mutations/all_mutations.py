"""All mutations, area by area."""

from typing import Final

from mutation import Mutation
from of_many_tables import OF_MANY_TABLES
from of_outsiders import OF_OUTSIDERS
from of_service import OF_SERVICE
from of_the_defences import OF_THE_DEFENCES
from of_the_firmware import OF_THE_FIRMWARE
from of_the_hardware import OF_THE_HARDWARE
from of_the_image import OF_THE_IMAGE
from of_the_phones import OF_THE_PHONES
from of_the_rules import OF_THE_RULES
from of_the_screens import OF_THE_SCREENS
from of_the_sound import OF_THE_SOUND
from of_the_table import OF_THE_TABLE
from of_what_is_kept import OF_WHAT_IS_KEPT

MUTATIONS: Final[list[Mutation]] = [
    *OF_THE_RULES,
    *OF_WHAT_IS_KEPT,
    *OF_THE_TABLE,
    *OF_THE_PHONES,
    *OF_THE_DEFENCES,
    *OF_THE_SCREENS,
    *OF_SERVICE,
    *OF_MANY_TABLES,
    *OF_THE_IMAGE,
    *OF_THE_FIRMWARE,
    *OF_THE_SOUND,
    *OF_THE_HARDWARE,
    *OF_OUTSIDERS,
]
