#include "touch.h"

#include <string.h>

#include "wiring.h"

#define SCAN_MS 10       /* also when the interrupt line does not call: its edge may be lost */
#define TRANSFER_TIMEOUT_MS 5
#define QUIET_MS 1000
#define HELD_MS 100
#define MAX_HAND_SPANS 50  /* × HELD_MS: no hand stays so long, but a glass does */
#define MAX_HELD_SPANS 250 /* × HELD_MS: longer than anybody means to point at a cell */
#define MIN_AWAY_SPANS 10  /* × HELD_MS away before it counts again */
#define RANGE_MS 10000     /* from one to the next attempt to get electrodes into range */
#define WATER_PLACES 3     /* more at once is no finger */

#define PLACES ((UINT32_C(1) << PLACE_COUNT) - 1)

static const uint8_t pads[CHIP_COUNT][CHANNEL_COUNT] = WIRING_PADS;

/* The pads of a chip's channels. */
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
        touch->quiet_ms[i] = now_ms;
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

/* A chip that was given new baselines has none of its pads masked; one that came back after a
 * fault is counted. */
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
            felt->causes = (uint8_t)((felt->causes & ~(3 << 2 * i)) | chip->fault << 2 * i);
        }
    }
}

/* The channels of a chip that are felt; none that is deaf is. */
static uint16_t felt_by(const struct touch *touch, uint8_t i)
{
    const struct mpr121 *chip = &touch->chips[i];
    return (uint16_t)(chip->touched & ~chip->faint & ~chip->out_of_range & ~touch->masked[i]);
}

/* Those of them that no noise makes doubtful. */
static uint16_t surely_felt_by(const struct touch *touch, uint8_t i)
{
    return (uint16_t)(felt_by(touch, i) & ~touch->chips[i].noisy);
}

/* One more in a half of a byte, the low or the high one. */
static void count(uint8_t *halves, bool high)
{
    if (high)
        *halves = (uint8_t)(*halves + 0x10);
    else
        *halves = (uint8_t)((*halves & 0xF0) | ((*halves + 1) & 0x0F));
}

/* Combine the chips' results into those of STATE. */
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
    /* A touch is enough, since a sleeve is not heavy; long-lasting objects are masked. Under noise
     * only heavy counts: a phone in a call may lie across the rim, on a place with less noise. */
    felt->rim = (surely | heavy) >> RIM_FIRST != 0;
}

/* A hand that touches something is above other pads too, whose baselines are not to follow it. A
 * glass is not, and while it stands there the others have to follow their drift: of what is touched
 * itself the chip keeps the baseline anyway. */
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

/* `spans` × HELD_MS more have passed: mask what has been touched for too long, and do so no more
 * once it has been away for a while. Mask at once what noise has left: while it goes on, the chip's
 * baseline follows the crests, for in the troughs it takes the pad for touched. */
static void watch_channel(struct touch *touch, uint8_t i, uint8_t channel, uint32_t spans)
{
    uint8_t *held = &touch->held[i][channel];
    uint16_t bit = (uint16_t)(1U << channel);
    const struct mpr121 *chip = &touch->chips[i];
    bool touched = chip->touched & bit;
    bool calmed = chip->noisy & ~(chip->once | chip->twice) & bit;
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

/* Where nothing else of a chip has been touched for QUIET_MS, and something lies there to be
 * calibrated away, or has been lifted that was, new baselines have nobody's finger in them; but not
 * while there is noise, of which they would keep one value. And where nothing at all has been, the
 * water is gone. */
static void watch_quiet(struct touch *touch, uint32_t now_ms)
{
    bool quiet = true;
    for (uint8_t i = 0; i < CHIP_COUNT; i++) {
        const struct mpr121 *chip = &touch->chips[i];
        bool again = chip->out_of_range != 0 && now_ms - chip->since_ms >= RANGE_MS;
        if (surely_felt_by(touch, i) != 0)
            touch->quiet_ms[i] = now_ms;
        if (now_ms - touch->quiet_ms[i] < QUIET_MS)
            quiet = false;
        else if (chip->ready && !(chip->noisy & ~touch->masked[i]) &&
                 (again || (touch->masked[i] | chip->lifted) != 0))
            restart(touch, i);
    }
    if (quiet)
        touch->felt.water = false;
}

/* In turn. */
static void begin_next(struct touch *touch, struct port *port, const struct settings *settings,
                       uint32_t now_ms)
{
    for (uint8_t i = 0; i < CHIP_COUNT; i++) {
        touch->turn = touch->turn + 1 < CHIP_COUNT ? (uint8_t)(touch->turn + 1) : 0;
        if (mpr121_begin(&touch->chips[touch->turn], port, settings, touch->in, now_ms)) {
            touch->under_way = true;
            touch->begun_ms = now_ms;
            return;
        }
    }
}

bool touch_step(struct touch *touch, struct port *port, const struct settings *settings,
                uint32_t now_ms)
{
    if (touch->under_way) {
        enum bus_status status = port_bus_status(port);
        if (status == BUS_BUSY && now_ms - touch->begun_ms < TRANSFER_TIMEOUT_MS)
            return false;
        if (status == BUS_BUSY || status == BUS_ERROR) {
            port_bus_recover(port);
            status = BUS_ERROR;
        }
        mpr121_end(&touch->chips[touch->turn], status, settings, touch->in, now_ms);
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
    const bool due = now_ms - touch->scanned_ms >= SCAN_MS;
    if (now_ms != touch->scanned_ms && (due || port_touch_changed(port))) {
        touch->scanned_ms = now_ms;
        for (uint8_t i = 0; i < CHIP_COUNT; i++)
            touch->chips[i].scan = touch->chips[i].ready;
        if (due) /* read the counts of each in turn, for the load before a touch */
            touch->counted = touch->counted + 1 < CHIP_COUNT ? (uint8_t)(touch->counted + 1) : 0;
        touch->chips[touch->counted].counts |= due;
    }
    begin_next(touch, port, settings, now_ms);
    return touch->under_way && port_bus_status(port) != BUS_BUSY;
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
