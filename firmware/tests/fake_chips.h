/* Three touch chips at register level, after the data sheet, on a bus of their own: what a test
 * tells them to feel they feel, and nothing goes on but what stands here. They count what no driver
 * should do. (The tables' model of the chip, with its noise and its world, is another: model/.)
 *
 * The core is compiled here once more, with this bus in the place of the host's port.
 */
#ifndef FAKE_CHIPS_H
#define FAKE_CHIPS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define mpr121_init fake_mpr121_init
#define mpr121_restart fake_mpr121_restart
#define mpr121_begin fake_mpr121_begin
#define mpr121_end fake_mpr121_end
#define touch_start fake_touch_start
#define touch_step fake_touch_step
#define touch_restart fake_touch_restart
#define touch_want_raw fake_touch_want_raw
#define touch_raw_ready fake_touch_raw_ready
#define touch_raw fake_touch_raw
#define touch_perhaps fake_touch_perhaps
#define port_bus_begin fake_bus_begin
#define port_bus_status fake_bus_status
#define port_bus_recover fake_bus_recover
#define port_touch_changed fake_touch_changed

#include "../core/mpr121.c"
#include "../core/touch.c"

#define BYTE_US 25     /* at 400 kHz */
#define REST 720       /* counts of a pad with nothing on it */
#define SAMPLE_MS 4

struct fake_chip {
    uint8_t registers[0x81];
    uint16_t load[CHANNEL_COUNT];     /* what lies on each electrode, in counts */
    uint16_t baseline[CHANNEL_COUNT]; /* all ten bits */
    uint8_t since[CHANNEL_COUNT];     /* samples for which it has been other than its status */
    bool measured;                    /* a first sample has been taken in this run */
    bool called;                      /* its interrupt line is low */
    bool away;                        /* it does not answer */
    uint32_t sample_ms;
    unsigned starts, ignored;         /* runs begun; writes that the chip does not take */
};

struct port {
    struct fake_chip chips[CHIP_COUNT];
    enum bus_status status;
    uint32_t left_us;              /* of the transfer under way */
    uint32_t busy_us;              /* that the bus has been in use, in all */
    uint32_t held_until_ms, now_ms;
    unsigned recovered;
    bool stuck;                    /* the interrupt line is low whatever the chips do */
    unsigned flip_after;           /* bytes to come that are whole; after them */
    unsigned flips;                /* bytes to come of which a bit is wrong, */
    uint32_t chance;               /* any bit */
};

static inline bool fake_runs(const struct fake_chip *chip)
{
    return (chip->registers[0x5E] & 0x3F) != 0;
}

static inline void fake_reset(struct fake_chip *chip)
{
    memset(chip->registers, 0, sizeof chip->registers);
    memset(chip->baseline, 0, sizeof chip->baseline);
    memset(chip->since, 0, sizeof chip->since);
    chip->registers[0x5C] = 0x10;
    chip->registers[0x5D] = 0x24;
    chip->measured = chip->called = false;
}

static inline void fake_over_current(struct fake_chip *chip)
{
    memset(chip->registers, 0, 0x2B);
    chip->registers[0x01] = 0x80;
    chip->registers[0x5E] &= 0xC0;
    chip->called = true;
}

static inline void fake_write(struct port *port, struct fake_chip *chip, uint8_t address,
                              uint8_t byte)
{
    if (address == 0x80 && byte == 0x63) {
        fake_reset(chip);
    } else if (address == 0x01 && (byte & 0x80)) {
        chip->registers[0x01] &= 0x7F;
    } else if (address == 0x5E && (chip->registers[0x01] & 0x80)) {
        return; /* it does not run until that is cleared, of which no driver can know yet */
    } else if (address == 0x5E) {
        if (!fake_runs(chip) && (byte & 0x3F)) {
            chip->starts++;
            chip->measured = false;
            chip->sample_ms = port->now_ms + SAMPLE_MS;
        }
        chip->registers[0x5E] = byte;
    } else if (address >= 0x1E && address < 0x80 && address != 0x5E && !fake_runs(chip)) {
        chip->registers[address] = byte;
    } else {
        chip->ignored++;
    }
}

