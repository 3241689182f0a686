#include "mpr121.h"

#include <string.h>

#include "mpr121_reading.h"
#include "mpr121_setting.h"

enum { OVER_CURRENT = 0x01, IDENTITY = 0x5B, SOFT_RESET = 0x80 };

#define STATUS_BYTES 4
#define IDENTITY_BYTES 4

#define RESET_MS 2      /* at least 1 ms, by a clock of whole milliseconds */
#define SETTLE_MS 10    /* between two checks that all electrodes are measured */
#define SETTLE_TIMEOUT_MS 200
#define CHECK_MS 100    /* a chip that lost its settings answers, but feels nothing */
#define DOUBT_MS 10
#define MIN_BACKOFF_MS 10
#define MAX_BACKOFF_MS 1000

/* Purpose of a transfer. Before TURN_NONE the chip is starting; from it on, the chip is ready. */
enum turn {
    TURN_CLEAR,    /* start: clear the over-current flag */
    TURN_RESET,    /* reset the chip */
    TURN_IDENTIFY, /* check that it is an MPR121, and that it has reset */
    TURN_WRITE,    /* write block after block; the last one lets it run */
    TURN_SETTLE,   /* wait until every electrode is measured */
    TURN_NONE,
    TURN_STATUS,   /* scan: first read of the touch bits */
    TURN_COUNTS,   /* second read, with the counts */
    TURN_AGAIN,    /* third read, only if something has changed */
    TURN_CONTROL,  /* freeze or unfreeze the baselines */
    TURN_CHECK     /* check that it still has its settings */
};

static uint8_t control_wanted(const struct mpr121 *chip)
{
    return mpr121_control(chip->pads, chip->frozen ? MPR121_FROZEN : MPR121_FOLLOW);
}

static void give_up(struct mpr121 *chip, enum mpr121_fault fault, uint32_t now_ms)
{
    chip->turn = TURN_CLEAR;
    chip->ready = false;
    chip->touched = chip->heavy = 0;
    mpr121_forget_suspicion(chip);
    chip->fault = (uint8_t)fault;
    chip->lost = true;
    chip->due_ms = now_ms + chip->wait_ms;
    chip->wait_ms = chip->wait_ms > MAX_BACKOFF_MS / 2 ? MAX_BACKOFF_MS : (uint16_t)(2 * chip->wait_ms);
}

static void take_up(struct mpr121 *chip, uint32_t now_ms)
{
    chip->started++;
    if (chip->lost)
        chip->found++;
    chip->out_of_range = chip->range;
    chip->lost = chip->doubted = false;
    chip->ready = chip->scan = true;
    chip->turn = TURN_NONE;
    chip->control = 0; /* differs from the wanted value, so it will be written */
    chip->lifted = chip->was_above = chip->was_below = 0;
    memset(chip->before, 0, sizeof chip->before);
    mpr121_forget_noise(chip);
    chip->since_ms = (uint16_t)now_ms;
    chip->due_ms = now_ms + CHECK_MS;
}

static void scanned(struct mpr121 *chip)
{
    chip->turn = TURN_NONE;
    chip->scan = chip->regular = false;
}

void mpr121_init(struct mpr121 *chip, uint8_t address, const uint8_t *pads)
{
    memset(chip, 0, sizeof *chip);
    chip->address = address;
    chip->pads = pads;
    chip->wait_ms = MIN_BACKOFF_MS;
    mpr121_restart(chip);
}

void mpr121_restart(struct mpr121 *chip)
{
    chip->restart = true;
    chip->ready = false;
    chip->touched = chip->heavy = 0;
    mpr121_forget_suspicion(chip);
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
    if (chip->scan || (chip->perhaps != 0 && mpr121_value_ms(chip, now_ms) == 0))
        return TURN_STATUS;
    if (chip->control != control_wanted(chip))
        return TURN_CONTROL;
    return (int32_t)(now_ms - chip->due_ms) >= 0 ? TURN_CHECK : TURN_NONE;
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
        out_count = put(out, OVER_CURRENT, 0x80);
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
        out[0] = MPR121_STATUS;
        in_count = MPR121_MAX_READ_BYTES;
        break;
    case TURN_STATUS:
    case TURN_AGAIN:
        out[0] = MPR121_STATUS;
        in_count = STATUS_BYTES;
        break;
    case TURN_CONTROL:
        chip->control = control_wanted(chip);
        out_count = put(out, MPR121_CONTROL, chip->control);
        break;
    case TURN_CHECK:
        out[0] = MPR121_CHECKED;
        in_count = MPR121_CHECKED_BYTES;
        break;
    }
    port_bus_begin(port, chip->address, out, out_count, in, in_count);
    return true;
}

