#include "lights.h"

#include <string.h>

#include "crc.h"
#include "curve.h"
#include "flash.h"
#include "wiring.h"

/* A WS2812B, by its data sheet: 20 mA for each of three colours at full brightness, proportional to
 * the pulse; and the current of its own logic. */
#define CHANNEL_MA 20u
#define IDLE_MA 1u

typedef char check_every_led_is_wired[WIRING_LIGHT_COUNT == LED_COUNT ? 1 : -1];

static const uint8_t curve[256] IN_FLASH = CURVE;
static const uint8_t led_of_light[WIRING_LIGHT_COUNT] IN_FLASH = WIRING_LIGHTS;

static const struct colour dark = {0, 0, 0};

/* The own pattern: every other cell has this colour, the others are dark. No game looks like it. */
static const struct colour own_colour = {OWN_COLOUR >> 16, OWN_COLOUR >> 8 & 0xFF, OWN_COLOUR & 0xFF};

/* How a frame's pulses are shortened to keep the current limit. */
struct measure {
    bool starving; /* true if they are shortened */
    bool nothing;  /* true if even the shortest pulses would be too much */
    uint16_t share; /* factor for each pulse beyond its minimum, in 65536ths */
};

uint16_t lights_count(void)
{
    return WIRING_LIGHT_COUNT;
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

/* Return the pulses that an LED should have. */
static struct colour due(const struct lights *lights, uint8_t led)
{
    if (!lights->own)
        return driven(lights->ordered[led]);
    uint8_t place = led / LEDS_OF_CELL;
    return driven(place < CELL_COUNT && place % 2 == 0 ? own_colour : dark);
}

static uint16_t sum_of(struct colour pulse)
{
    return (uint16_t)(pulse.red + pulse.green + pulse.blue);
}

/* Limit the sum of all channels of all lights to `most`. Each pulse keeps the minimum, so that no
 * lit light goes out, and the same share of the rest. */
static struct measure measure_of(const struct lights *lights, uint32_t most)
{
    struct measure measure = {.starving = false};
    uint32_t sum = 0;
    uint16_t least = 0;
    for (uint8_t led = 0; led < LED_COUNT; led++) {
        struct colour pulse = due(lights, led);
        sum += sum_of(pulse);
        least += (uint16_t)((pulse.red > 0) + (pulse.green > 0) + (pulse.blue > 0));
    }
    measure.starving = sum > most;
    measure.nothing = least > most;
    /* The share is below 1 and has 16 bits, because shifts by whole bytes are fast. Its last bit is
     * always 0: a share of 16 full bits would need 64-bit arithmetic. */
    if (measure.starving && !measure.nothing)
        measure.share = (uint16_t)(((most - least) << 15) / (sum - least) << 1);
    return measure;
}

static uint8_t shortened(uint8_t pulse, uint16_t share)
{
    return pulse == 0 ? 0 : (uint8_t)(1 + ((uint32_t)(pulse - 1) * share >> 16));
}

static struct colour measured(struct colour pulse, const struct measure *measure)
{
    if (!measure->starving)
        return pulse;
    if (measure->nothing)
        return dark;
    pulse.red = shortened(pulse.red, measure->share);
    pulse.green = shortened(pulse.green, measure->share);
    pulse.blue = shortened(pulse.blue, measure->share);
    return pulse;
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

    const uint16_t idle_ma = IDLE_MA * WIRING_LIGHT_COUNT;
    uint16_t left_ma = most_ma > idle_ma ? (uint16_t)(most_ma - idle_ma) : 0;
    struct measure measure = measure_of(lights, (uint32_t)left_ma * 255 / CHANNEL_MA);
    lights->starving = measure.starving;

    uint32_t sum = 0;
    for (uint8_t light = 0; light < WIRING_LIGHT_COUNT; light++) {
        struct colour pulse = measured(due(lights, flash_byte(&led_of_light[light])), &measure);
        port_show_light(port, pulse);
        sum += sum_of(pulse);
    }
    port_show_end(port);
    lights->current_ma = (uint16_t)(idle_ma + (sum * CHANNEL_MA + 254) / 255);
    lights->check = check_of(lights->ordered);
    return true;
}
