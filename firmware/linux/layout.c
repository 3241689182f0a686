/* The grammar, the checks and the means are those of pi_table/common/light_layout.py and
 * pi_table/devices/hal/strip.py; a test compares both. */
#include "layout.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "facts.h"
#include "wiring.h"

#define MAX_BYTES 32768
#define MAX_LIGHTS_OF_PLACE 8
#define MAX_QUOTED 20

const struct layout layout_wired = {
    .count = WIRING_LIGHT_COUNT, .order = {1, 0, 2}, .first = WIRING_LIGHTS};

/* A part of the text, without an end mark. */
struct span {
    const char *at;
    size_t count;
};

struct part {
    const char *name;
    uint8_t leds; /* bit N: the place's LED N */
};

static const struct part cell_parts[] = {{"far-left", 1},   {"far-right", 2}, {"near-right", 4},
                                         {"near-left", 8},  {"far", 1 | 2},   {"right", 2 | 4},
                                         {"near", 4 | 8},   {"left", 1 | 8}};
static const struct part pad_parts[] = {{"left", 1}, {"right", 2}};

struct reading {
    struct layout *layout;
    struct layout_fault *fault;
    unsigned line;
    bool has_order;
    uint8_t lights[PLACE_COUNT]; /* number of lights of each place so far */
    uint8_t shown[PLACE_COUNT];  /* bit N: the place's LED N is shown */
};

static bool is(struct span span, const char *word)
{
    return span.count == strlen(word) && memcmp(span.at, word, span.count) == 0;
}

static bool refuse(struct reading *reading, const char *what)
{
    reading->fault->line = reading->line;
    snprintf(reading->fault->what, sizeof reading->fault->what, "%s", what);
    return false;
}

/* Refuse with the text that is wrong. Characters that a terminal might obey are replaced. */
static bool refuse_text(struct reading *reading, struct span text, const char *what)
{
    char quoted[MAX_QUOTED + 1] = {0};
    for (size_t at = 0; at < text.count && at < MAX_QUOTED; at++)
        quoted[at] = text.at[at] >= ' ' && text.at[at] <= '~' ? text.at[at] : '?';
    reading->fault->line = reading->line;
    snprintf(reading->fault->what, sizeof reading->fault->what, "'%s' %s", quoted, what);
    return false;
}

static bool is_blank(char byte) { return byte == ' ' || byte == '\t'; }

/* Take the next word from the beginning of `*rest`. It is empty if there is none. */
static struct span take_word(struct span *rest)
{
    while (rest->count > 0 && is_blank(*rest->at)) {
        rest->at++;
        rest->count--;
    }
    struct span word = {rest->at, 0};
    while (rest->count > 0 && !is_blank(*rest->at)) {
        rest->at++;
        rest->count--;
        word.count++;
    }
    return word;
}

/* Return the number of a place: A1 B1 … E5, end-turn, hourglass; PLACE_COUNT for another word. */
static uint8_t place_named(struct span word)
{
    if (is(word, "end-turn"))
        return CELL_COUNT;
    if (is(word, "hourglass"))
        return CELL_COUNT + 1;
    if (word.count != 2 || word.at[0] < 'A' || word.at[0] > 'E' || word.at[1] < '1' ||
        word.at[1] > '5')
        return PLACE_COUNT;
    return (uint8_t)((word.at[1] - '1') * 5 + (word.at[0] - 'A'));
}

static uint8_t leds_of(uint8_t place) { return place < CELL_COUNT ? LEDS_OF_CELL : LEDS_OF_PAD; }

static uint8_t first_led_of(uint8_t place)
{
    return (uint8_t)(place < CELL_COUNT ? place * LEDS_OF_CELL
                                        : CELL_COUNT * LEDS_OF_CELL + (place - CELL_COUNT) * LEDS_OF_PAD);
}

static const struct part *parts_of(uint8_t place, size_t *count)
{
    *count = place < CELL_COUNT ? sizeof cell_parts / sizeof *cell_parts
                                : sizeof pad_parts / sizeof *pad_parts;
    return place < CELL_COUNT ? cell_parts : pad_parts;
}

