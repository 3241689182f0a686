/* port.h on this machine: what takes how long, and what is lost. */
#include <string.h>

#include "check.h"
#include "port_host.h"

#define MS 1000U

static void no_order(void *table, enum world_order order) { (void)table, (void)order; }
static void no_memory(void *table, uint16_t at, uint8_t byte) { (void)table, (void)at, (void)byte; }
static void no_stats(const void *table, struct world_stats *stats) { (void)table, (void)stats; }
static const struct world_hooks hooks = {.order = no_order, .memory = no_memory, .stats = no_stats};

static struct port port; /* one for all: it is large */

static void start(void)
{
    queue_free(&port.serial.coming);
    queue_free(&port.serial.gone);
    memset(&port, 0, sizeof port);
    memset(port.memory, 0xFF, sizeof port.memory);
    port.serial.in_us = NEVER;
    world_start(&port.world, 1, &hooks, NULL, 0);
    port_power(&port);
}

static void pass(uint64_t us) { port_pass(&port, port.now_us + us); }

/* As table_write does it. */
static void send(const uint8_t *bytes, size_t count)
{
    if (port.serial.coming.count == 0)
        port.serial.in_us = port.now_us + SERIAL_BYTE_US;
    queue_put(&port.serial.coming, bytes, count);
}

static void a_transfer_takes_25_us_a_byte_and_stirs_at_its_end(void)
{
    const uint8_t out[] = {0x5C};
    uint8_t in[3] = {0};
    start();
    port_bus_begin(&port, 0x5A, out, 1, in, 3); /* address, register, address, three bytes */
    pass(6 * 25 - 1);
    check(port_bus_status(&port) == BUS_BUSY && !port.stirred);
    pass(1);
    check(port_bus_status(&port) == BUS_DONE && port.stirred);
    check(in[0] == 0x10 && in[1] == 0x24 && in[2] == 0);
    check(port_next(&port) == NEVER);
}

static void a_write_alone_has_no_second_address(void)
{
    const uint8_t out[] = {0x41, 9, 8};
    start();
    port_bus_begin(&port, 0x5B, out, 3, NULL, 0);
    check(port_next(&port) == 25);
    pass(4 * 25);
    check(port_bus_status(&port) == BUS_DONE);
    check(port.world.chips[1].model.registers[0x41] == 9);
    check(port.world.chips[1].model.registers[0x42] == 8);
}

static void where_nobody_answers_a_transfer_ends_at_the_address(void)
{
    const uint8_t out[] = {0x00};
    start();
    port_bus_begin(&port, 0x33, out, 1, NULL, 0);
    pass(25);
    check(port_bus_status(&port) == BUS_NACK);
}

static void a_start_waits_while_the_line_is_held(void)
{
    const uint8_t out[] = {0x41, 9};
    start();
    world_command(&port.world, "chip 2 hold 10", 0);
    port_bus_begin(&port, 0x5A, out, 2, NULL, 0);
    pass(10 * MS + 2 * 25);
    check(port_bus_status(&port) == BUS_BUSY);
    pass(25);
    check(port_bus_status(&port) == BUS_DONE);
}

static void nine_clocks_free_the_line_and_give_up_the_transfer(void)
{
    const uint8_t out[] = {0x41, 9};
    start();
    world_command(&port.world, "chip 2 hold 100000", 0);
    port_bus_begin(&port, 0x5A, out, 2, NULL, 0);
    pass(30 * MS);
    check(port_bus_status(&port) == BUS_BUSY);
    port_bus_recover(&port);
    check(port_bus_status(&port) == BUS_ERROR);
    port_bus_begin(&port, 0x5A, out, 2, NULL, 0);
    pass(3 * 25);
    check(port_bus_status(&port) == BUS_DONE);
    port_bus_recover(&port);
    check(port_bus_status(&port) == BUS_DONE); /* none was under way */
}

