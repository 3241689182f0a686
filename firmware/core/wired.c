/* lights_send for the strip of hardware/wiring.csv: each light is one LED. linux/laid.c has another
 * one, for strings of any layout. */
#include "flash.h"
#include "lights.h"
#include "limit.h"
#include "wiring.h"

typedef char check_every_led_is_wired[WIRING_LIGHT_COUNT == LED_COUNT ? 1 : -1];

static const uint8_t led_of_light[WIRING_LIGHT_COUNT] IN_FLASH = WIRING_LIGHTS;

void lights_send(struct lights *lights, struct port *port, uint16_t most_ma)
{
    struct limit limit = {0};
    for (uint8_t led = 0; led < LED_COUNT; led++)
        limit_add(&limit, lights_pulse(lights, led));
    limit_set(&limit, WIRING_LIGHT_COUNT, most_ma);

    uint32_t sum = 0;
    for (uint8_t light = 0; light < WIRING_LIGHT_COUNT; light++) {
        const uint8_t led = flash_byte(&led_of_light[light]);
        const struct colour pulse = limit_pulse(&limit, lights_pulse(lights, led));
        port_show_light(port, pulse);
        sum += limit_sum(pulse);
    }
    port_show_end(port);
    lights->starving = limit.starving;
    lights->current_ma = limit_current_ma(WIRING_LIGHT_COUNT, sum);
}
