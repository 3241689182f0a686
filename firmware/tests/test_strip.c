/* The strip: from bytes to what each place shows, and what it draws. */
#include <string.h>

#include "check.h"
#include "strip.h"

static const uint8_t leds[WIRING_LIGHT_COUNT] = WIRING_LIGHTS;

static void fill(uint8_t *bytes, uint8_t green, uint8_t red, uint8_t blue)
{
    for (size_t light = 0; light < WIRING_LIGHT_COUNT; light++) {
        bytes[3 * light] = green;
        bytes[3 * light + 1] = red;
        bytes[3 * light + 2] = blue;
    }
}

static void bytes_are_green_red_blue(void)
{
    static struct strip strip;
    struct shown shown;
    uint8_t bytes[STRIP_BYTES];
    fill(bytes, 0x01, 0x02, 0x03);
    strip_latch(&strip, bytes, sizeof bytes, 100, 500);
    check(strip_take(&strip, &shown));
    check(shown.begun_us == 100 && shown.at_us == 500 && shown.whole);
    for (unsigned led = 0; led < TABLE_LEDS; led++)
        check(shown.pulses[led] == 0x020103);
    check(!strip_take(&strip, &shown));
}

static void every_light_is_its_own_led(void)
{
    for (size_t light = 0; light < WIRING_LIGHT_COUNT; light++) {
        static struct strip strip;
        struct shown shown;
        uint8_t bytes[STRIP_BYTES];
        fill(bytes, 0, 0, 0);
        bytes[3 * light] = 0x77;
        strip_latch(&strip, bytes, sizeof bytes, 0, 1);
        check(strip_take(&strip, &shown));
        check(shown.whole);
        for (unsigned led = 0; led < TABLE_LEDS; led++)
            check(shown.pulses[led] == (led == leds[light] ? 0x007700U : 0));
    }
}

static void lights_that_were_not_told_keep_their_colour(void)
{
    static struct strip strip;
    struct shown shown;
    uint8_t bytes[STRIP_BYTES];
    fill(bytes, 0x10, 0x20, 0x30);
    strip_latch(&strip, bytes, sizeof bytes, 0, 1);
    fill(bytes, 0x40, 0x50, 0x60);
    strip_latch(&strip, bytes, 3 * 4 + 2, 2, 3); /* four lights, and two bytes of a fifth */
    check(strip_take(&strip, &shown));
    check(strip_take(&strip, &shown));
    check(!shown.whole);
    check(shown.pulses[leds[3]] == 0x504060);
    check(shown.pulses[leds[4]] == 0x201030);
    check(strip.lights[3 * 4] == 0x10);
}

static void more_bytes_than_lights_pass_through(void)
{
    static struct strip strip;
    struct shown shown;
    uint8_t bytes[STRIP_BYTES + 30];
    memset(bytes, 0x10, sizeof bytes);
    strip_latch(&strip, bytes, sizeof bytes, 0, 1);
    check(strip_take(&strip, &shown));
    check(shown.whole);
}

static void the_current_is_that_of_the_colours(void)
{
    static struct strip strip;
    uint8_t bytes[STRIP_BYTES];
    check(strip_current_ma(&strip) == WIRING_LIGHT_COUNT);
    fill(bytes, 255, 255, 255);
    strip_latch(&strip, bytes, sizeof bytes, 0, 1);
    check(strip_current_ma(&strip) == WIRING_LIGHT_COUNT * 61);
    fill(bytes, 0, 51, 0);
    strip_latch(&strip, bytes, sizeof bytes, 2, 3);
    check(strip_current_ma(&strip) == WIRING_LIGHT_COUNT * 5);
    check(strip.current_worst_ma == WIRING_LIGHT_COUNT * 61);
    strip_power(&strip);
    check(strip_current_ma(&strip) == WIRING_LIGHT_COUNT);
}

static void of_too_many_frames_the_oldest_go(void)
{
    static struct strip strip;
    struct shown shown;
    uint8_t bytes[STRIP_BYTES] = {0};
    for (uint64_t frame = 0; frame < STRIP_KEPT + 10; frame++)
        strip_latch(&strip, bytes, sizeof bytes, frame, frame);
    check(strip.frames == STRIP_KEPT + 10);
    for (uint64_t frame = 10; frame < STRIP_KEPT + 10; frame++) {
        check(strip_take(&strip, &shown));
        check(shown.at_us == frame);
    }
    check(!strip_take(&strip, &shown));
}

static void lights_behind_a_broken_wire_stay_as_they_are(void)
{
    static struct strip strip;
    struct shown shown;
    uint8_t bytes[STRIP_BYTES];
    strip.ills.reach = 40;
    fill(bytes, 0x01, 0x02, 0x03);
    strip_latch(&strip, bytes, sizeof bytes, 0, 1);
    check(strip_take(&strip, &shown) && shown.whole);
    for (size_t light = 0; light < WIRING_LIGHT_COUNT; light++)
        check(shown.pulses[leds[light]] == (light < 40 ? 0x020103 : 0));
    check(!strip_overloads(&strip));
    strip.ills.supply_ma = strip_current_ma(&strip) - 1;
    check(strip_overloads(&strip));
    strip.ills.supply_ma++;
    check(!strip_overloads(&strip));
}

static void a_bad_light_is_dark_or_damages_what_it_passes_on(void)
{
    static struct strip strip;
    uint8_t bytes[STRIP_BYTES];
    fill(bytes, 0x01, 0x02, 0x03);
    strip.ills = (struct strip_ills){.dead = 5};
    strip_latch(&strip, bytes, sizeof bytes, 0, 1);
    for (size_t light = 0; light < WIRING_LIGHT_COUNT; light++)
        check(strip_light(&strip, light) == (light < 4 ? 0x020103u : 0));
    strip.ills = (struct strip_ills){.dark = 5};
    strip_latch(&strip, bytes, sizeof bytes, 0, 1);
    for (size_t light = 0; light < WIRING_LIGHT_COUNT; light++)
        check(strip_light(&strip, light) == (light == 4 ? 0 : 0x020103u));
    strip.ills = (struct strip_ills){.damages = 5};
    strip_latch(&strip, bytes, sizeof bytes, 0, 1);
    for (size_t light = 0; light < WIRING_LIGHT_COUNT; light++)
        check((strip_light(&strip, light) == 0x020103u) == (light < 5));
    bytes[0] = 0x09;
    strip.ills = (struct strip_ills){.enter = 3};
    strip_latch(&strip, bytes, sizeof bytes, 0, 1);
    check(strip_light(&strip, 2) == 0x020903 && strip_light(&strip, 3) == 0x020103);
}

int main(void)
{
    lights_behind_a_broken_wire_stay_as_they_are();
    a_bad_light_is_dark_or_damages_what_it_passes_on();
    bytes_are_green_red_blue();
    every_light_is_its_own_led();
    lights_that_were_not_told_keep_their_colour();
    more_bytes_than_lights_pass_through();
    the_current_is_that_of_the_colours();
    of_too_many_frames_the_oldest_go();
    return 0;
}
