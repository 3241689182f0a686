/* Figures without a source are of the MPR121's data sheet, revision 4. */
#include "mpr121.h"

#include <string.h>

#include "mpr121_setting.h"

enum {
    STATUS = 0x00,
    OVER_CURRENT_FLAG = 0x01,
    OUT_OF_RANGE = 0x02,
    FILTERED = 0x04,
    BASELINE = 0x1E,
    IDENTITY = 0x5B,
    SOFT_RESET = 0x80
};

#define STATUS_BYTES 4
#define IDENTITY_BYTES 4

#define OVER_CURRENT 0x8000 /* in a status */
#define STATUS_UNUSED 0x7000

#define RESET_MS 2      /* 1 ms, by a clock that counts whole ones */
#define SETTLE_MS 10    /* between two looks whether all electrodes are measured */
#define SETTLE_MOST_MS 200
#define CHECK_MS 100    /* a chip that forgot everything answers, and feels nothing for ever */
#define DOUBT_MS 10
#define WAIT_LEAST_MS 10
#define WAIT_MOST_MS 1000
#define RANGE_READINGS 8 /* in a row that tell the same */

/* What a transfer is for. From TURN_NONE on the chip is ready. */
enum turn {
    TURN_LOOK,     /* it was given up: does it answer, and is it as it was left? */
    TURN_CLEAR,    /* a start: clear the over-current flag, */
    TURN_RESET,    /* reset, */
    TURN_IDENTIFY, /* see that it is one, and did reset, */
    TURN_WRITE,    /* write block after block, the last of which lets it run, */
    TURN_SETTLE,   /* until every electrode is measured */
    TURN_NONE,
    TURN_STATUS,   /* three reads of what is touched, */
    TURN_COUNTS,   /* the second with the counts, */
    TURN_AGAIN,    /* the third only when something has changed */
    TURN_CONTROL,  /* freeze or free the baselines */
    TURN_CHECK     /* is it still as it was set? */
};

static uint8_t control_wanted(const struct mpr121 *chip)
{
    return mpr121_control(chip->pads, chip->frozen ? MPR121_FROZEN : MPR121_FOLLOW);
}

static uint16_t word(const uint8_t *in)
{
    return (uint16_t)(in[0] | in[1] << 8);
}

static uint16_t filtered_of(const uint8_t *in, uint8_t channel)
{
    return word(in + FILTERED + 2 * channel);
}

/* How far the count is below the baseline, of which the chip keeps the two lowest bits to itself:
 * taken as ones, so that what is a touch to the chip is one here. */
static int16_t load_of(const struct mpr121 *chip, uint8_t channel)
{
    return (int16_t)(chip->baseline[channel] * 4 + 3 - (int16_t)chip->filtered[channel]);
}

static void give_up(struct mpr121 *chip, enum mpr121_fault fault, uint32_t now_ms)
{
    bool as_set = chip->turn == TURN_LOOK || chip->turn >= TURN_NONE;
    chip->turn = as_set ? TURN_LOOK : TURN_CLEAR;
    chip->ready = false;
    chip->touched = chip->heavy = 0;
    chip->fault = (uint8_t)fault;
    chip->lost = true;
    chip->due_ms = now_ms + chip->wait_ms;
    chip->wait_ms = chip->wait_ms > WAIT_MOST_MS / 2 ? WAIT_MOST_MS : (uint16_t)(2 * chip->wait_ms);
}

static void take_up(struct mpr121 *chip, uint32_t now_ms)
{
    if (chip->turn == TURN_SETTLE) {
        chip->started++;
        chip->out_of_range = chip->range;
    }
    if (chip->lost)
        chip->found++;
    chip->lost = chip->doubted = false;
    chip->ready = chip->scan = true;
    chip->turn = TURN_NONE;
    chip->control = 0xFF; /* to be written in any case */
    chip->lifted = chip->was_above = chip->was_below = 0;
    chip->since_ms = chip->checked_ms = now_ms;
}

/* Can a chip have sent this? Bits that are always 0 are not. */
static bool possible(const struct mpr121 *chip, const uint8_t *in)
{
    uint8_t high = 0;
    if (chip->turn == TURN_COUNTS || chip->turn == TURN_SETTLE)
        for (uint8_t channel = 0; channel < CHANNEL_COUNT; channel++)
            high |= in[FILTERED + 2 * channel + 1];
    return (word(in) & STATUS_UNUSED) == 0 && (in[OUT_OF_RANGE + 1] & 0x30) == 0 && high < 4;
}

static void take_counts(struct mpr121 *chip, const uint8_t *in)
{
    for (uint8_t channel = 0; channel < CHANNEL_COUNT; channel++) {
        chip->filtered[channel] = filtered_of(in, channel);
        chip->baseline[channel] = in[BASELINE + channel];
    }
}