static void a_line_that_is_held_in_the_middle_breaks_the_transfer(void)
{
    const uint8_t out[] = {0x41, 9};
    start();
    port_bus_begin(&port, 0x5A, out, 2, NULL, 0);
    pass(30);
    world_command(&port.world, "chip 2 hold 10", port.now_us);
    pass(25);
    check(port_bus_status(&port) == BUS_ERROR);
    check(port.world.chips[0].model.registers[0x41] == 0);
}

static void bytes_come_every_40_us(void)
{
    const uint8_t bytes[] = {1, 2, 3};
    uint8_t byte = 0;
    start();
    pass(1000);
    send(bytes, 3);
    for (uint8_t at = 1; at <= 3; at++) {
        pass(39);
        check(!port_receive(&port, &byte));
        pass(1);
        check(port_receive(&port, &byte) && byte == at);
    }
    pass(1000);
    check(!port_receive(&port, &byte));
}

static void what_the_chip_has_no_room_for_is_lost_and_counted(void)
{
    uint8_t bytes[300], byte = 0;
    unsigned count = 0;
    start();
    for (unsigned at = 0; at < sizeof bytes; at++)
        bytes[at] = (uint8_t)at;
    send(bytes, sizeof bytes);
    pass(300 * 40);
    check(port_lost(&port) == 45 && port.serial.overruns == 45);
    while (port_receive(&port, &byte))
        check(byte == (uint8_t)count++);
    check(count == 255);
}

static void a_firmware_with_interrupts_off_hears_and_says_nothing(void)
{
    const uint8_t bytes[] = {1, 2, 3};
    uint8_t byte = 0;
    start();
    send(bytes, 1);
    pass(40);
    port_send(&port, bytes, 3);
    port.deaf = true;
    send(bytes, 3);
    pass(1000);
    check(port.serial.overruns == 3 && port.serial.gone.count == 0);
    port_reset(&port);
    pass(1000);
    check(port.serial.gone.count == 0); /* what it had to say is forgotten, and what it heard */
    check(port_room(&port) == 255 && !port_receive(&port, &byte));
    check(port_lost(&port) == 0);
}

static void what_is_sent_goes_every_40_us_and_makes_room(void)
{
    const uint8_t bytes[200] = {1, 0};
    uint8_t came[200];
    start();
    check(port_room(&port) == 255);
    port_send(&port, bytes, 200);
    check(port_room(&port) == 55);
    pass(40);
    check(port.serial.gone.count == 1 && !port.out_heard);
    pass(40);
    check(port.out_heard);
    check(port_room(&port) == 57);
    pass(198 * 40);
    check(queue_take(&port.serial.gone, came, sizeof came) == 200);
    check(memcmp(came, bytes, 200) == 0);
    check(port_next(&port) == NEVER);
}

static void nothing_comes_through_a_line_that_is_cut(void)
{
    const uint8_t bytes[] = {1, 0};
    start();
    port.serial.cut = true;
    port_send(&port, bytes, 2);
    pass(1000);
    check(port.serial.gone.count == 0 && !port.out_heard);
    check(port_room(&port) == 255);
}

static void show(const struct colour pulses[WIRING_LIGHT_COUNT])
{
    for (unsigned light = 0; light < WIRING_LIGHT_COUNT; light++)
        port_show_light(&port, pulses[light]);
    port_show_end(&port);
}

static void lights_take_30_us_each_and_latch_300_us_later(void)
{
    static const uint8_t leds[WIRING_LIGHT_COUNT] = WIRING_LIGHTS;
    static struct colour pulses[WIRING_LIGHT_COUNT];
    const uint8_t byte = 9;
    const uint64_t told_us = 30 * WIRING_LIGHT_COUNT;
    struct shown shown;
    uint8_t came = 0;
    start();
    pass(500);
    pulses[23] = (struct colour){.red = 1, .green = 2, .blue = 3};
    send(&byte, 1);
    check(port_lights_ready(&port));
    show(pulses);
    check(port.now_us == 500 + told_us);
    check(port_receive(&port, &came) && came == 9); /* meanwhile */
    pass(299);
    check(!port_lights_ready(&port) && !strip_take(&port.strip, &shown));
    pass(1);
    check(port_lights_ready(&port) && strip_take(&port.strip, &shown));
    check(shown.begun_us == 500 && shown.at_us == 500 + told_us + 300 && shown.whole);
    check(shown.pulses[leds[23]] == 0x010203 && shown.pulses[leds[24]] == 0);
}

