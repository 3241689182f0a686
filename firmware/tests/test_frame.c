/* Frames: each line of the vectors both ways, and what a decoder makes of a damaged line. */
#include "frame.h"
#include "vectors.h"

struct reader {
    struct frame_decoder decoder;
    uint8_t bytes[FRAME_MAX_MESSAGE_BYTES + CRC_BYTES];
};

static void start(struct reader *reader)
{
    frame_decoder_start(&reader->decoder, reader->bytes, sizeof reader->bytes);
}

/* Feed bytes; the messages found are put behind each other, each checked against those wanted. */
static void feed(struct reader *reader, const char *name, const struct bytes *bytes,
                 const char *wanted)
{
    for (size_t i = 0; i < bytes->count; i++) {
        uint8_t count = frame_decode(&reader->decoder, bytes->at[i]);
        if (count == 0)
            continue;
        check_row(name, *wanted != 0);
        struct bytes message = vectors_bytes(wanted);
        check_row(name, message.count == count);
        check_row(name, memcmp(message.at, reader->bytes, count) == 0);
        wanted += 2 * count;
        wanted += *wanted == ',';
    }
    check_row(name, *wanted == 0);
}

static void a_frame_is_its_message_and_back(const struct vector *vector)
{
    const char *hex = vector->parts[vector->count - 2];
    struct bytes message = vectors_bytes(hex);
    struct bytes frame = vectors_bytes(vector->parts[vector->count - 1]);
    uint8_t made[FRAME_BYTES(FRAME_MAX_MESSAGE_BYTES)];
    memcpy(made + 1, message.at, message.count);
    check_row(vector->name, frame_encode(made, (uint8_t)message.count) == frame.count);
    check_row(vector->name, memcmp(made, frame.at, frame.count) == 0);
    check_row(vector->name, frame.count == FRAME_BYTES(message.count));

    struct reader reader;
    start(&reader);
    feed(&reader, vector->name, &frame, hex);
    check_row(vector->name, reader.decoder.dropped == 0);
}

static void a_bad_frame_is_dropped_once_and_the_next_is_found(const struct vector *vector)
{
    struct bytes frame = vectors_bytes(vector->parts[1]);
    struct bytes good = vectors_bytes("0714013cf5701800");
    struct reader reader;
    start(&reader);
    feed(&reader, vector->name, &frame, "");
    check_row(vector->name, reader.decoder.dropped == 1);
    feed(&reader, vector->name, &good, "1401");
    check_row(vector->name, reader.decoder.dropped == 1);
}

static void a_stream_has_these_messages(const struct vector *vector)
{
    struct bytes bytes = vectors_bytes(vector->parts[1]);
    struct reader reader;
    start(&reader);
    feed(&reader, vector->name, &bytes, vector->parts[2]);
    check_row(vector->name, reader.decoder.dropped == strtoul(vector->parts[3], NULL, 10));
}

static void the_vectors_hold(void)
{
    FILE *file = vectors_open();
    unsigned frames = 0, bad = 0, streams = 0;
    for (struct vector vector; vectors_next(file, &vector);) {
        if (strcmp(vector.kind, "bad") == 0) {
            a_bad_frame_is_dropped_once_and_the_next_is_found(&vector);
            bad++;
        } else if (strcmp(vector.kind, "stream") == 0) {
            a_stream_has_these_messages(&vector);
            streams++;
        } else {
            a_frame_is_its_message_and_back(&vector);
            frames++;
        }
    }
    fclose(file);
    check(frames > 50 && bad > 15 && streams > 5);
}

static void a_message_is_as_long_as_the_reader_has_room_and_no_longer(void)
{
    uint8_t frame[FRAME_BYTES(11)] = {0}, bytes[10 + CRC_BYTES];
    struct frame_decoder decoder;
    frame_decoder_start(&decoder, bytes, sizeof bytes);
    for (uint8_t count = 1; count <= 11; count++) {
        memset(frame, 0, sizeof frame);
        uint8_t end = frame_encode(frame, count), found = 0;
        for (uint8_t i = 0; i < end; i++)
            found = frame_decode(&decoder, frame[i]);
        check(found == (count <= 10 ? count : 0));
    }
    check(decoder.dropped == 1);
}

static void every_flip_of_a_bit_is_noticed(void)
{
    struct bytes good = vectors_bytes("0714013cf5701800");
    for (size_t at = 0; at < good.count; at++)
        for (unsigned bit = 0; bit < 8; bit++) {
            struct reader reader;
            start(&reader);
            for (size_t i = 0; i < good.count; i++) {
                uint8_t flip = (uint8_t)(i == at ? 1u << bit : 0);
                check(frame_decode(&reader.decoder, good.at[i] ^ flip) == 0);
            }
            check(frame_decode(&reader.decoder, 0) == 0);
        }
}

static void the_count_of_dropped_frames_wraps(void)
{
    struct reader reader;
    start(&reader);
    for (unsigned i = 0; i < 258; i++) {
        check(frame_decode(&reader.decoder, 9) == 0);
        check(frame_decode(&reader.decoder, 0) == 0);
    }
    check(reader.decoder.dropped == 2);
}

int main(void)
{
    the_vectors_hold();
    a_message_is_as_long_as_the_reader_has_room_and_no_longer();
    every_flip_of_a_bit_is_noticed();
    the_count_of_dropped_frames_wraps();
    return 0;
}
