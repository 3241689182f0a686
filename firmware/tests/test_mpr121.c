/* One chip: what is written to it, in which order, and how it is tried anew. */
#include "fake_chips.h"

#include "check.h"

#define VALUE_MS 5 /* as mpr121_reading.c has it */

static struct mpr121 chip;
static struct port port;
static struct settings settings;
static uint8_t in[MPR121_MAX_READ_BYTES];

static const char *row_of(unsigned row)
{
    static char text[20];
    snprintf(text, sizeof text, "row %u", row);
    return text;
}

static void switch_on(uint8_t number)
{
    settings_defaults(&settings);
    fake_power(&port, 0);
    mpr121_init(&chip, (uint8_t)(CHIP_FIRST_ADDRESS + number), pads[number]);
}

/* All that is due in each millisecond is done in it. Answers how many transfers that were. */
static unsigned pass(uint32_t ms)
{
    unsigned transfers = 0;
    while (ms-- > 0) {
        fake_time(&port);
        while (mpr121_begin(&chip, &port, &settings, in, port.now_ms)) {
            mpr121_end(&chip, port.status, &settings, in, port.now_ms);
            transfers++;
            check(transfers < 10000);
        }
    }
    return transfers;
}

static unsigned scan(void)
{
    chip.scan = true;
    return pass(1);
}

static void it_is_set_as_the_data_sheet_says(void)
{
    static const struct {
        uint8_t address, byte[CHIP_COUNT];
    } rows[] = {
        {0x2B, {1, 1, 1}}, {0x2C, {1, 1, 1}}, {0x2E, {46, 46, 46}},       /* baseline, rising */
        {0x2F, {1, 1, 1}}, {0x30, {1, 1, 1}}, {0x32, {46, 46, 46}},       /* falling */
        {0x33, {0, 0, 0}},                                                /* touched */
        {0x41, {6, 6, 6}}, {0x42, {4, 4, 4}},                             /* channel 0 */
        {0x51, {6, 6, 0xFF}}, {0x52, {4, 4, 0xFE}},                       /* channel 8 */
        {0x55, {6, 6, 0xFF}}, {0x57, {6, 0xFF, 0xFF}}, {0x58, {4, 0xFE, 0xFE}},
        {0x5B, {0x20, 0x20, 0x20}},                                       /* debounce */
        {0x5C, {0x50, 0x50, 0x50}}, {0x5D, {0x20, 0x20, 0x20}},           /* 4 × 1 ms */
        {0x7B, {0x4D, 0x4D, 0x4D}}, {0x7C, {0, 0, 0}},                    /* auto-configuration */
        {0x7D, {201, 201, 201}}, {0x7E, {130, 130, 130}}, {0x7F, {180, 180, 180}},
        {0x5E, {0x0C, 0x0B, 0x08}},                                       /* electrodes in use */
    };
    for (uint8_t number = 0; number < CHIP_COUNT; number++) {
        switch_on(number);
        pass(50);
        check(chip.ready);
        check(chip.started == 1 && chip.found == 0);
        check(port.chips[number].ignored == 0);
        for (unsigned row = 0; row < sizeof rows / sizeof rows[0]; row++)
            check_row(row_of(row),
                      port.chips[number].registers[rows[row].address] == rows[row].byte[number]);
    }
}

static void each_electrode_has_the_thresholds_of_its_pad(void)
{
    for (uint8_t number = 0; number < CHIP_COUNT; number++) {
        switch_on(number);
        for (uint8_t pad = 0; pad < PAD_COUNT; pad++) {
            settings.touch[pad] = (uint8_t)(40 + pad);
            settings.release[pad] = (uint8_t)(5 + pad);
        }
        pass(50);
        for (uint8_t channel = 0; channel < CHANNEL_COUNT; channel++) {
            const uint8_t *threshold = &port.chips[number].registers[0x41 + 2 * channel];
            uint8_t pad = pads[number][channel];
            if (pad == NO_PAD)
                continue;
            check_row(row_of(channel), threshold[0] == 40 + pad - 1);
            check_row(row_of(channel), threshold[1] == 5 + pad);
        }
    }
}

