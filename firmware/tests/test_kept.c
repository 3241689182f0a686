/* What is kept: the settings and the boot id outlive power cuts at every byte. */
#include "desk.h"
#include "kept.h"

static struct settings settings_with(uint8_t touch)
{
    struct settings settings;
    settings_defaults(&settings);
    memset(settings.touch, touch, PAD_COUNT);
    return settings;
}

static bool equal(const struct settings *one, const struct settings *other)
{
    return memcmp(one->touch, other->touch, PAD_COUNT) == 0 &&
           memcmp(one->release, other->release, PAD_COUNT) == 0 &&
           memcmp(one->heavy, other->heavy, PAD_COUNT) == 0 && one->most_ma == other->most_ma;
}

static uint64_t written[TABLE_MEMORY]; /* how often each byte was written */

/* One byte is written, if one is due, and is under way when this returns. */
static void step(struct kept *kept, struct port *port, const struct settings *settings)
{
    check(port->memory_us == NEVER);
    kept_step(kept, port, settings);
    if (port->memory_us != NEVER)
        written[port->memory_at]++;
}

static void settle(struct kept *kept, struct port *port, const struct settings *settings)
{
    do_until(kept_boot_id(kept) && kept_settings(kept), 2 * TABLE_MEMORY, {
        step(kept, port, settings);
        desk_pass_ms(port, 4);
    });
}

static void start_and_store(struct port *port, const struct settings *settings)
{
    struct kept kept;
    struct settings found;
    kept_start(&kept, port, &found);
    kept_store(&kept);
    settle(&kept, port, settings);
}

static void a_new_memory_gives_the_defaults_and_stays_as_it_is(void)
{
    struct port *port = desk_new();
    struct settings found, defaults;
    struct kept kept;
    settings_defaults(&defaults);
    kept_start(&kept, port, &found);
    check(kept.origin == SETTINGS_NEW && equal(&found, &defaults));
    settle(&kept, port, &found);
    for (unsigned slot = 0; slot < KEPT_SLOTS; slot++)
        for (unsigned at = 0; at < KEPT_SLOT_BYTES; at++)
            check(port->memory[KEPT_SLOT_AT(slot) + at] == 0xFF);
    desk_free(port);
}

static void the_last_of_many_is_found(void)
{
    struct port *port = desk_new();
    for (unsigned i = 0; i < 600; i++) { /* the generation has 8 bits */
        struct settings settings = settings_with((uint8_t)(5 + i % 50)), found;
        struct kept kept;
        start_and_store(port, &settings);
        kept_start(&kept, port, &found);
        check(kept.origin == SETTINGS_STORED && equal(&found, &settings));
    }
    desk_free(port);
}

static void nothing_else_is_written(void)
{
    struct port *port = desk_new();
    memset(port->memory, 0x77, sizeof port->memory);
    for (unsigned i = 0; i < 20; i++) {
        struct settings settings = settings_with((uint8_t)(5 + i));
        start_and_store(port, &settings);
    }
    for (unsigned at = 0; at < TABLE_MEMORY; at++) {
        bool slot = at < 256 && at % 128 < KEPT_SLOT_BYTES;
        bool record = at >= 256 && at < 256 + KEPT_RECORDS * KEPT_RECORD_BYTES;
        check(slot || record || port->memory[at] == 0x77);
    }
    desk_free(port);
}

/* What the byte may hold that was being written when the power went. */
static uint8_t torn(unsigned how, uint8_t was, uint8_t meant)
{
    const uint8_t bytes[] = {0xFF, was, meant, was & meant, 0x00, 0x5A};
    return bytes[how];
}
#define WAYS_TO_TEAR 6

static void a_cut_leaves_the_settings_before_or_those_after(void)
{
    const struct settings before = settings_with(40), after = settings_with(41);
    for (unsigned stored = 0; stored < 3; stored++) /* in either slot */
        for (unsigned cut_at = 0; cut_at <= KEPT_SLOT_BYTES; cut_at++)
            for (unsigned how = 0; how < WAYS_TO_TEAR; how++) {
                struct port *port = desk_new();
                struct settings found;
                struct kept kept;
                for (unsigned i = 0; i <= stored; i++)
                    start_and_store(port, &before);
                kept_start(&kept, port, &found);
                settle(&kept, port, &found);
                kept_store(&kept);
                for (unsigned i = 0; i < cut_at; i++) {
                    step(&kept, port, &after);
                    desk_pass_ms(port, 4);
                }
                uint8_t was[TABLE_MEMORY];
                memcpy(was, port->memory, sizeof was);
                step(&kept, port, &after);
                if (port->memory_us != NEVER)
                    port->memory[port->memory_at] =
                        torn(how, was[port->memory_at], port->memory_byte);
                port_power(port);

                kept_start(&kept, port, &found);
                check(kept.origin == SETTINGS_STORED);
                check(equal(&found, cut_at == KEPT_SLOT_BYTES ? &after : &before) ||
                      (cut_at == KEPT_SLOT_BYTES - 1 && equal(&found, &after)));
                start_and_store(port, &after);
                kept_start(&kept, port, &found);
                check(kept.origin == SETTINGS_STORED && equal(&found, &after));
                desk_free(port);
            }
}

