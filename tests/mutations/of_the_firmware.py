"""Mistakes in the controller's firmware, for the tests in C and those of the running core."""

from mutation import Mutation

CORE = "firmware/core"

OF_THE_FIRMWARE = [
    Mutation(
        "a frame with a wrong checksum is taken",
        f"{CORE}/frame.c",
        "count > CRC_BYTES &&\n                  decoder->crc == CRC_OF_INTACT;",
        "count > CRC_BYTES;",
        ("make:run/test_frame",),
    ),
    Mutation(
        "a frame may end in the middle of a run",
        f"{CORE}/frame.c",
        "decoder->stage != BROKEN && decoder->run == 0 && count",
        "decoder->stage != BROKEN && count",
        ("make:run/test_frame",),
    ),
    Mutation(
        "a frame that is too long is written beyond its room",
        f"{CORE}/frame.c",
        "    if (decoder->count == decoder->room) {\n",
        "    if (decoder->count > decoder->room) {\n",
        ("make:run/test_frame",),
    ),
    Mutation(
        "a dropped frame is not counted",
        f"{CORE}/frame.c",
        "        decoder->dropped++;\n",
        "        decoder->dropped += 0;\n",
        ("make:run/test_frame",),
    ),
    Mutation(
        "of two kept settings the older one is used",
        f"{CORE}/kept.c",
        "(uint8_t)(bytes[0] - kept->generation) >= 0x7F)",
        "(uint8_t)(bytes[0] - kept->generation) < 0x7F)",
        ("make:run/test_kept",),
    ),
    Mutation(
        "a start has the number of the start before",
        f"{CORE}/kept.c",
        "    kept->boot_id = last == 0xFFFF ? 1 : (uint16_t)(last + 1);\n",
        "    kept->boot_id = last == 0 ? 1 : last;\n",
        ("make:run/test_kept",),
    ),
    Mutation(
        "settings are written over those that are in use",
        f"{CORE}/kept.c",
        "            kept->slot = (uint8_t)(1 - slot);\n",
        "            kept->slot = slot;\n",
        ("make:run/test_kept",),
    ),
    Mutation(
        "the lights draw what they like",
        f"{CORE}/lights.c",
        "        scale(colours, sum, most);\n",
        "        (void)scale;\n",
        ("make:run/test_lights",),
    ),
    Mutation(
        "the lights stay as they were when nobody speaks",
        f"{CORE}/lights.c",
        "    return lights->silent || !lights->any;\n",
        "    return !lights->any;\n",
        ("make:run/test_lights",),
    ),
    Mutation(
        "water is four places and no fewer",
        f"{CORE}/touch.c",
        "#define WATER_PLACES 3 ",
        "#define WATER_PLACES 4 ",
        ("make:run/test_touch", "make:run/test_touch_faults"),
    ),
    Mutation(
        "a glass is felt for ever",
        f"{CORE}/touch.c",
        "        touch->masked[i] |= bit;\n",
        "        touch->masked[i] |= 0;\n",
        ("make:run/test_touch",),
    ),
    Mutation(
        "a chip that does not answer feels nothing, and says so to nobody",
        f"{CORE}/touch.c",
        "chip->out_of_range | touch->masked[i] : MPR121_CHANNELS);",
        "chip->out_of_range | touch->masked[i] : 0);",
        ("make:run/test_touch_faults", "make:run/test_touch"),
    ),
    Mutation(
        "a touch is told after the next whole period",
        f"{CORE}/controller.c",
        "    if (is.touched != last->touched || is.heavy",
        "    if (is.heavy",
        ("make:run/test_reports", "make:run/test_controller"),
    ),
    Mutation(
        "states come no more often while a place is touched",
        f"{CORE}/controller.c",
        "felt.touched ? STATE_TOUCHED_MS : STATE_PERIOD_MS;",
        "felt.touched ? STATE_PERIOD_MS : STATE_PERIOD_MS;",
        ("make:run/test_reports", "make:run/test_controller"),
    ),
    Mutation(
        "settings out of range are used",
        f"{CORE}/controller.c",
        "    if (!again && settings_in_range(&wanted)) {\n",
        "    if (!again) {\n",
        ("make:run/test_controller", "make:run/test_settings"),
    ),
]
