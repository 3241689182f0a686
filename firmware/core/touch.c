#include "touch.h"

#include <string.h>

#include "wiring.h"

#define SCAN_MS 10       /* period of the regular scans, which need no interrupt */
#define TRANSFER_TIMEOUT_MS 5
#define UNSEEN_MS 40       /* a finger may lift and touch again in so long without a scan */
#define QUIET_MS 1000
#define HELD_MS 100
#define MISTRUSTED_SCANS 250 /* after a suspicion that came to nothing: noise may cause more */
#define MAX_HAND_SPANS 50  /* × HELD_MS: a longer touch is not a hand but a glass */
#define MAX_HELD_SPANS 250 /* × HELD_MS: a longer touch is masked */
#define MIN_AWAY_SPANS 10  /* × HELD_MS without a touch: ends the mask */
#define RANGE_MS 10000     /* between attempts to get electrodes into range */
#define WATER_PLACES 3     /* more touched places at once mean water */

#define PLACES ((UINT32_C(1) << PLACE_COUNT) - 1)

static const uint8_t pads[CHIP_COUNT][CHANNEL_COUNT] = WIRING_PADS;

/* Return the pads (bit n for pad n) of these channels of a chip. */
static uint32_t pads_of(uint8_t chip, uint16_t channels)
{
    uint32_t set = 0;
    for (uint8_t channel = 0; channels != 0; channel++, channels >>= 1)
        if ((channels & 1) && pads[chip][channel] != NO_PAD)
            set |= UINT32_C(1) << pads[chip][channel];
    return set;
}

static bool more_than(uint8_t most, uint32_t set)
{
    for (; set != 0 && most > 0; most--)
        set &= set - 1;
    return set != 0;
}

void touch_start(struct touch *touch, uint32_t now_ms)
{
    memset(touch, 0, sizeof *touch);
    touch->felt.deaf = PLACES;
    touch->scanned_ms = touch->held_ms = now_ms;
    for (uint8_t i = 0; i < CHIP_COUNT; i++) {
        touch->quiet_ms[i] = (uint16_t)now_ms;
        mpr121_init(&touch->chips[i], (uint8_t)(CHIP_FIRST_ADDRESS + i), pads[i]);
    }
}

static void restart(struct touch *touch, uint8_t i)
{
    mpr121_restart(&touch->chips[i]);
    touch->changed = true;
}

void touch_restart(struct touch *touch)
{
    for (uint8_t i = 0; i < CHIP_COUNT; i++)
        restart(touch, i);
}

/* Clear the masks of a chip that has started with new baselines; count a start after a fault, and
 * note why a chip is lost. */
static void note_starts(struct touch *touch)
{
    struct felt *felt = &touch->felt;
    for (uint8_t i = 0; i < CHIP_COUNT; i++) {
        const struct mpr121 *chip = &touch->chips[i];
        if (chip->started != touch->started[i]) {
            touch->started[i] = chip->started;
            touch->masked[i] = 0;
        }
        if (chip->found != touch->found[i]) {
            touch->found[i] = chip->found;
            felt->restarts++;
        }
        if (chip->lost) /* the Pi says why a chip is away while it is away */
            felt->causes = (uint8_t)((felt->causes & ~(3 << 2 * i)) | chip->fault << 2 * i);
    }
}

/* Return a chip's touched channels, without faint, unreadable and masked ones. */
static uint16_t felt_by(const struct touch *touch, uint8_t i)
{
    const struct mpr121 *chip = &touch->chips[i];
    return (uint16_t)(chip->touched & ~chip->faint & ~chip->out_of_range & ~touch->masked[i]);
}

/* Return the channels of `felt_by` that are not noisy. */
static uint16_t surely_felt_by(const struct touch *touch, uint8_t i)
{
    return (uint16_t)(felt_by(touch, i) & ~touch->chips[i].noisy);
}

