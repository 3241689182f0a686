#include "kept.h"

#define CHECK(name, condition) typedef char check_##name[(condition) ? 1 : -1]
CHECK(slots_apart, KEPT_SLOT_BYTES <= 128 && KEPT_SLOTS * 128 <= 256);
CHECK(within_the_memory, 256 + KEPT_RECORDS * KEPT_RECORD_BYTES <= 512);

/* Return the check byte of a record. It is wrong for a record that is all 0xFF (new), all 0, or
 * only half written. */
static uint8_t record_check(uint16_t boot_id)
{
    return (uint8_t)(0x5A ^ boot_id ^ boot_id >> 8);
}

static uint16_t read_record(struct port *port, uint8_t record)
{
    uint16_t at = KEPT_RECORD_AT(record);
    uint16_t low = port_memory_read(port, at);
    uint16_t high = port_memory_read(port, (uint16_t)(at + 1));
    uint16_t boot_id = (uint16_t)(low | high << 8);
    return port_memory_read(port, (uint16_t)(at + 2)) == record_check(boot_id) ? boot_id : 0;
}

/* True if `boot_id` is later. Ids wrap, so the later id is the one less than half a cycle ahead. */
static bool later(uint16_t boot_id, uint16_t than)
{
    return (uint16_t)(boot_id - than - 1) < 0x7FFF;
}

static void take_boot_id(struct kept *kept, struct port *port)
{
    uint16_t last = 0;
    kept->record = 0;
    for (uint8_t record = 0; record < KEPT_RECORDS; record++) {
        uint16_t boot_id = read_record(port, record);
        if (boot_id != 0 && (last == 0 || later(boot_id, last))) {
            last = boot_id;
            kept->record = (uint8_t)((record + 1) % KEPT_RECORDS);
        }
    }
    kept->boot_id = last == 0xFFFF ? 1 : (uint16_t)(last + 1);
    kept->record_at = 0;
}

enum content { NEW, DAMAGED, INTACT };

static enum content read_slot(struct port *port, uint8_t slot, uint8_t bytes[KEPT_SLOT_BYTES])
{
    bool blank = true;
    uint32_t crc = CRC_START;
    for (uint8_t at = 0; at < KEPT_SLOT_BYTES; at++) {
        bytes[at] = port_memory_read(port, (uint16_t)(KEPT_SLOT_AT(slot) + at));
        crc = crc_add(crc, bytes[at]);
        blank = blank && bytes[at] == 0xFF;
    }
    return blank ? NEW : crc == CRC_OF_INTACT ? INTACT : DAMAGED;
}

static void find_settings(struct kept *kept, struct port *port, struct settings *settings)
{
    kept->origin = SETTINGS_NEW;
    kept->slot = 0;
    kept->generation = 0;
    for (uint8_t slot = 0; slot < KEPT_SLOTS; slot++) {
        uint8_t bytes[KEPT_SLOT_BYTES];
        enum content content = read_slot(port, slot, bytes);
        if (content == INTACT && settings_in_range(bytes + 1)) {
            if (kept->origin == SETTINGS_STORED && (uint8_t)(bytes[0] - kept->generation) >= 0x7F)
                continue; /* the other slot is later */
            settings_unpack(settings, bytes + 1);
            kept->origin = SETTINGS_STORED;
            kept->slot = (uint8_t)(1 - slot);
            kept->generation = (uint8_t)(bytes[0] + 1);
        } else if (content != NEW && kept->origin == SETTINGS_NEW) {
            kept->origin = SETTINGS_DAMAGED;
        }
    }
    if (kept->origin != SETTINGS_STORED)
        settings_defaults(settings);
    kept->slot_at = KEPT_SLOT_BYTES;
}

void kept_start(struct kept *kept, struct port *port, struct settings *settings)
{
    find_settings(kept, port, settings);
    take_boot_id(kept, port);
}

void kept_store(struct kept *kept)
{
    kept->origin = SETTINGS_STORED;
    kept->slot_at = 0; /* restart, also if older settings are being written */
}

/* The last byte of a record is written twice: when the second write is accepted, the first is
 * complete. */
#define CONFIRM KEPT_RECORD_BYTES

static bool write_record(struct kept *kept, struct port *port)
{
    uint16_t id = kept->boot_id;
    const uint8_t bytes[KEPT_RECORD_BYTES] = {(uint8_t)id, (uint8_t)(id >> 8), record_check(id)};
    uint8_t at = kept->record_at < CONFIRM ? kept->record_at : CONFIRM - 1;
    return port_memory_write(port, (uint16_t)(KEPT_RECORD_AT(kept->record) + at), bytes[at]);
}

static bool write_slot(struct kept *kept, struct port *port, const struct settings *settings)
{
    uint8_t bytes[SETTINGS_BYTES];
    uint8_t byte;
    if (kept->slot_at == 0) {
        kept->crc = CRC_START;
        byte = kept->generation;
    } else if (kept->slot_at <= SETTINGS_BYTES) {
        settings_pack(settings, bytes);
        byte = bytes[kept->slot_at - 1];
    } else {
        byte = (uint8_t)(~kept->crc >> 8 * (kept->slot_at - 1 - SETTINGS_BYTES));
    }
    if (!port_memory_write(port, (uint16_t)(KEPT_SLOT_AT(kept->slot) + kept->slot_at), byte))
        return false;
    if (kept->slot_at <= SETTINGS_BYTES)
        kept->crc = crc_add(kept->crc, byte);
    return true;
}

bool kept_step(struct kept *kept, struct port *port, const struct settings *settings)
{
    if (!kept_boot_id(kept)) {
        if (!write_record(kept, port))
            return false;
        kept->record_at++;
        return true;
    }
    if (kept_settings(kept) || !write_slot(kept, port, settings))
        return false;
    kept->slot_at++;
    if (kept_settings(kept)) {
        kept->slot = (uint8_t)(1 - kept->slot);
        kept->generation++;
    }
    return true;
}

bool kept_boot_id(const struct kept *kept)
{
    return kept->record_at > CONFIRM;
}

bool kept_settings(const struct kept *kept)
{
    return kept->slot_at == KEPT_SLOT_BYTES;
}
