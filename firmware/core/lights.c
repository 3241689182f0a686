#include "lights.h"

#include <string.h>

#include "wiring.h"

/* A WS2812B by its data sheet: 20 mA for each of three colours at full, by pulses, so linear; and
 * what its own logic takes. */
#define CHANNEL_MA 20u
#define IDLE_MA 1u

static const uint8_t lights_at[PLACE_COUNT] = WIRING_LIGHTS_AT;

/* A place is dark, or is this: every other cell, so that it looks like no game. */
static const struct colour own_colour = {OWN_COLOUR >> 16, OWN_COLOUR >> 8 & 0xFF, OWN_COLOUR & 0xFF};

uint16_t lights_count(void)
{
    return WIRING_LIGHT_COUNT;
}

void lights_start(struct lights *lights)
{
    memset(lights, 0, sizeof *lights);
    lights->own = true;
    lights->changed = true;
}

void lights_order(struct lights *lights)
{
    lights->any = true;
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
    return lights->silent || !lights->any;
}

bool lights_waiting(const struct lights *lights)
{
    return lights->changed || lights->own != own_is_due(lights);
}

static void own_pattern(struct colour colours[PLACE_COUNT])
{
    for (uint8_t place = 0; place < PLACE_COUNT; place++)
        colours[place] = place < CELL_COUNT && place % 2 == 0 ? own_colour : (struct colour){0, 0, 0};
}

/* The sum over all channels of all lights. */
static uint32_t sum_of(const struct colour colours[PLACE_COUNT])
{
    uint32_t sum = 0;
    for (uint8_t place = 0; place < PLACE_COUNT; place++) {
        const struct colour *colour = &colours[place];
        uint16_t channels = (uint16_t)(colour->red + colour->green + colour->blue);
        sum += (uint32_t)lights_at[place] * channels;
    }
    return sum;
}

static uint8_t share(uint8_t channel, uint16_t factor)
{
    return (uint8_t)((uint32_t)channel * factor >> 16);
}

/* Scale the colours so that their sum is at most `most`; both below 2^17. */
static void scale(struct colour colours[PLACE_COUNT], uint32_t sum, uint32_t most)
{
    /* Below 1, in 65536ths: whole bytes are shifted quickly. Its last bit is not worth 64 bits. */
    uint16_t factor = (uint16_t)((most << 15) / sum << 1);
    for (uint8_t place = 0; place < PLACE_COUNT; place++) {
        struct colour *colour = &colours[place];
        colour->red = share(colour->red, factor);
        colour->green = share(colour->green, factor);
        colour->blue = share(colour->blue, factor);
    }
}

bool lights_step(struct lights *lights, struct port *port, uint16_t most_ma)
{
    if (!lights_waiting(lights) || !port_lights_ready(port))
        return false;
    lights->own = own_is_due(lights);
    lights->changed = false;

    struct colour colours[PLACE_COUNT];
    if (lights->own) {
        own_pattern(colours);
    } else {
        for (uint8_t place = 0; place < PLACE_COUNT; place++)
            colours[place] = lights->ordered[place];
    }

    const uint16_t idle_ma = IDLE_MA * WIRING_LIGHT_COUNT;
    uint16_t left_ma = most_ma > idle_ma ? (uint16_t)(most_ma - idle_ma) : 0;
    uint32_t most = (uint32_t)left_ma * 255 / CHANNEL_MA;
    uint32_t sum = sum_of(colours);
    lights->starving = sum > most;
    if (lights->starving) {
        scale(colours, sum, most);
        sum = sum_of(colours);
    }
    lights->current_ma = (uint16_t)(idle_ma + (sum * CHANNEL_MA + 254) / 255);
    port_show(port, colours);
    return true;
}
