/* The lights of the controller on a Raspberry Pi as functions: a layout, and the pulses of a string
 * with that layout.
 */
#include "lights.h"
#include "port_linux.h"

static struct port port;
static uint32_t *shown;

bool port_lights_ready(const struct port *given)
{
    (void)given;
    return true;
}

void port_show_light(struct port *given, struct colour pulse)
{
    (void)given;
    *shown++ = (uint32_t)pulse.red << 16 | (uint32_t)pulse.green << 8 | pulse.blue;
}

void port_show_end(struct port *given)
{
    (void)given;
}

/* Read a layout. Returns -1, or the number of the line with an error; 0 if it is not one line. */
int read_text(const char *text, size_t count, char order[4], char *why)
{
    struct layout_fault fault = {0};
    const bool ok = layout_parse(&port.layout, text, count, &fault);
    for (int at = 0; at < 3; at++)
        order[at] = "RGB"[port.layout.order[at]];
    for (size_t at = 0; at < sizeof fault.what; at++)
        why[at] = fault.what[at];
    return ok ? -1 : (int)fault.line;
}

int read_file(const char *path)
{
    struct layout_fault fault;
    return layout_read(&port.layout, path, &fault) ? -1 : (int)fault.line;
}

/* Put the pulses 0xRRGGBB of each light of the string in `pulses`. Returns the current. */
int show(const uint32_t *frame, uint16_t most_ma, uint32_t *pulses, uint16_t *count)
{
    struct lights lights;
    lights_start(&lights);
    for (int led = 0; led < LED_COUNT; led++) {
        struct colour colour = {frame[led] >> 16 & 0xFF, frame[led] >> 8 & 0xFF, frame[led] & 0xFF};
        lights.ordered[led] = colour;
    }
    lights_order(&lights, (UINT32_C(1) << PLACE_COUNT) - 1, false);
    shown = pulses;
    lights_step(&lights, &port, most_ma);
    *count = (uint16_t)(shown - pulses);
    return lights.current_ma;
}
