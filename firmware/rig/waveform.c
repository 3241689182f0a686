#include "waveform.h"

/* Highs and lows of a zero and of a one by the WS2812's data sheet. The unit is half a nanosecond,
 * because a cycle is 62.5 ns. Newer parts latch after a low of 280 µs. */
#define HALF_NS_A_CYCLE (2000000000U / CPU_HZ)
#define ZERO_HIGH 800
#define ZERO_LOW 1700
#define ONE_HIGH 1600
#define ONE_LOW 900
#define BETWEEN ((ZERO_HIGH + ONE_HIGH) / 2) /* a longer high is a one */
#define LATCH_CYCLES (280U * CPU_CYCLES_A_US)
#define BITS_A_LIGHT 24

static void measure(struct waveform *waveform, cycles length, int64_t wanted)
{
    const int64_t off = (int64_t)(length * HALF_NS_A_CYCLE) - wanted;
    const uint64_t far = (uint64_t)(off < 0 ? -off : off);
    if (far > waveform->bit_worst_half_ns)
        waveform->bit_worst_half_ns = far;
}

static void rise(struct waveform *waveform, cycles low)
{
    if (waveform->bits == 0) {
        waveform->begun = waveform->edge;
        strip_begin(waveform->strip, cpu_now_us(waveform->cpu));
    } else if (waveform->bits % BITS_A_LIGHT != 0) {
        measure(waveform, low, waveform->one ? ONE_LOW : ZERO_LOW);
    } else if (low > waveform->gap_worst) {
        waveform->gap_worst = low;
    }
    cpu_schedule(waveform->cpu, &waveform->unit, CPU_NEVER);
}

static void fall(struct waveform *waveform, cycles high)
{
    const size_t byte = waveform->bits / 8;
    waveform->one = high * HALF_NS_A_CYCLE > BETWEEN;
    measure(waveform, high, waveform->one ? ONE_HIGH : ZERO_HIGH);
    if (byte < STRIP_BYTES)
        waveform->bytes[byte] = (uint8_t)(waveform->bytes[byte] << 1 | waveform->one);
    waveform->bits++;
    cpu_schedule(waveform->cpu, &waveform->unit, waveform->edge + LATCH_CYCLES);
}

void waveform_level(struct waveform *waveform, bool high)
{
    const cycles now = waveform->cpu->avr->cycle, length = now - waveform->edge;
    if (high == waveform->high)
        return;
    waveform->high = high;
    waveform->edge = now;
    if (high)
        rise(waveform, length);
    else
        fall(waveform, length);
}

static void latch(void *self)
{
    struct waveform *waveform = self;
    const size_t bytes = waveform->bits / 8;
    strip_latch(waveform->strip, waveform->bytes, bytes < STRIP_BYTES ? bytes : STRIP_BYTES,
                waveform->begun / CPU_CYCLES_A_US, cpu_now_us(waveform->cpu));
    waveform->bits = 0;
    waveform->cpu->stop = true;
    cpu_schedule(waveform->cpu, &waveform->unit, CPU_NEVER);
}

/* The chip releases the line, which is then low. A bit that this cuts short does not count. */
static void reset(void *self, bool power)
{
    struct waveform *waveform = self;
    if (waveform->high)
        waveform->edge = waveform->cpu->avr->cycle;
    waveform->high = false;
    if (power) {
        strip_power(waveform->strip);
        waveform->bits = 0;
    }
    cpu_schedule(waveform->cpu, &waveform->unit,
                 waveform->bits > 0 ? waveform->edge + LATCH_CYCLES : CPU_NEVER);
}

void waveform_start(struct waveform *waveform, struct cpu *cpu, struct strip *strip)
{
    *waveform = (struct waveform){.cpu = cpu, .strip = strip};
    waveform->unit = (struct unit){.act = latch, .reset = reset, .self = waveform};
    cpu_attach(cpu, &waveform->unit);
}