/* The table of the tries: 10 ms, and twice as long every time, up to a second. */
static void who_does_not_answer_is_tried_ever_more_seldom(void)
{
    static const uint32_t at_ms[] = {1, 11, 31, 71, 151, 311, 631, 1271, 2271, 3271};
    unsigned tries = 0;
    switch_on(0);
    port.chips[0].away = true;
    while (port.now_ms < 3500)
        if (pass(1) > 0) {
            check_row(row_of(tries), tries < 10 && port.now_ms == at_ms[tries]);
            tries++;
        }
    check(tries == 10);
    check(!chip.ready && chip.fault == MPR121_NOT_ANSWERING);
    port.chips[0].away = false;
    pass(1050);
    check(chip.ready && chip.found == 1);
}

static void what_is_no_mpr121_is_not_used(void)
{
    static const struct {
        uint8_t address, byte;
    } rows[] = {{0x5B, 0x21}, {0x5C, 0x11}, {0x5D, 0x25}, {0x5E, 0x0C}};
    for (unsigned row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        switch_on(0);
        pass(1);
        port.chips[0].registers[rows[row].address] = rows[row].byte;
        pass(3);
        check_row(row_of(row), !chip.ready && chip.lost);
        pass(60);
        check_row(row_of(row), chip.ready);
    }
}

static void it_is_not_ready_before_all_is_measured(void)
{
    switch_on(0);
    pass(4);
    check(fake_runs(&port.chips[0]));
    port.chips[0].sample_ms = 150;
    pass(145);
    check(!chip.ready);
    pass(20);
    check(chip.ready);
}

static void an_electrode_that_cannot_be_measured_does_not_keep_the_others_away(void)
{
    switch_on(0);
    port.chips[0].load[3] = REST; /* short-circuited */
    pass(100);
    check(!chip.ready);
    pass(400);
    check(!chip.ready);
    switch_on(0);
    port.chips[0].load[3] = REST;
    pass(4);
    port.chips[0].registers[0x02] = 1 << 3;
    pass(40);
    check(chip.ready && chip.out_of_range == 1 << 3);
}

static void a_status_alone_is_read_while_nothing_is_touched(void)
{
    switch_on(0);
    pass(50);
    check(scan() == 1);
    check(!chip.scan);
    port.chips[0].load[2] = 16;
    pass(30);
    check(scan() == 2); /* status, counts */
    check(chip.perhaps == 1 << 2 && chip.touched == 0);
    check(pass(5) == 2); /* the second value, which nobody asked for */
    check(chip.touched == 0);
    check(pass(5) == 3); /* the third: status, counts, status */
    check(chip.touched == 1 << 2 && chip.perhaps == 0);
    check(chip.filtered[2] == REST - 16);
    check(chip.baseline[2] == REST / 4);
    check(scan() == 2); /* status, counts */
}

/* As if these channels had had the load of a touch in the last two values. */
static void suspect(uint16_t channels)
{
    chip.perhaps = chip.twice = channels;
    chip.suspected_ms = (uint8_t)(port.now_ms - VALUE_MS);
}

