/* lights_send of core/lights.h for a string of any layout. */
#include "layout.h"
#include "lights.h"
#include "limit.h"
#include "port_linux.h"

void lights_send(struct lights *lights, struct port *port, uint16_t most_ma)
{
    const struct layout *layout = &port->layout;
    struct colour leds[LED_COUNT], means[LAYOUT_LIGHTS];
    struct limit limit = {0};
    uint32_t sum = 0;
    for (uint8_t led = 0; led < LED_COUNT; led++)
        leds[led] = lights_pulse(lights, led);
    for (uint16_t light = 0; light < layout->count; light++) {
        means[light] = layout_mean(layout, light, leds);
        limit_add(&limit, means[light]);
    }
    limit_set(&limit, layout->count, most_ma);
    for (uint16_t light = 0; light < layout->count; light++) {
        const struct colour pulse = limit_pulse(&limit, means[light]);
        port_show_light(port, pulse);
        sum += limit_sum(pulse);
    }
    port_show_end(port);
    lights->starving = limit.starving;
    lights->current_ma = limit_current_ma(layout->count, sum);
}
