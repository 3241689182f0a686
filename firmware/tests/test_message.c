/* Messages: each line of the vectors, packed from its fields or taken apart into them. */
#include "message.h"
#include "vectors.h"

static void settings_of(const struct vector *vector, struct settings *settings)
{
    uint32_t pads[PAD_COUNT];
    vectors_numbers(vector, "touch", PAD_COUNT, pads);
    for (unsigned pad = 0; pad < PAD_COUNT; pad++)
        settings->touch[pad] = (uint8_t)pads[pad];
    vectors_numbers(vector, "release", PAD_COUNT, pads);
    for (unsigned pad = 0; pad < PAD_COUNT; pad++)
        settings->release[pad] = (uint8_t)pads[pad];
    vectors_numbers(vector, "heavy", PAD_COUNT, pads);
    for (unsigned pad = 0; pad < PAD_COUNT; pad++)
        settings->heavy[pad] = (uint8_t)pads[pad];
    settings->most_ma = (uint16_t)vectors_number(vector, "most_ma");
}

static uint8_t hello(const struct vector *vector, uint8_t bytes[])
{
    uint32_t firmware[3];
    vectors_numbers(vector, "firmware", 3, firmware);
    struct hello hello = {
        .firmware = {(uint8_t)firmware[0], (uint8_t)firmware[1], (uint8_t)firmware[2]},
        .boot_id = (uint16_t)vectors_number(vector, "boot_id"),
        .cause = (uint8_t)vectors_number(vector, "cause"),
        .chips = (uint8_t)vectors_number(vector, "chips"),
        .light_count = (uint16_t)vectors_number(vector, "lights"),
        .origin = (enum settings_origin)vectors_number(vector, "settings")};
    return message_hello(bytes, &hello);
}

static uint8_t state(const struct vector *vector, uint8_t bytes[])
{
    uint32_t counters[PLACE_COUNT], causes[CHIP_COUNT];
    uint32_t flags = vectors_number(vector, "flags");
    struct felt felt = {.touched = vectors_number(vector, "touched"),
                        .heavy = vectors_number(vector, "heavy"),
                        .deaf = vectors_number(vector, "deaf"),
                        .chips = (uint8_t)vectors_number(vector, "chips"),
                        .restarts = (uint8_t)vectors_number(vector, "restarts")};
    vectors_numbers(vector, "counters", PLACE_COUNT, counters);
    for (unsigned place = 0; place < PLACE_COUNT; place++)
        felt.counters[place / 2] |= (uint8_t)(counters[place] << place % 2 * 4);
    vectors_numbers(vector, "causes", CHIP_COUNT, causes);
    for (unsigned chip = 0; chip < CHIP_COUNT; chip++)
        felt.causes |= (uint8_t)(causes[chip] << 2 * chip);
    struct state state = {.boot_id = (uint16_t)vectors_number(vector, "boot_id"),
                          .sequence = (uint16_t)vectors_number(vector, "sequence"),
                          .uptime_ms = vectors_number(vector, "uptime_ms"),
                          .applied = (uint8_t)vectors_number(vector, "applied"),
                          .flags = (uint8_t)flags,
                          .felt = &felt,
                          .noisy = vectors_number(vector, "noisy"),
                          .perhaps = vectors_number(vector, "perhaps"),
                          .dropped = (uint8_t)vectors_number(vector, "dropped"),
                          .lost = (uint8_t)vectors_number(vector, "lost"),
                          .current_ma = (uint16_t)vectors_number(vector, "current_ma"),
                          .check = (uint16_t)vectors_number(vector, "check")};
    return message_state(bytes, &state);
}

static uint8_t raw(const struct vector *vector, uint8_t bytes[])
{
    uint32_t filtered[PAD_COUNT], baseline[PAD_COUNT];
    vectors_numbers(vector, "filtered", PAD_COUNT, filtered);
    vectors_numbers(vector, "baseline", PAD_COUNT, baseline);
    for (unsigned pad = 0; pad < PAD_COUNT; pad++)
        message_raw_pad(bytes, (uint8_t)pad,
                        (struct raw){(uint16_t)filtered[pad], (uint16_t)baseline[pad]});
    return message_raw(bytes, (uint8_t)vectors_number(vector, "number"));
}

static uint8_t settings(const struct vector *vector, uint8_t bytes[])
{
    struct settings settings;
    settings_of(vector, &settings);
    return message_settings(bytes, (uint8_t)vectors_number(vector, "number"),
                            (enum verdict)vectors_number(vector, "verdict"), &settings);
}

static const struct {
    const char *kind;
    uint8_t (*pack)(const struct vector *vector, uint8_t bytes[]);
    uint8_t length;
} reports[] = {{"hello", hello, MESSAGE_HELLO_BYTES},
               {"state", state, MESSAGE_STATE_BYTES},
               {"raw", raw, MESSAGE_RAW_BYTES},
               {"settings", settings, MESSAGE_SETTINGS_BYTES}};