/* Three reads of a scan, of channels 0 to 3; the counts of 0 to 2 are those of a finger. */
static void what_three_reads_in_a_row_tell_is_so(void)
{
    static const struct {
        uint16_t touched, first, second, third, is;
    } rows[] = {
        {0, 1, 1, 1, 1}, {0, 1, 1, 0, 0}, {0, 1, 0, 1, 0}, {0, 3, 1, 3, 1}, {0, 1, 3, 3, 1},
        {0, 3, 3, 1, 1}, {0, 8, 8, 8, 0}, {0, 15, 15, 15, 7}, {2, 2, 2, 2, 2}, {2, 3, 3, 2, 2},
        {2, 0, 0, 0, 0}, {2, 0, 0, 2, 2}, {2, 0, 2, 0, 2}, {6, 0, 2, 0, 2}, {6, 2, 0, 0, 2},
        {6, 0, 0, 2, 2}, {6, 1, 1, 1, 1}, {2, 0x7002, 2, 2, 2}, {0, 1, 0x1001, 1, 0},
    };
    for (unsigned row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        const uint16_t reads[] = {rows[row].first, rows[row].second, rows[row].third};
        switch_on(0);
        pass(50);
        chip.touched = rows[row].touched;
        chip.scan = true;
        suspect(MPR121_CHANNELS);
        for (int i = 0; i < 3 && mpr121_begin(&chip, &port, &settings, in, port.now_ms); i++) {
            for (uint8_t channel = 0; channel < 3; channel++)
                in[0x04 + 2 * channel] = (uint8_t)(REST - 16);
            in[0] = (uint8_t)reads[i];
            in[1] = (uint8_t)(reads[i] >> 8);
            mpr121_end(&chip, BUS_DONE, &settings, in, port.now_ms);
        }
        check_row(row_of(row), chip.touched == rows[row].is);
    }
}

/* Reading it has let go the line that calls: nobody else would ask again soon. */
static void what_changes_during_a_scan_is_read_by_the_next_one_at_once(void)
{
    static const struct {
        uint8_t touched, reads[6], is;
    } rows[] = {{2, {2, 3, 3, 3, 3, 3}, 3}, {2, {0, 3, 3, 3, 3, 3}, 3}, {2, {0, 0, 1, 1, 1, 1}, 1},
                {2, {3, 3, 1, 1, 1, 1}, 1}};
    for (unsigned row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        switch_on(0);
        pass(50);
        chip.touched = rows[row].touched;
        chip.scan = true;
        for (int i = 0; i < 6 && chip.scan; i++) {
            check(mpr121_begin(&chip, &port, &settings, in, port.now_ms));
            in[0x04] = in[0x06] = (uint8_t)(REST - 16);
            in[0] = rows[row].reads[i];
            suspect(MPR121_CHANNELS);
            mpr121_end(&chip, BUS_DONE, &settings, in, port.now_ms);
        }
        check_row(row_of(row), !chip.scan);
        check_row(row_of(row), chip.touched == rows[row].is);
    }
}

static void what_was_lifted_is_seen_twice(void)
{
    static const struct {
        uint16_t counts[2];
        bool lifted;
    } rows[] = {{{REST + 16, REST + 16}, true}, {{REST, REST + 16}, false},
                {{REST + 16, REST}, false}, {{REST + 8, REST + 8}, false},
                {{REST + 12, REST + 12}, true}};
    for (unsigned row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        switch_on(0);
        pass(50);
        for (int i = 0; i < 2; i++) {
            chip.scan = chip.regular = chip.counts = true;
            for (unsigned transfers = 0;
                 chip.scan && mpr121_begin(&chip, &port, &settings, in, port.now_ms); transfers++) {
                check_row(row_of(row), transfers < 10); /* or the scan never ends */
                in[0x04] = (uint8_t)rows[row].counts[i];
                in[0x05] = (uint8_t)(rows[row].counts[i] >> 8);
                mpr121_end(&chip, BUS_DONE, &settings, in, port.now_ms);
            }
        }
        check_row(row_of(row), chip.lifted == rows[row].lifted);
        check_row(row_of(row), chip.touched == 0);
    }
}

static void over_current_is_believed_at_the_third_time(void)
{
    static const struct {
        uint8_t high[3];
        bool ready;
    } rows[] = {{{0x80, 0x80, 0x80}, false}, {{0x80, 0, 0x80}, true}, {{0x80, 0x80, 0}, true},
                {{0, 0x80, 0x80}, true}};
    for (unsigned row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        switch_on(0);
        pass(50);
        chip.touched = 2;
        chip.scan = true;
        for (int i = 0; i < 3 && mpr121_begin(&chip, &port, &settings, in, port.now_ms); i++) {
            in[1] = rows[row].high[i];
            mpr121_end(&chip, BUS_DONE, &settings, in, port.now_ms);
        }
        check_row(row_of(row), chip.ready == rows[row].ready);
    }
}

