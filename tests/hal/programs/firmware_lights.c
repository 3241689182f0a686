/* The firmware's lights as a function: a frame and the current that it may draw in, the pulses of
 * the strip's lights out, both 0xRRGGBB.
 */
#include "lights.h"

static uint32_t *shown;

bool port_lights_ready(const struct port *port)
{
    (void)port;
    return true;
}

void port_show_light(struct port *port, struct colour pulse)
{
    (void)port;
    *shown++ = (uint32_t)pulse.red << 16 | (uint32_t)pulse.green << 8 | pulse.blue;
}

void port_show_end(struct port *port)
{
    (void)port;
}

void pulses_of(const uint32_t *frame, uint16_t most_ma, uint32_t *pulses)
{
    struct lights lights;
    lights_start(&lights);
    for (int led = 0; led < LED_COUNT; led++) {
        struct colour colour = {frame[led] >> 16 & 0xFF, frame[led] >> 8 & 0xFF, frame[led] & 0xFF};
        lights.ordered[led] = colour;
    }
    lights_order(&lights, (UINT32_C(1) << PLACE_COUNT) - 1, false);
    shown = pulses;
    lights_step(&lights, 0, most_ma);
}