/* Answers whether the line is that of a report. */
static bool a_report_is_packed_from_its_fields(const struct vector *vector)
{
    for (size_t i = 0; i < sizeof reports / sizeof *reports; i++) {
        if (strcmp(vector->kind, reports[i].kind) != 0)
            continue;
        struct bytes message = vectors_bytes(vector->parts[2]);
        uint8_t bytes[MESSAGE_MAX_REPORT_BYTES];
        memset(bytes, 0xA5, sizeof bytes);
        check_row(vector->name, message.count == reports[i].length);
        check_row(vector->name, reports[i].pack(vector, bytes) == reports[i].length);
        check_row(vector->name, memcmp(bytes, message.at, message.count) == 0);
        return true;
    }
    return false;
}

/* The colours are those of the LEDs of these places, in order; all others stay as they were. */
static void the_colours_are_written_where_they_belong(const struct vector *vector,
                                                      const struct command *command)
{
    static const struct colour before = {0xA1, 0xA2, 0xA3};
    uint32_t places = vectors_number(vector, "places"), wanted[LED_COUNT];
    struct colour colours[LED_COUNT];
    unsigned told = 0, led = 0;
    for (unsigned at = 0; at < LED_COUNT; at++)
        colours[at] = before;
    for (unsigned place = 0; place < PLACE_COUNT; place++)
        told += places >> place & 1 ? (place < CELL_COUNT ? 4 : 2) : 0;
    vectors_numbers(vector, "colours", told, wanted);
    check_row(vector->name, message_is_rest(command) == (places >> 30 & 1));
    bool more;
    check_row(vector->name, message_colours(colours, command->body, &more) == (places & 0x7FFFFFF));
    check_row(vector->name, more == (places >> 31 & 1));
    told = 0;
    for (unsigned place = 0; place < PLACE_COUNT; place++)
        for (unsigned of_place = 0; of_place < (place < CELL_COUNT ? 4 : 2); of_place++) {
            uint32_t want = places >> place & 1 ? wanted[told++] : 0xA1A2A3;
            struct colour colour = colours[led++];
            check_row(vector->name, colour.red == want >> 16);
            check_row(vector->name, colour.green == (want >> 8 & 0xFF));
            check_row(vector->name, colour.blue == (want & 0xFF));
        }
}

static void the_body_has_these_fields(const struct vector *vector, const struct command *command)
{
    if (command->type == MESSAGE_LIGHTS) {
        the_colours_are_written_where_they_belong(vector, command);
    } else if (command->type == MESSAGE_ASK) {
        check_row(vector->name, command->body[0] == vectors_number(vector, "what"));
    } else if (command->type == MESSAGE_STORE) {
        struct settings wanted, found;
        settings_of(vector, &wanted);
        settings_unpack(&found, command->body);
        check_row(vector->name, memcmp(found.touch, wanted.touch, PAD_COUNT) == 0);
        check_row(vector->name, memcmp(found.release, wanted.release, PAD_COUNT) == 0);
        check_row(vector->name, memcmp(found.heavy, wanted.heavy, PAD_COUNT) == 0);
        check_row(vector->name, found.most_ma == wanted.most_ma);
    }
}

static const struct {
    const char *kind;
    enum message_type type;
} commands[] = {{"lights", MESSAGE_LIGHTS},
                {"ask", MESSAGE_ASK},
                {"store", MESSAGE_STORE},
                {"here", MESSAGE_HERE},
                {"restart", MESSAGE_RESTART}};

/* Answers whether the line is that of a command. */
static bool a_command_is_taken_apart(const struct vector *vector)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(vector->kind, commands[i].kind) != 0)
            continue;
        struct bytes message = vectors_bytes(vector->parts[2]);
        struct command command;
        check_row(vector->name, message.count <= MESSAGE_MAX_COMMAND_BYTES);
        check_row(vector->name, message_command(&command, message.at, (uint8_t)message.count));
        check_row(vector->name, command.type == commands[i].type);
        check_row(vector->name, command.number == vectors_number(vector, "number"));
        the_body_has_these_fields(vector, &command);
        return true;
    }
    return false;
}

/* Answers whether the line is that of no command. */
static bool what_is_no_command_is_refused(const struct vector *vector)
{
    if (strcmp(vector->kind, "no-command") != 0)
        return false;
    struct bytes message = vectors_bytes(vector->parts[1]);
    struct command command;
    check_row(vector->name, !message_command(&command, message.at, (uint8_t)message.count));
    return true;
}

int main(void)
{
    FILE *file = vectors_open();
    unsigned packed = 0, taken = 0, refused = 0;
    for (struct vector vector; vectors_next(file, &vector);) {
        packed += a_report_is_packed_from_its_fields(&vector);
        taken += a_command_is_taken_apart(&vector);
        refused += what_is_no_command_is_refused(&vector);
    }
    fclose(file);
    check(packed > 12 && taken > 12 && refused > 12);
    return 0;
}