static void take_range(struct mpr121 *chip, const uint8_t *in)
{
    uint16_t is = word(in + OUT_OF_RANGE) & MPR121_CHANNELS;
    if (is != chip->range)
        chip->range_readings = 0;
    else if (chip->range_readings < RANGE_READINGS)
        chip->range_readings++;
    else
        chip->out_of_range = is;
    chip->range = is;
}

static bool all_measured(const struct mpr121 *chip)
{
    for (uint8_t channel = 0; channel < CHANNEL_COUNT; channel++)
        if (chip->pads[channel] != NO_PAD && !(chip->range >> channel & 1) &&
            (chip->filtered[channel] == 0 || chip->baseline[channel] == 0))
            return false;
    return true;
}

static void weigh(struct mpr121 *chip, const struct settings *settings)
{
    uint16_t above = 0, below = 0;
    for (uint8_t channel = 0; channel < CHANNEL_COUNT; channel++) {
        uint8_t pad = chip->pads[channel];
        if (pad != NO_PAD && load_of(chip, channel) > settings->heavy[pad])
            above |= (uint16_t)(1U << channel);
        if (pad != NO_PAD && load_of(chip, channel) < -2 * settings->touch[pad])
            below |= (uint16_t)(1U << channel);
    }
    chip->heavy |= chip->touched & above & chip->was_above;
    chip->lifted = below & chip->was_below;
    chip->was_above = above;
    chip->was_below = below;
}

/* The third reading: what all three agree on is so, a touch only where the counts bear it out. */
static void decide(struct mpr121 *chip, const struct settings *settings, uint16_t third)
{
    uint16_t on = chip->first & chip->second & third;
    uint16_t off = (uint16_t) ~(chip->first | chip->second | third);
    for (uint8_t channel = 0; channel < CHANNEL_COUNT; channel++) {
        uint16_t bit = (uint16_t)(1U << channel);
        uint8_t pad = chip->pads[channel];
        if ((on & bit) && (pad == NO_PAD || load_of(chip, channel) < settings->release[pad]))
            on &= (uint16_t)~bit;
    }
    chip->touched = (uint16_t)((chip->touched | on) & ~off & MPR121_CHANNELS);
    chip->heavy &= chip->touched;
}

static void scanned(struct mpr121 *chip)
{
    chip->turn = TURN_NONE;
    chip->scan = false;
}

void mpr121_init(struct mpr121 *chip, uint8_t address, const uint8_t *pads)
{
    memset(chip, 0, sizeof *chip);
    chip->address = address;
    chip->pads = pads;
    chip->wait_ms = WAIT_LEAST_MS;
    mpr121_restart(chip);
}

void mpr121_restart(struct mpr121 *chip)
{
    chip->restart = true;
    chip->ready = false;
    chip->touched = chip->heavy = 0;
}

bool mpr121_halfway(const struct mpr121 *chip)
{
    return chip->turn > TURN_NONE && !chip->restart;
}

static uint8_t put(uint8_t *out, uint8_t address, uint8_t byte)
{
    out[0] = address;
    out[1] = byte;
    return 2;
}

static enum turn next_turn(const struct mpr121 *chip, uint32_t now_ms)
{
    if (chip->turn != TURN_NONE)
        return (enum turn)chip->turn;
    if (chip->scan)
        return TURN_STATUS;
    if (chip->control != control_wanted(chip))
        return TURN_CONTROL;
    return now_ms - chip->checked_ms >= CHECK_MS ? TURN_CHECK : TURN_NONE;
}

bool mpr121_begin(struct mpr121 *chip, struct port *port, const struct settings *settings,
                  uint8_t *in, uint32_t now_ms)
{
    uint8_t out[PORT_BUS_OUT], out_count = 1, in_count = 0;
    if (chip->restart) {
        chip->restart = false;
        chip->turn = TURN_CLEAR;
        chip->due_ms = now_ms;
    }
    if (chip->turn < TURN_NONE && (int32_t)(now_ms - chip->due_ms) < 0)
        return false;
    chip->turn = (uint8_t)next_turn(chip, now_ms);
    switch ((enum turn)chip->turn) {
    case TURN_NONE:
        return false;
    case TURN_CLEAR:
        out_count = put(out, OVER_CURRENT_FLAG, 0x80);
        break;
    case TURN_RESET:
        out_count = put(out, SOFT_RESET, 0x63);
        break;
    case TURN_IDENTIFY:
        out[0] = IDENTITY;
        in_count = IDENTITY_BYTES;
        break;
    case TURN_WRITE:
        out_count = mpr121_block(chip->block, chip->pads, settings, out);
        break;
    case TURN_SETTLE:
    case TURN_COUNTS:
        out[0] = STATUS;
        in_count = MPR121_READ_MOST;
        break;
    case TURN_STATUS:
    case TURN_AGAIN:
        out[0] = STATUS;
        in_count = STATUS_BYTES;
        break;
    case TURN_CONTROL:
        chip->control = control_wanted(chip);
        out_count = put(out, MPR121_CONTROL, chip->control);
        break;
    case TURN_LOOK:
    case TURN_CHECK:
        out[0] = MPR121_CHECKED;
        in_count = MPR121_CHECKED_BYTES;
        break;
    }
    port_bus_begin(port, chip->address, out, out_count, in, in_count);
    return true;
}

