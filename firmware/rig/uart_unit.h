/* The chip's serial unit and its line, with 10 bits for each byte and the chip's receive buffer:
 * two bytes, and a third byte in the shift register until the next byte begins. */
#ifndef UART_UNIT_H
#define UART_UNIT_H

#include "queue.h"
#include "cpu.h"

#define UART_BUFFER 2

enum uart_line { UART_IDLE, UART_BEGINS, UART_COMES };

struct uart_unit {
    struct unit unit;
    struct cpu *cpu;
    bool plugged;
    uint64_t overruns; /* bytes lost because earlier ones were not read */
    struct queue to_chip, from_chip;

    enum uart_line line;
    cycles line_due;  /* when the state in `line` ends */
    cycles line_free; /* when the next byte may begin */
    uint8_t buffer[UART_BUFFER], buffered;
    uint8_t shifted;
    bool shifted_waits; /* the buffer is full, and a complete byte is in the shift register */

    uint8_t out, out_next;
    bool sends, out_waits;
    cycles out_due;
};

void uart_unit_start(struct uart_unit *uart, struct cpu *cpu);
void uart_unit_free(struct uart_unit *uart);
void uart_unit_write(struct uart_unit *uart, const uint8_t *bytes, size_t count);
size_t uart_unit_read(struct uart_unit *uart, uint8_t *bytes, size_t room);
void uart_unit_plug(struct uart_unit *uart, bool plugged);

#endif
