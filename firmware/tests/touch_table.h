/* A table of three fake chips, whose pads are loaded and whose chips fail as a row of a test says. */
#ifndef TOUCH_TABLE_H
#define TOUCH_TABLE_H

#include "fake_chips.h"

#include "check.h"

enum { A1 = 0, B1, C1, D1, E1, A2, A3 = 10, B3, A5 = 20, NEAR = 30 };
enum { WATER = 1, RIM = 2 };
#define ALL_CHIPS 7
#define ON(place) (UINT32_C(1) << (place))

/* The places of each chip, as hardware/wiring.csv has them. */
#define CHIP_0 UINT32_C(0x00003FF)
#define CHIP_1 UINT32_C(0x00FFC00)
#define CHIP_2 UINT32_C(0x7F00000)

static struct touch touch;
static struct port port;
static struct settings settings;
static uint32_t touches[PLACE_COUNT]; /* and lifts, in all */

/* A row of a table, and what was told there. */
static const char *told(unsigned row)
{
    static char text[120];
    const struct felt *felt = &touch.felt;
    snprintf(text, sizeof text, "row %u (touched %lx heavy %lx deaf %lx chips %x water %d rim %d)",
             row, (unsigned long)felt->touched, (unsigned long)felt->heavy,
             (unsigned long)felt->deaf, felt->chips, felt->water, felt->rim);
    return text;
}

static void switch_on_at(uint32_t now_ms)
{
    settings_defaults(&settings);
    fake_power(&port, now_ms);
    memset(touches, 0, sizeof touches);
    touch_start(&touch, now_ms);
}

static uint8_t counter(const struct felt *felt, uint8_t place)
{
    return felt->counters[place / 2] >> place % 2 * 4 & 15;
}

/* What must hold at any time, whatever happens. */
static void check_felt(const struct felt *was)
{
    const struct felt *is = &touch.felt;
    check((is->heavy & ~is->touched) == 0);
    check((is->touched & is->deaf) == 0);
    check((touch_noisy(&touch) & is->deaf & PLACES) == 0);
    check((is->touched | is->deaf) >> PLACE_COUNT == 0);
    for (uint8_t place = 0; place < PLACE_COUNT; place++) {
        uint32_t changed = (is->touched ^ was->touched) >> place & 1;
        check((counter(is, place) & 1) == (is->touched >> place & 1));
        check(counter(is, place) == ((counter(was, place) + changed) & 15));
        touches[place] += changed;
    }
    for (uint8_t i = 0; i < CHIP_COUNT; i++)
        check(port.chips[i].ignored == 0);
}

/* A millisecond, of which the bus makes what it can. */
static void step(void)
{
    uint32_t left_us = 1000;
    unsigned turns = 0;
    fake_time(&port);
    while (touch_step(&touch, &port, &settings, port.now_ms) || port.left_us > 0) {
        check(turns++ < 1000); /* or it never has nothing more to do */
        uint32_t step_us = port.left_us < left_us ? port.left_us : left_us;
        if (port.status == BUS_BUSY) /* a line is held low: it takes for ever */
            return;
        port.left_us -= step_us;
        port.busy_us += step_us;
        left_us -= step_us;
        if (port.left_us > 0)
            return;
    }
}

static void pass(uint32_t ms)
{
    while (ms-- > 0) {
        struct felt was = touch.felt;
        step();
        check_felt(&was);
    }
}

static void switch_on(void)
{
    switch_on_at(0);
    pass(100);
}

static void load(uint8_t pad, uint16_t counts)
{
    for (uint8_t i = 0; i < CHIP_COUNT; i++)
        for (uint8_t channel = 0; channel < CHANNEL_COUNT; channel++)
            if (pads[i][channel] == pad)
                port.chips[i].load[channel] = counts;
}

enum in { NOTHING, LOAD, AWAY, BACK, BROWN_OUT, EXCESS, RANGE, HELD, RESTART };

struct row {
    uint32_t until_ms; /* since the table was switched on */
    enum in in;        /* what happens at once, to which pad or chip */
    uint8_t what;
    uint16_t value;
    uint32_t touched, heavy, deaf; /* and what is told then */
    uint8_t chips, flags;
};

static void happen(const struct row *row)
{
    struct fake_chip *chip = &port.chips[row->what % CHIP_COUNT];
    switch (row->in) {
    case NOTHING: break;
    case LOAD: load(row->what, row->value); break;
    case AWAY: chip->away = true; break;
    case BACK: chip->away = false; break;
    case BROWN_OUT: fake_reset(chip); break;
    case EXCESS: fake_over_current(chip); break;
    case RANGE: chip->registers[0x02] = (uint8_t)row->value; break;
    case HELD: port.held_until_ms = port.now_ms + row->value; break;
    case RESTART: touch_restart(&touch); break;
    }
}

static inline void play(const struct row rows[], unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const struct row *row = &rows[i];
        happen(row);
        pass(row->until_ms - port.now_ms);
        check_row(told(i), touch.felt.touched == row->touched);
        check_row(told(i), touch.felt.heavy == row->heavy);
        check_row(told(i), touch.felt.deaf == row->deaf);
        check_row(told(i), touch.felt.chips == row->chips);
        check_row(told(i), (touch.felt.water | touch.felt.rim << 1) == row->flags);
    }
}

#define PLAY(...)                                                   \
    do {                                                            \
        static const struct row rows[] = {__VA_ARGS__};             \
        play(rows, sizeof rows / sizeof rows[0]);                   \
    } while (0)

#endif