static void told_again_before_it_latched_the_strip_keeps_the_first(void)
{
    static struct colour first[WIRING_LIGHT_COUNT], second[WIRING_LIGHT_COUNT];
    struct shown shown;
    start();
    first[0].red = 1;
    second[0].red = 2;
    show(first);
    pass(100);
    show(second);
    pass(300);
    check(strip_take(&port.strip, &shown));
    check(shown.pulses[0] == 0x010000);
    check(!strip_take(&port.strip, &shown));
}

static void the_memory_writes_a_byte_in_3_4_ms_and_one_at_a_time(void)
{
    start();
    check(port_memory_write(&port, 7, 0x55));
    check(!port_memory_write(&port, 8, 0x66));
    pass(3399);
    check(!port_memory_write(&port, 8, 0x66));
    check(port.memory[7] == 0xFF);
    pass(1);
    check(port_memory_read(&port, 7) == 0x55);
    check(port_memory_write(&port, 7, 0x55)); /* it is so already: nothing to do */
    check(port_memory_write(&port, 8, 0x66));
    check(port_memory_read(&port, 7) == 0x55); /* which waits */
    check(port.now_us == 6800 && port.memory[8] == 0x66);
}

static void a_reset_lets_the_byte_be_written_and_a_loss_of_power_does_not(void)
{
    start();
    port_memory_write(&port, 7, 0x55);
    pass(1000);
    port_reset(&port);
    pass(3000);
    check(port.memory[7] == 0x55);
    port_memory_write(&port, 7, 0x66);
    pass(1000);
    port_power(&port);
    pass(3000);
    check(port.memory[7] == 0xFF);
}

static void the_interrupt_line_stirs_when_it_falls_and_not_while_it_is_low(void)
{
    const uint8_t out[] = {0x5E, 0x8C};
    start();
    port_bus_begin(&port, 0x5B, out, 2, NULL, 0);
    pass(80 * MS); /* its thresholds are 0: whatever is below the baseline is a touch */
    world_command(&port.world, "shape 0 A3 0:400", port.now_us);
    port.stirred = false;
    check(!port_touch_changed(&port));
    pass(64 * MS);
    check(port_touch_changed(&port) && port.stirred);
    port.stirred = false;
    pass(64 * MS);
    check(port_touch_changed(&port) && !port.stirred);
    world_command(&port.world, "chip 1 brown-out", port.now_us);
    pass(MS);
    check(!port_touch_changed(&port) && !port.stirred);
    world_command(&port.world, "chip 0 over-current", port.now_us);
    pass(MS);
    check(port_touch_changed(&port) && port.stirred);
}

int main(void)
{
    a_transfer_takes_25_us_a_byte_and_stirs_at_its_end();
    a_write_alone_has_no_second_address();
    where_nobody_answers_a_transfer_ends_at_the_address();
    a_start_waits_while_the_line_is_held();
    nine_clocks_free_the_line_and_give_up_the_transfer();
    a_line_that_is_held_in_the_middle_breaks_the_transfer();
    bytes_come_every_40_us();
    what_the_chip_has_no_room_for_is_lost_and_counted();
    a_firmware_with_interrupts_off_hears_and_says_nothing();
    what_is_sent_goes_every_40_us_and_makes_room();
    nothing_comes_through_a_line_that_is_cut();
    lights_take_30_us_each_and_latch_300_us_later();
    told_again_before_it_latched_the_strip_keeps_the_first();
    the_memory_writes_a_byte_in_3_4_ms_and_one_at_a_time();
    a_reset_lets_the_byte_be_written_and_a_loss_of_power_does_not();
    the_interrupt_line_stirs_when_it_falls_and_not_while_it_is_low();
    queue_free(&port.serial.coming);
    queue_free(&port.serial.gone);
    return 0;
}