static inline void fake_status(struct fake_chip *chip, uint8_t channel, int below)
{
    uint8_t *status = &chip->registers[channel / 8], mask = (uint8_t)(1 << channel % 8);
    const uint8_t *threshold = &chip->registers[0x41 + 2 * channel];
    bool touched = *status & mask;
    if (touched ? below >= threshold[1] : below <= threshold[0])
        chip->since[channel] = 0;
    else if (chip->since[channel]++ >= (chip->registers[0x5B] >> (touched ? 4 : 0) & 7)) {
        chip->since[channel] = 0;
        *status ^= mask;
        chip->called = true;
    }
}

/* A second-level sample of every electrode in use. The baseline stays as the first one loads it. */
static inline void fake_sample(struct fake_chip *chip)
{
    for (uint8_t channel = 0; channel < (chip->registers[0x5E] & 0x0F); channel++) {
        uint16_t count = (uint16_t)(REST - chip->load[channel]);
        if (!chip->measured && chip->registers[0x5E] >> 6 == 3)
            chip->baseline[channel] = count;
        chip->registers[0x04 + 2 * channel] = (uint8_t)count;
        chip->registers[0x05 + 2 * channel] = (uint8_t)(count >> 8);
        chip->registers[0x1E + channel] = (uint8_t)(chip->baseline[channel] >> 2);
        fake_status(chip, channel, chip->baseline[channel] - count);
    }
    chip->measured = true;
}

void port_bus_begin(struct port *port, uint8_t address, const uint8_t *out, uint8_t out_count,
                    uint8_t *in, uint8_t in_count)
{
    struct fake_chip *chip = &port->chips[address - CHIP_FIRST_ADDRESS];
    uint8_t at = out[0];
    port->left_us = (uint32_t)(1 + out_count + (in_count ? 1 + in_count : 0)) * BYTE_US;
    port->status = chip->away ? BUS_NACK : BUS_DONE;
    if ((int32_t)(port->held_until_ms - port->now_ms) > 0)
        port->status = BUS_BUSY;
    if (port->status != BUS_DONE)
        return;
    for (uint8_t i = 1; i < out_count; i++)
        fake_write(port, chip, at++, out[i]);
    for (uint8_t i = 0; i < in_count; i++, at++) {
        in[i] = chip->registers[at];
        if (at <= 0x01)
            chip->called = false;
        if (port->flip_after > 0) {
            port->flip_after--;
        } else if (port->flips > 0) {
            port->flips--;
            port->chance = port->chance * 1664525 + 1013904223;
            in[i] ^= (uint8_t)(1 << (port->chance >> 29));
        }
    }
}

enum bus_status port_bus_status(const struct port *port)
{
    return port->left_us > 0 ? BUS_BUSY : port->status;
}

void port_bus_recover(struct port *port)
{
    port->recovered++;
    port->status = BUS_ERROR;
    port->left_us = 0;
}

bool port_touch_changed(const struct port *port)
{
    bool low = port->stuck;
    for (uint8_t i = 0; i < CHIP_COUNT; i++)
        low |= port->chips[i].called && !port->chips[i].away;
    return low;
}

static inline void fake_power(struct port *port, uint32_t now_ms)
{
    memset(port, 0, sizeof *port);
    port->now_ms = port->held_until_ms = now_ms;
    for (uint8_t i = 0; i < CHIP_COUNT; i++)
        fake_reset(&port->chips[i]);
}

/* A millisecond passes for the chips. */
static inline void fake_time(struct port *port)
{
    port->now_ms++;
    for (uint8_t i = 0; i < CHIP_COUNT; i++) {
        struct fake_chip *chip = &port->chips[i];
        if (fake_runs(chip) && port->now_ms == chip->sample_ms) {
            fake_sample(chip);
            chip->sample_ms += SAMPLE_MS;
        }
    }
}

#endif