static void end_start(struct mpr121 *chip, const uint8_t *in, uint32_t now_ms)
{
    static const uint8_t identity[IDENTITY_BYTES] = {0x00, 0x10, 0x24, 0x00};
    chip->due_ms = now_ms;
    switch ((enum turn)chip->turn) {
    case TURN_CLEAR:
        chip->turn = TURN_RESET;
        break;
    case TURN_RESET:
        chip->turn = TURN_IDENTIFY;
        chip->due_ms += RESET_MS;
        break;
    case TURN_IDENTIFY:
        if (memcmp(in, identity, sizeof identity) != 0) {
            give_up(chip, MPR121_NOT_ANSWERING, now_ms);
            break;
        }
        chip->turn = TURN_WRITE;
        chip->block = 0;
        break;
    case TURN_WRITE:
        if (++chip->block == MPR121_BLOCKS) {
            chip->turn = TURN_SETTLE;
            chip->since_ms = now_ms;
            chip->due_ms += SETTLE_MS;
        }
        break;
    default: /* TURN_SETTLE */
        chip->due_ms += SETTLE_MS;
        if (possible(chip, in) && word(in) & OVER_CURRENT) {
            give_up(chip, MPR121_OVER_CURRENT, now_ms);
        } else if (now_ms - chip->since_ms > SETTLE_MOST_MS) {
            give_up(chip, MPR121_NOT_ANSWERING, now_ms);
        } else if (possible(chip, in)) {
            take_counts(chip, in);
            chip->range = word(in + OUT_OF_RANGE) & MPR121_CHANNELS;
            if (all_measured(chip))
                take_up(chip, now_ms);
        }
    }
}

static void end_scan(struct mpr121 *chip, const struct settings *settings, const uint8_t *in,
                     uint32_t now_ms)
{
    uint16_t status = word(in);
    if (!possible(chip, in)) {
        scanned(chip); /* the next scan begins with the first of the three reads again */
        return;
    }
    take_range(chip, in);
    switch ((enum turn)chip->turn) {
    case TURN_STATUS:
        chip->first = status;
        if (status != 0 || chip->touched != 0 || chip->counts) {
            chip->turn = TURN_COUNTS;
        } else {
            chip->was_above = 0;
            scanned(chip);
        }
        break;
    case TURN_COUNTS:
        chip->second = status;
        chip->counts = false;
        take_counts(chip, in);
        weigh(chip, settings);
        if ((chip->first ^ chip->touched) & (status ^ chip->touched))
            chip->turn = TURN_AGAIN;
        else
            scanned(chip);
        break;
    default: /* TURN_AGAIN */
        if (chip->first & chip->second & status & OVER_CURRENT) {
            give_up(chip, MPR121_OVER_CURRENT, now_ms);
            break;
        }
        decide(chip, settings, status);
        scanned(chip);
    }
}

void mpr121_end(struct mpr121 *chip, enum bus_status status, const struct settings *settings,
                const uint8_t *in, uint32_t now_ms)
{
    if (chip->restart)
        return;
    if (status != BUS_DONE) {
        give_up(chip, MPR121_NOT_ANSWERING, now_ms);
        return;
    }
    switch ((enum turn)chip->turn) {
    case TURN_LOOK:
        if (mpr121_as_set(chip->pads, settings, in))
            take_up(chip, now_ms);
        else
            chip->turn = TURN_CLEAR;
        break;
    case TURN_CONTROL:
        chip->turn = TURN_NONE;
        break;
    case TURN_CHECK:
        if (mpr121_as_set(chip->pads, settings, in)) {
            chip->turn = TURN_NONE;
            chip->doubted = false;
            chip->counts = true;
            chip->checked_ms = now_ms;
            if (now_ms - chip->since_ms >= WAIT_MOST_MS)
                chip->wait_ms = WAIT_LEAST_MS;
        } else if (!chip->doubted) {
            chip->doubted = true; /* and read again a little later: it may have been the bus */
            chip->turn = TURN_NONE;
            chip->checked_ms = now_ms - CHECK_MS + DOUBT_MS;
        } else {
            give_up(chip, MPR121_BROWN_OUT, now_ms);
        }
        break;
    case TURN_STATUS:
    case TURN_COUNTS:
    case TURN_AGAIN:
        end_scan(chip, settings, in, now_ms);
        break;
    default:
        end_start(chip, in, now_ms);
    }
}