/* Return a chip's suspected channels, without faint, unreadable and masked ones. */
static uint16_t suspected_by(const struct touch *touch, uint8_t i)
{
    const struct mpr121 *chip = &touch->chips[i];
    return (uint16_t)(chip->perhaps & ~chip->faint & ~chip->out_of_range & ~touch->masked[i]);
}

/* Increment the high or the low half of a byte. */
static void count(uint8_t *halves, bool high)
{
    if (high)
        *halves = (uint8_t)(*halves + 0x10);
    else
        *halves = (uint8_t)((*halves & 0xF0) | ((*halves + 1) & 0x0F));
}

/* Combine the chips' results into the fields of STATE. */
static void feel(struct touch *touch)
{
    struct felt *felt = &touch->felt;
    uint32_t touched = 0, surely = 0, heavy = 0, deaf = 0;
    uint8_t ready = 0;
    for (uint8_t i = 0; i < CHIP_COUNT; i++) {
        const struct mpr121 *chip = &touch->chips[i];
        uint16_t channels = felt_by(touch, i);
        touched |= pads_of(i, channels);
        surely |= pads_of(i, surely_felt_by(touch, i));
        heavy |= pads_of(i, channels & chip->heavy);
        deaf |= pads_of(i, chip->ready ? chip->out_of_range | touch->masked[i] : MPR121_CHANNELS);
        ready = (uint8_t)(ready | chip->ready << i);
    }
    uint32_t changed = (felt->touched ^ touched) & PLACES;
    for (uint8_t place = 0; changed != 0; place++, changed >>= 1)
        if (changed & 1)
            count(&felt->counters[place / 2], place % 2);
    felt->touched = touched & PLACES;
    felt->heavy = heavy & PLACES;
    felt->deaf = deaf & PLACES;
    felt->chips = ready;
    if (more_than(WATER_PLACES, surely & PLACES))
        felt->water = true;
    /* A touch of the rim is enough, because a sleeve is not heavy; objects that stay are masked.
     * Noisy strips count only if they are heavy: a phone in a call may be on the rim and on a less
     * noisy place. */
    felt->rim = (surely | heavy) >> RIM_FIRST != 0;
}

/* Freeze all baselines while a hand touches a pad: the hand is also above other pads, and their
 * baselines must not follow it. Do not freeze them for a glass, which may stay for hours: baselines
 * must follow their drift. The chip never changes the baseline of a touched pad. */
static void freeze(struct touch *touch)
{
    bool hand = false;
    for (uint8_t i = 0; i < CHIP_COUNT; i++) {
        uint16_t channels = felt_by(touch, i);
        for (uint8_t channel = 0; channels != 0; channel++, channels >>= 1)
            hand = hand || ((channels & 1) && touch->held[i][channel] < MAX_HAND_SPANS);
    }
    for (uint8_t i = 0; i < CHIP_COUNT; i++)
        touch->chips[i].frozen = hand;
}

/* Update the mask of a channel after another `spans` × HELD_MS. Mask a channel that has been
 * touched for too long; end the mask after MIN_AWAY_SPANS without a touch. Also mask a channel that
 * is still touched when its noise has ended, because noise moves the baseline: in the troughs the
 * chip takes the pad for touched and keeps the baseline, so the baseline follows only the crests.
 */
static void watch_channel(struct touch *touch, uint8_t i, uint8_t channel, uint32_t spans)
{
    uint8_t *held = &touch->held[i][channel];
    uint16_t bit = (uint16_t)(1U << channel);
    const struct mpr121 *chip = &touch->chips[i];
    bool touched = chip->touched & bit;
    bool calmed = chip->noisy & ~(chip->swung | chip->swung_again) & bit;
    if (touch->masked[i] & bit) {
        *held = touched ? MAX_HELD_SPANS : *held > MAX_HELD_SPANS - MIN_AWAY_SPANS ? (uint8_t)(*held - 1) : 0;
        if (*held == 0)
            touch->masked[i] &= (uint16_t)~bit;
    } else if (!touched) {
        *held = 0;
    } else if (*held + spans < MAX_HELD_SPANS && !calmed) {
        *held = (uint8_t)(*held + spans);
    } else {
        *held = MAX_HELD_SPANS;
        touch->masked[i] |= bit;
    }
}