/* Return the LEDs of a part of a place, as bits; 0 for another word. */
static uint8_t part_named(uint8_t place, struct span word)
{
    size_t count;
    const struct part *parts = parts_of(place, &count);
    if (word.count == 0)
        return (uint8_t)((1u << leds_of(place)) - 1);
    for (size_t at = 0; at < count; at++)
        if (is(word, parts[at].name))
            return parts[at].leds;
    return 0;
}

static bool read_order(struct reading *reading, struct span rest)
{
    static const char colours[] = "RGB";
    const struct span word = take_word(&rest);
    unsigned seen = 0;
    if (reading->has_order || reading->layout->count > 0)
        return refuse(reading, "the order of the colours is named once, before the first light.");
    for (size_t at = 0; at < 3 && word.count == 3; at++) {
        const char *found = memchr(colours, word.at[at], 3);
        if (found != NULL) {
            reading->layout->order[at] = (uint8_t)(found - colours);
            seen |= 1u << (found - colours);
        }
    }
    if (seen != 7 || take_word(&rest).count > 0)
        return refuse_text(reading, word,
                           "is no order of the colours: write GRB, or RGB if red and green are "
                           "exchanged.");
    reading->has_order = true;
    return true;
}

static bool add_light(struct reading *reading, uint8_t first, uint8_t more)
{
    struct layout *layout = reading->layout;
    if (layout->count == LAYOUT_LIGHTS)
        return refuse(reading, "the string has more than 256 lights.");
    layout->first[layout->count] = first;
    layout->more[layout->count++] = more;
    return true;
}

static bool read_light(struct reading *reading, struct span word, struct span rest)
{
    const struct span part = take_word(&rest);
    const bool ends = take_word(&rest).count == 0;
    if (is(word, "-") && part.count == 0)
        return add_light(reading, LAYOUT_DARK, 0);
    const uint8_t place = place_named(word);
    if (place == PLACE_COUNT)
        return refuse_text(reading, word,
                           "is no place: write A1 to E5, end-turn or hourglass, or - for a light "
                           "that stays dark.");
    uint8_t leds = part_named(place, part);
    if (leds == 0 || !ends)
        return refuse_text(reading, part, "is no part of this place.");
    uint8_t first = first_led_of(place);
    reading->shown[place] |= leds;
    for (; (leds & 1) == 0; leds >>= 1)
        first++;
    if (!add_light(reading, first, leds >> 1))
        return false;
    if (++reading->lights[place] > MAX_LIGHTS_OF_PLACE)
        return refuse(reading,
                      "this place has more than 8 lights: write - for those that stay dark.");
    return true;
}

static bool read_line(struct reading *reading, struct span line)
{
    const char *comment = memchr(line.at, '#', line.count);
    if (comment != NULL)
        line.count = (size_t)(comment - line.at);
    const struct span word = take_word(&line);
    if (word.count == 0)
        return true;
    return is(word, "order") ? read_order(reading, line) : read_light(reading, word, line);
}

/* Lights that show something at such a corner could be seen by nobody. */
static bool check_all_shown(struct reading *reading)
{
    for (uint8_t place = 0; place < PLACE_COUNT; place++)
        if (reading->shown[place] != part_named(place, (struct span){0})) {
            char name[] = {(char)('A' + place % 5), (char)('1' + place / 5), '\0'};
            reading->fault->line = 0;
            snprintf(reading->fault->what, sizeof reading->fault->what,
                     "no light shows %s, or one of its corners.",
                     place < CELL_COUNT    ? name
                     : place == CELL_COUNT ? "end-turn"
                                           : "hourglass");
            return false;
        }
    return true;
}

/* Return the number of bytes of the UTF-8 character at `text`; 0 if it is none. */
static size_t character_bytes(const unsigned char *text, size_t count)
{
    /* For each length: the bits that say it, their value, and the least character that needs it. */
    static const struct {
        uint8_t mask, value;
        uint32_t least;
    } lengths[] = {{0x80, 0x00, 0}, {0xE0, 0xC0, 0x80}, {0xF0, 0xE0, 0x800}, {0xF8, 0xF0, 0x10000}};
    for (size_t more = 0; more < 4; more++) {
        if ((text[0] & lengths[more].mask) != lengths[more].value)
            continue;
        if (more >= count)
            return 0;
        uint32_t character = text[0] & (uint8_t)~lengths[more].mask;
        for (size_t at = 1; at <= more; at++) {
            if ((text[at] & 0xC0) != 0x80)
                return 0;
            character = character << 6 | (text[at] & 0x3Fu);
        }
        const bool is_half = character >= 0xD800 && character <= 0xDFFF; /* of a pair of UTF-16 */
        return character < lengths[more].least || character > 0x10FFFF || is_half ? 0 : more + 1;
    }
    return 0;
}