uint32_t mpr121_next_ms(const struct mpr121 *chip, uint32_t now_ms)
{
    const uint32_t value_ms = now_ms + mpr121_value_ms(chip, now_ms);
    return chip->perhaps != 0 && (int32_t)(value_ms - chip->due_ms) < 0 ? value_ms : chip->due_ms;
}

static void end_start(struct mpr121 *chip, const uint8_t *in, uint32_t now_ms)
{
    static const uint8_t identity[IDENTITY_BYTES] = {0x00, 0x10, 0x24, 0x00};
    bool possible;
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
            chip->since_ms = (uint16_t)now_ms;
            chip->due_ms += SETTLE_MS;
        }
        break;
    default: /* TURN_SETTLE */
        chip->due_ms += SETTLE_MS;
        possible = mpr121_possible(in, true);
        if (possible && mpr121_word(in) & MPR121_EXCESS) {
            give_up(chip, MPR121_OVER_CURRENT, now_ms);
        } else if ((uint16_t)(now_ms - chip->since_ms) > SETTLE_TIMEOUT_MS) {
            give_up(chip, MPR121_NOT_ANSWERING, now_ms);
        } else if (possible) {
            mpr121_take_counts(chip, in);
            chip->range = mpr121_word(in + MPR121_OUT_OF_RANGE) & MPR121_CHANNELS;
            if (mpr121_all_measured(chip))
                take_up(chip, now_ms);
        }
    }
}

static void end_scan(struct mpr121 *chip, const struct settings *settings, const uint8_t *in,
                     uint32_t now_ms)
{
    uint16_t status = mpr121_word(in), proven;
    bool changed;
    if (!mpr121_possible(in, chip->turn == TURN_COUNTS)) {
        scanned(chip); /* the next scan begins with the first of the three reads again */
        return;
    }
    mpr121_take_range(chip, in);
    switch ((enum turn)chip->turn) {
    case TURN_STATUS:
        chip->first = status;
        if (status != 0 || chip->touched != 0 ||
            (chip->regular && (chip->counts || (chip->noisy | chip->swung | chip->swung_again) != 0))) {
            chip->turn = TURN_COUNTS;
        } else {
            chip->was_above = 0;
            mpr121_forget_suspicion(chip);
            scanned(chip);
        }
        break;
    case TURN_COUNTS:
        chip->second = status;
        proven = mpr121_suspect(chip, settings, in, now_ms);
        /* Noise and means are watched at equal times; in noise the chip calls often. A touch is
         * decided with the counts that prove it. */
        if (chip->regular || proven != 0) {
            chip->counts = false;
            mpr121_watch_noise(chip, settings, in);
            mpr121_take_counts(chip, in);
            mpr121_weigh(chip, settings, now_ms);
        }
        changed = status != chip->first;
        /* A touch that is not proven yet is none in these reads. */
        chip->first &= (uint16_t)(chip->touched | proven | ~(unsigned)MPR121_CHANNELS);
        if ((chip->first ^ chip->touched) & (status ^ chip->touched))
            chip->turn = TURN_AGAIN;
        else if (changed)
            chip->turn = TURN_NONE; /* changed between reads: scan again without interrupt */
        else
            scanned(chip);
        break;
    default: /* TURN_AGAIN */
        if (chip->first & chip->second & status & MPR121_EXCESS) {
            give_up(chip, MPR121_OVER_CURRENT, now_ms);
            break;
        }
        mpr121_decide(chip, settings, status);
        if (status != chip->second)
            chip->turn = TURN_NONE;
        else
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
    case TURN_CONTROL:
        chip->turn = TURN_NONE;
        break;
    case TURN_CHECK:
        if (mpr121_as_set(chip->pads, settings, in)) {
            chip->turn = TURN_NONE;
            chip->doubted = false;
            chip->counts = true;
            chip->due_ms = now_ms + CHECK_MS;
            if ((uint16_t)(now_ms - chip->since_ms) >= MAX_BACKOFF_MS)
                chip->wait_ms = MIN_BACKOFF_MS;
        } else if (!chip->doubted) {
            chip->doubted = true; /* check again soon: it may have been a bus error */
            chip->turn = TURN_NONE;
            chip->due_ms = now_ms + DOUBT_MS;
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