static void watch_held(struct touch *touch, uint32_t now_ms)
{
    if (now_ms - touch->held_ms < HELD_MS)
        return;
    uint32_t spans = (now_ms - touch->held_ms) / HELD_MS;
    touch->held_ms += spans * HELD_MS;
    touch->changed = true;
    for (uint8_t i = 0; i < CHIP_COUNT; i++)
        for (uint8_t channel = 0; channel < CHANNEL_COUNT; channel++)
            watch_channel(touch, i, channel, spans);
}

/* Restart a chip, for new baselines, when no channel of it has been touched for QUIET_MS, so that
 * no finger gets into the baselines. This is needed if a channel is masked (an object stays there),
 * lifted (the object is gone) or out of range. The restart waits while a channel is noisy, because
 * the new baseline would be one value of the noise. If no chip has been touched for QUIET_MS, the
 * water is gone. */
static void watch_quiet(struct touch *touch, uint32_t now_ms)
{
    bool quiet = true;
    for (uint8_t i = 0; i < CHIP_COUNT; i++) {
        const struct mpr121 *chip = &touch->chips[i];
        bool again = chip->out_of_range != 0 && (uint16_t)(now_ms - chip->since_ms) >= RANGE_MS;
        if (surely_felt_by(touch, i) != 0)
            touch->quiet_ms[i] = (uint16_t)now_ms;
        if ((uint16_t)(now_ms - touch->quiet_ms[i]) < QUIET_MS) {
            quiet = false;
            continue;
        }
        touch->quiet_ms[i] = (uint16_t)(now_ms - QUIET_MS);
        if (chip->ready && !(chip->noisy & ~touch->masked[i]) &&
            (again || (touch->masked[i] | chip->lifted) != 0))
            restart(touch, i);
    }
    if (quiet)
        touch->felt.water = false;
}

/* The chips were not scanned for UNSEEN_MS, because the caller stood still. Count each touched place
 * as lifted and touched again: a hold then begins anew, and no lift is missed. */
static void doubt(struct felt *felt)
{
    uint32_t touched = felt->touched;
    for (uint8_t place = 0; touched != 0; place++, touched >>= 1)
        if (touched & 1) {
            count(&felt->counters[place / 2], place % 2);
            count(&felt->counters[place / 2], place % 2);
        }
}

/* Begin the next transfer; the chips take turns. */
static void begin_next(struct touch *touch, struct port *port, const struct settings *settings,
                       uint32_t now_ms)
{
    for (uint8_t i = 0; i < CHIP_COUNT; i++) {
        touch->turn = touch->turn + 1 < CHIP_COUNT ? (uint8_t)(touch->turn + 1) : 0;
        if (mpr121_begin(&touch->chips[touch->turn], port, settings, touch->in, now_ms)) {
            touch->under_way = true;
            touch->begun_ms = (uint8_t)now_ms;
            return;
        }
    }
}

