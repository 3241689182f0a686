#include "lights.h"

#include <string.h>

#include "crc.h"
#include "curve.h"
#include "flash.h"

static const uint8_t curve[256] IN_FLASH = CURVE;

static const struct colour dark = {0, 0, 0};

/* The own pattern: every other cell has this colour, the others are dark. No game looks like it. */
static const struct colour own_colour = {OWN_COLOUR >> 16, OWN_COLOUR >> 8 & 0xFF, OWN_COLOUR & 0xFF};

uint16_t lights_count(void)
{
    return LED_COUNT;
}

void lights_start(struct lights *lights)
{
    memset(lights, 0, sizeof *lights);
    lights->own = true;
    lights->changed = true;
    lights->missing = (UINT32_C(1) << PLACE_COUNT) - 1;
}

void lights_order(struct lights *lights, uint32_t places, bool more)
{
    lights->missing &= ~places;
    lights->half = more;
    if (!more && lights->missing == 0)
        lights->changed = true;
}

void lights_silence(struct lights *lights, bool silent)
{
    lights->silent = silent;
}

void lights_again(struct lights *lights)
{
    lights->changed = true;
}

static bool own_is_due(const struct lights *lights)
{
    return lights->silent || lights->missing != 0;
}

bool lights_waiting(const struct lights *lights)
{
    bool own = own_is_due(lights);
    return (lights->changed || lights->own != own) && (own || !lights->half);
}

/* Return the pulses of a colour. If all of them would be 0 though the colour is not black, its
 * strongest channels get the minimum. So a dim light still glows, in nearly its own hue. */
static struct colour driven(struct colour colour)
{
    struct colour pulse = {flash_byte(&curve[colour.red]), flash_byte(&curve[colour.green]),
                           flash_byte(&curve[colour.blue])};
    if (pulse.red | pulse.green | pulse.blue)
        return pulse;
    uint8_t most = colour.red > colour.green ? colour.red : colour.green;
    most = most > colour.blue ? most : colour.blue;
    pulse.red = most > 0 && colour.red == most;
    pulse.green = most > 0 && colour.green == most;
    pulse.blue = most > 0 && colour.blue == most;
    return pulse;
}

struct colour lights_pulse(const struct lights *lights, uint8_t led)
{
    if (!lights->own)
        return driven(lights->ordered[led]);
    uint8_t place = led / LEDS_OF_CELL;
    return driven(place < CELL_COUNT && place % 2 == 0 ? own_colour : dark);
}

static uint16_t check_of(const struct colour colours[LED_COUNT])
{
    const uint8_t *bytes = (const uint8_t *)colours;
    uint16_t crc = CRC_16_START;
    for (uint16_t at = 0; at < LED_COUNT * sizeof *colours; at++)
        crc = crc_16_add(crc, bytes[at]);
    return crc;
}

bool lights_step(struct lights *lights, struct port *port, uint16_t most_ma)
{
    if (!lights_waiting(lights) || !port_lights_ready(port))
        return false;
    lights->own = own_is_due(lights);
    lights->changed = false;
    lights_send(lights, port, most_ma);
    lights->check = check_of(lights->ordered);
    return true;
}