static void a_first_store_that_was_cut_is_called_damage(void)
{
    struct port *port = desk_new();
    struct settings settings = settings_with(9), found;
    struct kept kept;
    kept_start(&kept, port, &found);
    kept_store(&kept);
    for (unsigned i = 0; i < KEPT_RECORD_BYTES + 50; i++) {
        step(&kept, port, &settings);
        desk_pass_ms(port, 4);
    }
    port_power(port);
    kept_start(&kept, port, &found);
    settings_defaults(&settings);
    check(kept.origin == SETTINGS_DAMAGED && equal(&found, &settings));
    desk_free(port);
}

static void settings_stored_while_others_are_written_are_the_ones_kept(void)
{
    const struct settings first = settings_with(30), second = settings_with(31);
    for (unsigned steps = 0; steps <= KEPT_SLOT_BYTES; steps++) {
        struct port *port = desk_new();
        struct settings found;
        struct kept kept;
        kept_start(&kept, port, &found);
        settle(&kept, port, &found);
        kept_store(&kept);
        for (unsigned i = 0; i < steps; i++) {
            step(&kept, port, &first);
            desk_pass_ms(port, 4);
        }
        kept_store(&kept);
        settle(&kept, port, &second);
        kept_start(&kept, port, &found);
        check(kept.origin == SETTINGS_STORED && equal(&found, &second));
        desk_free(port);
    }
}

static void any_damaged_byte_is_noticed(void)
{
    struct port *port = desk_new();
    struct settings settings = settings_with(20), found, defaults;
    struct kept kept;
    settings_defaults(&defaults);
    start_and_store(port, &settings);
    for (unsigned at = 0; at < KEPT_SLOT_BYTES; at++)
        for (unsigned bit = 0; bit < 8; bit++) {
            port->memory[KEPT_SLOT_AT(0) + at] ^= (uint8_t)(1 << bit);
            kept_start(&kept, port, &found);
            check(kept.origin == SETTINGS_DAMAGED && equal(&found, &defaults));
            port->memory[KEPT_SLOT_AT(0) + at] ^= (uint8_t)(1 << bit);
        }
    kept_start(&kept, port, &found);
    check(kept.origin == SETTINGS_STORED && equal(&found, &settings));
    desk_free(port);
}

static void intact_settings_out_of_range_are_damage(void)
{
    struct port *port = desk_new();
    struct settings settings = settings_with(3), found, defaults;
    struct kept kept;
    settings_defaults(&defaults);
    start_and_store(port, &settings);
    kept_start(&kept, port, &found);
    check(kept.origin == SETTINGS_DAMAGED && equal(&found, &defaults));
    desk_free(port);
}

/* Boot ids */

static void each_start_has_another_boot_id_and_none_is_0(void)
{
    static uint32_t last_start[0x10000];
    struct port *port = desk_new();
    memset(last_start, 0, sizeof last_start);
    for (uint32_t start = 1; start < 70000; start++) {
        struct settings found;
        struct kept kept;
        kept_start(&kept, port, &found);
        check(kept.boot_id != 0);
        check(last_start[kept.boot_id] == 0 || start - last_start[kept.boot_id] > 60000);
        last_start[kept.boot_id] = start;
        settle(&kept, port, &found);
    }
    desk_free(port);
}

static void a_boot_id_that_was_told_does_not_come_again_after_a_cut(void)
{
    struct chance chance;
    chance_seed(&chance, 7);
    struct port *port = desk_new();
    uint16_t told = 0;
    for (unsigned start = 0; start < 100000; start++) {
        struct settings found;
        struct kept kept;
        kept_start(&kept, port, &found);
        for (uint64_t steps = chance_bits(&chance) % 5; steps > 0; steps--) {
            uint8_t was[TABLE_MEMORY];
            memcpy(was, port->memory, sizeof was);
            step(&kept, port, &found);
            check(!kept_boot_id(&kept) || kept.boot_id != told);
            if (steps == 1 && port->memory_us != NEVER)
                port->memory[port->memory_at] =
                    torn((unsigned)(chance_bits(&chance) % WAYS_TO_TEAR), was[port->memory_at],
                         port->memory_byte);
            else
                desk_pass_ms(port, 4);
        }
        if (kept_boot_id(&kept))
            told = kept.boot_id;
        port_power(port);
    }
    desk_free(port);
}

static void starting_wears_out_no_byte_before_others(void)
{
    struct port *port = desk_new();
    memset(written, 0, sizeof written);
    for (unsigned start = 0; start < 8000; start++) {
        struct settings found;
        struct kept kept;
        kept_start(&kept, port, &found);
        settle(&kept, port, &found);
    }
    for (unsigned at = 0; at < TABLE_MEMORY; at++)
        check(written[at] <= 8000 / KEPT_RECORDS);
    desk_free(port);
}

int main(void)
{
    a_new_memory_gives_the_defaults_and_stays_as_it_is();
    the_last_of_many_is_found();
    nothing_else_is_written();
    a_cut_leaves_the_settings_before_or_those_after();
    a_first_store_that_was_cut_is_called_damage();
    settings_stored_while_others_are_written_are_the_ones_kept();
    any_damaged_byte_is_noticed();
    intact_settings_out_of_range_are_damage();
    each_start_has_another_boot_id_and_none_is_0();
    a_boot_id_that_was_told_does_not_come_again_after_a_cut();
    starting_wears_out_no_byte_before_others();
    return 0;
}