bool touch_step(struct touch *touch, struct port *port, const struct settings *settings,
                uint32_t now_ms)
{
    if (touch->under_way) {
        enum bus_status status = port_bus_status(port);
        if (status == BUS_BUSY && (uint8_t)(now_ms - touch->begun_ms) < TRANSFER_TIMEOUT_MS)
            return false;
        if (status == BUS_BUSY || status == BUS_ERROR) {
            port_bus_recover(port);
            status = BUS_ERROR;
        }
        struct mpr121 *chip = &touch->chips[touch->turn];
        const uint16_t suspected = chip->perhaps;
        mpr121_end(chip, status, settings, touch->in, now_ms);
        if (suspected & ~(chip->perhaps | chip->touched))
            touch->mistrusted = MISTRUSTED_SCANS;
        touch->under_way = false;
        touch->changed = true;
        note_starts(touch);
    }
    watch_held(touch, now_ms);
    if (touch->changed) {
        feel(touch);
        freeze(touch);
    }
    touch->changed = false;
    watch_quiet(touch, now_ms);
    if (now_ms - touch->scanned_ms >= UNSEEN_MS)
        doubt(&touch->felt);
    const bool due = now_ms - touch->scanned_ms >= SCAN_MS ||
                     (uint8_t)(now_ms - touch->regular_ms) >= SCAN_MS;
    if (now_ms != touch->scanned_ms && (due || port_touch_changed(port))) {
        touch->scanned_ms = now_ms;
        for (uint8_t i = 0; i < CHIP_COUNT; i++) {
            touch->chips[i].scan = touch->chips[i].ready;
            touch->chips[i].regular |= due;
        }
        if (due) { /* read one chip's counts, in turn: `look_back` needs them */
            touch->regular_ms = (uint8_t)now_ms;
            if (touch->mistrusted > 0)
                touch->mistrusted--;
            touch->counted = touch->counted + 1 < CHIP_COUNT ? (uint8_t)(touch->counted + 1) : 0;
            touch->chips[touch->counted].counts = true;
        }
    }
    begin_next(touch, port, settings, now_ms);
    return touch->under_way && port_bus_status(port) != BUS_BUSY;
}

uint32_t touch_next_ms(const struct touch *touch, const struct port *port, uint32_t now_ms)
{
    const uint32_t soon_ms = now_ms + 1;
    if (touch->under_way || port_touch_changed(port))
        return soon_ms;
    const uint8_t since_ms = (uint8_t)(now_ms - touch->regular_ms);
    uint32_t next_ms = since_ms < SCAN_MS ? now_ms + SCAN_MS - since_ms : soon_ms;
    for (uint8_t i = 0; i < CHIP_COUNT; i++) {
        const uint32_t chip_ms = mpr121_next_ms(&touch->chips[i], now_ms);
        if ((int32_t)(chip_ms - next_ms) < 0)
            next_ms = chip_ms;
    }
    return (int32_t)(next_ms - soon_ms) < 0 ? soon_ms : next_ms;
}

uint32_t touch_perhaps(const struct touch *touch)
{
    uint32_t perhaps = 0;
    for (uint8_t i = 0; i < CHIP_COUNT && touch->mistrusted == 0; i++)
        perhaps |= pads_of(i, suspected_by(touch, i));
    return perhaps & PLACES & ~touch->felt.deaf;
}

uint32_t touch_noisy(const struct touch *touch)
{
    uint32_t noisy = 0;
    for (uint8_t i = 0; i < CHIP_COUNT; i++) {
        const struct mpr121 *chip = &touch->chips[i];
        if (chip->ready)
            noisy |= pads_of(i, (uint16_t)(chip->noisy & ~chip->out_of_range & ~touch->masked[i]));
    }
    return noisy;
}

void touch_want_raw(struct touch *touch)
{
    for (uint8_t i = 0; i < CHIP_COUNT; i++)
        touch->chips[i].counts = true;
}

bool touch_raw_ready(const struct touch *touch)
{
    for (uint8_t i = 0; i < CHIP_COUNT; i++)
        if (touch->chips[i].ready && touch->chips[i].counts)
            return false;
    return true;
}

struct raw touch_raw(const struct touch *touch, uint8_t pad)
{
    struct raw raw = {.filtered = 0xFFFF, .baseline = 0};
    for (uint8_t i = 0; i < CHIP_COUNT; i++)
        for (uint8_t channel = 0; channel < CHANNEL_COUNT; channel++) {
            const struct mpr121 *chip = &touch->chips[i];
            bool readable = chip->ready && !(chip->out_of_range >> channel & 1);
            if (pads[i][channel] != pad || !readable)
                continue;
            raw.filtered = chip->filtered[channel];
            raw.baseline = (uint16_t)(chip->baseline[channel] * 4);
        }
    return raw;
}