/* Refuse other text than UTF-8, in comments, too; and the character that programs write in place of
 * a letter that they cannot read. */
static bool check_text(struct reading *reading, const char *text, size_t count)
{
    static const char lost[] = "\xEF\xBF\xBD";
    unsigned line = 1, line_of_lost = 0;
    size_t step;
    for (size_t at = 0; at < count; at += step) {
        step = character_bytes((const unsigned char *)text + at, count - at);
        if (step == 0) {
            reading->line = line;
            return refuse(reading, "this is not UTF-8 text; save the file as UTF-8.");
        }
        if (step == 3 && memcmp(text + at, lost, 3) == 0 && line_of_lost == 0)
            line_of_lost = line;
        line += text[at] == '\n' || (text[at] == '\r' && (at + 1 == count || text[at + 1] != '\n'));
    }
    reading->line = line_of_lost;
    return line_of_lost == 0 ||
           refuse(reading, "a letter was lost when the text was saved; type it again.");
}

/* A line ends with LF, CR LF or CR. */
bool layout_parse(struct layout *layout, const char *text, size_t count, struct layout_fault *fault)
{
    static const char mark[] = "\xEF\xBB\xBF"; /* of the byte order, which some editors write */
    struct reading reading = {.layout = layout, .fault = fault};
    *layout = (struct layout){.order = {1, 0, 2}};
    if (!check_text(&reading, text, count))
        return false;
    size_t at = count >= 3 && memcmp(text, mark, 3) == 0 ? 3 : 0;
    while (at < count) {
        struct span line = {text + at, 0};
        while (at < count && text[at] != '\n' && text[at] != '\r') {
            at++;
            line.count++;
        }
        reading.line++;
        if (!read_line(&reading, line))
            return false;
        at += at + 1 < count && text[at] == '\r' && text[at + 1] == '\n' ? 2 : 1;
    }
    return check_all_shown(&reading);
}

bool layout_read(struct layout *layout, const char *path, struct layout_fault *fault)
{
    static char text[MAX_BYTES + 1];
    FILE *file = fopen(path, "rb");
    *fault = (struct layout_fault){0};
    if (file == NULL) {
        snprintf(fault->what, sizeof fault->what, "%s.", strerror(errno));
        return false;
    }
    const size_t count = fread(text, 1, sizeof text, file);
    const bool failed = ferror(file) != 0;
    fclose(file);
    if (failed || count > MAX_BYTES) {
        snprintf(fault->what, sizeof fault->what, "%s",
                 failed ? "it cannot be read." : "it has more than 32,768 bytes.");
        return false;
    }
    return layout_parse(layout, text, count, fault);
}

/* As in `driven` of core/lights.c, a light never goes out through rounding. */
struct colour layout_mean(const struct layout *layout, uint16_t light, const struct colour *pulses)
{
    const uint8_t first = layout->first[light];
    unsigned red = 0, green = 0, blue = 0, count = 0;
    if (first == LAYOUT_DARK)
        return (struct colour){0, 0, 0};
    unsigned leds = (unsigned)layout->more[light] << 1 | 1u;
    for (unsigned led = first; leds != 0; leds >>= 1, led++)
        if (leds & 1) {
            red += pulses[led].red;
            green += pulses[led].green;
            blue += pulses[led].blue;
            count++;
        }
    const struct colour mean = {(uint8_t)((red + count / 2) / count),
                                (uint8_t)((green + count / 2) / count),
                                (uint8_t)((blue + count / 2) / count)};
    if ((mean.red | mean.green | mean.blue) != 0 || (red | green | blue) == 0)
        return mean;
    unsigned most = red > green ? red : green;
    most = most > blue ? most : blue;
    return (struct colour){red == most, green == most, blue == most};
}