/* The status tells a touch three times, and the counts do not bear it out. */
static void a_status_that_the_counts_do_not_bear_out_is_no_touch(void)
{
    static const struct {
        uint16_t load;
        bool touched;
    } rows[] = {{0, false}, {3, false}, {4, true}, {7, true}}; /* and 3 that the chip keeps to itself */
    for (unsigned row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        switch_on(0);
        pass(40);
        port.chips[0].load[2] = rows[row].load;
        pass(8);
        port.chips[0].registers[0x00] = 1 << 2;
        scan();
        pass(10);
        check_row(row_of(row), (chip.touched != 0) == rows[row].touched);
    }
}

/* Loads of three values in a row; and what the reads between them see. */
static void a_touch_needs_three_values_in_a_row(void)
{
    static const struct {
        uint16_t load[5];
        unsigned touched_from; /* number of the value with which it is touched; 5: none */
    } rows[] = {{{16, 16, 16, 16, 16}, 2}, {{16, 0, 16, 16, 16}, 4}, {{16, 16, 0, 16, 16}, 5},
                {{0, 16, 16, 16, 0}, 3},   {{16, 3, 16, 16, 3}, 5},  {{4, 4, 4, 4, 4}, 2}};
    for (unsigned row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        switch_on(0);
        pass(50);
        for (unsigned value = 0; value < 5; value++) {
            for (unsigned ms = 0; ms < VALUE_MS; ms++) { /* the chip's bit stays, as its release is slow */
                const uint16_t count = (uint16_t)(REST - rows[row].load[value]);
                fake_time(&port);
                chip.scan = true;
                for (int i = 0; i < 3 && mpr121_begin(&chip, &port, &settings, in, port.now_ms); i++) {
                    memset(in, 0, sizeof in);
                    for (uint8_t channel = 0; channel < CHANNEL_COUNT; channel++) {
                        in[0x04 + 2 * channel] = (uint8_t)(channel == 2 ? count : REST);
                        in[0x05 + 2 * channel] = (uint8_t)((channel == 2 ? count : REST) >> 8);
                        in[0x1E + channel] = REST / 4;
                    }
                    in[0] = 1 << 2;
                    mpr121_end(&chip, BUS_DONE, &settings, in, port.now_ms);
                }
            }
            check_row(row_of(row), (chip.touched != 0) == (value >= rows[row].touched_from));
            check_row(row_of(row), (chip.perhaps != 0) ==
                      (rows[row].load[value] >= 4 && value < rows[row].touched_from));
        }
    }
}

/* A reading of the same value may see it a little earlier or later: it can only end a suspicion. */
static void a_reading_below_the_threshold_ends_a_suspicion_at_any_time(void)
{
    switch_on(0);
    pass(50);
    suspect(1);
    port.chips[0].registers[0x00] = 1;
    chip.suspected_ms = (uint8_t)port.now_ms; /* the next value is not due yet */
    scan();
    check(chip.perhaps == 0 && chip.twice == 0);
    switch_on(0);
    pass(50);
    suspect(1);
    port.chips[0].registers[0x00] = 0; /* as after a reset of the chip */
    scan();
    check(chip.perhaps == 0 && chip.twice == 0);
}

static void it_is_looked_after_every_hundred_milliseconds(void)
{
    static const struct {
        uint8_t address, byte;
    } rows[] = {{0x57, 7}, {0x58, 1}, {0x5B, 0}, {0x5D, 0x24}, {0x5E, 0x00}};
    for (unsigned row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        switch_on(0);
        pass(500);
        check_row(row_of(row), chip.ready && chip.fault == MPR121_NO_FAULT);
        port.chips[0].registers[rows[row].address] = rows[row].byte;
        pass(111);
        check_row(row_of(row), chip.fault == MPR121_BROWN_OUT);
        pass(60);
        check_row(row_of(row), chip.ready && chip.found == 1 && chip.started == 2);
    }
}

static void one_wrong_look_is_not_believed(void)
{
    switch_on(0);
    pass(400);
    port.chips[0].registers[0x5B] = 0;
    do_until(chip.doubted, 200, pass(1));
    port.chips[0].registers[0x5B] = 0x20;
    pass(200);
    check(chip.ready && chip.found == 0 && !chip.doubted);
}

/* Who has been well for a second is tried again in 10 ms. */
static void who_fails_again_soon_has_to_wait_longer(void)
{
    static const struct {
        uint32_t well_ms, wait_ms;
    } rows[] = {{2000, 10}, {300, 20}, {300, 40}, {900, 80}, {1200, 10}, {100, 20}};
    switch_on(0);
    pass(50);
    for (unsigned row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        uint32_t waited_ms = 1;
        pass(rows[row].well_ms);
        port.chips[0].away = true;
        scan();
        check_row(row_of(row), !chip.ready);
        port.chips[0].away = false;
        do_until(pass(1) > 0, 2000, waited_ms++);
        do_until(chip.ready, 1000, pass(1));
        check_row(row_of(row), waited_ms == rows[row].wait_ms);
    }
}

static void nonsense_is_not_asked_for_again_at_once(void)
{
    switch_on(0);
    pass(50);
    port.flips = 10000;
    for (int i = 0; i < 15; i++)
        check(scan() <= 2);
    check(chip.ready);
    check(chip.touched == 0);
}

/* Also in the midst of a transfer, the one that would have made it ready included. */
static void a_restart_makes_what_was_read_before_void(void)
{
    for (uint32_t transfers = 1; transfers < 20; transfers++) {
        uint32_t done = 0;
        switch_on(0);
        do_until(done == transfers, 1000, {
            fake_time(&port);
            if (mpr121_begin(&chip, &port, &settings, in, port.now_ms) && ++done < transfers)
                mpr121_end(&chip, port.status, &settings, in, port.now_ms);
        });
        mpr121_restart(&chip);
        mpr121_end(&chip, port.status, &settings, in, port.now_ms);
        check_row(row_of(transfers), !chip.ready);
        pass(50);
        check_row(row_of(transfers), chip.ready && chip.found == 0);
    }
}

static void a_restart_is_no_fault(void)
{
    switch_on(0);
    pass(50);
    mpr121_restart(&chip);
    check(!chip.ready);
    pass(50);
    check(chip.ready);
    check(chip.started == 2 && chip.found == 0 && chip.fault == MPR121_NO_FAULT);
}

int main(void)
{
    it_is_set_as_the_data_sheet_says();
    each_electrode_has_the_thresholds_of_its_pad();
    who_does_not_answer_is_tried_ever_more_seldom();
    what_is_no_mpr121_is_not_used();
    it_is_not_ready_before_all_is_measured();
    an_electrode_that_cannot_be_measured_does_not_keep_the_others_away();
    a_status_alone_is_read_while_nothing_is_touched();
    a_status_that_the_counts_do_not_bear_out_is_no_touch();
    a_touch_needs_three_values_in_a_row();
    a_reading_below_the_threshold_ends_a_suspicion_at_any_time();
    it_is_looked_after_every_hundred_milliseconds();
    what_three_reads_in_a_row_tell_is_so();
    what_changes_during_a_scan_is_read_by_the_next_one_at_once();
    what_was_lifted_is_seen_twice();
    over_current_is_believed_at_the_third_time();
    one_wrong_look_is_not_believed();
    who_fails_again_soon_has_to_wait_longer();
    nonsense_is_not_asked_for_again_at_once();
    a_restart_makes_what_was_read_before_void();
    a_restart_is_no_fault();
    return 0;
}
