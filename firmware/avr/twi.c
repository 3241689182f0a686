/* The I²C bus at 400 kHz. Interrupts carry out a transfer; each transfer ends with a status. */
#include <avr/cpufunc.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <string.h>
#include <util/delay.h>
#include <util/twi.h>

#include "chip.h"
#include "wiring.h"

#if !defined WIRING_TOUCH_DATA_PORT_C || WIRING_TOUCH_DATA_BIT != 4 || \
    !defined WIRING_TOUCH_CLOCK_PORT_C || WIRING_TOUCH_CLOCK_BIT != 5
#error "The chip's I2C unit has its data on A4 and its clock on A5."
#endif
#define DATA (1 << WIRING_TOUCH_DATA_BIT)
#define CLOCK (1 << WIRING_TOUCH_CLOCK_BIT)

#ifdef WIRING_TOUCH_CHANGED_PORT_D
#define CHANGED_PIN PIND
#else
#define CHANGED_PIN PINC
#endif

#define HZ 400000UL
#define GO (1 << TWINT | 1 << TWEN | 1 << TWIE)
#define MAX_STOP_TRIES 50 /* each takes 6 cycles or more: 20 µs together */
#define HALF_CLOCK_US 5 /* for clocks that free the bus: 100 kHz, which suits every chip */

void bus_start(void)
{
    chip.bus.status = BUS_DONE;
    TWBR = (F_CPU / HZ - 16) / 2;
    TWCR = 1 << TWEN;
}

void port_bus_begin(struct port *port, uint8_t address, const uint8_t *out, uint8_t out_count,
                    uint8_t *in, uint8_t in_count)
{
    struct bus *bus = &port->bus;
    bus->address = (uint8_t)(address << 1);
    memcpy(bus->out, out, out_count);
    bus->next_out = bus->out;
    bus->out_left = out_count;
    bus->next_in = in;
    bus->in_left = in_count;
    bus->status = BUS_BUSY;
    _MemoryBarrier(); /* the interrupt reads `bus`, so write it first */
    /* Wait for the previous stop, which takes 3 µs. If the stop does not end, this transfer does
     * not begin, and after a timeout the caller frees the bus. */
    for (uint8_t tries = 0; TWCR & 1 << TWSTO && tries < MAX_STOP_TRIES; tries++)
        ;
    TWCR = GO | 1 << TWSTA;
}

enum bus_status port_bus_status(const struct port *port)
{
    enum bus_status status = port->bus.status;
    _MemoryBarrier(); /* input must be read after the status */
    return status;
}

static void end(struct bus *bus, enum bus_status status)
{
    bus->status = status;
    chip.stirred = true;
}

static void stop(struct bus *bus, enum bus_status status)
{
    TWCR = 1 << TWINT | 1 << TWEN | 1 << TWSTO;
    end(bus, status);
}

static void receive(struct bus *bus)
{
    TWCR = (uint8_t)(bus->in_left > 1 ? GO | 1 << TWEA : GO);
}

static void transmit(struct bus *bus)
{
    if (bus->out_left > 0) {
        bus->out_left--;
        TWDR = *bus->next_out++;
        TWCR = GO;
    } else if (bus->in_left > 0) {
        TWCR = GO | 1 << TWSTA;
    } else {
        stop(bus, BUS_DONE);
    }
}

ISR(TWI_vect)
{
    struct bus *bus = &chip.bus;
    switch (TW_STATUS) {
    case TW_START:
        TWDR = bus->address | TW_WRITE;
        TWCR = GO;
        break;
    case TW_REP_START:
        TWDR = bus->address | TW_READ;
        TWCR = GO;
        break;
    case TW_MT_SLA_ACK:
    case TW_MT_DATA_ACK:
        transmit(bus);
        break;
    case TW_MR_DATA_ACK:
        *bus->next_in++ = TWDR;
        bus->in_left--;
        receive(bus);
        break;
    case TW_MR_SLA_ACK:
        receive(bus);
        break;
    case TW_MR_DATA_NACK:
        *bus->next_in = TWDR;
        stop(bus, BUS_DONE);
        break;
    case TW_MT_SLA_NACK:
    case TW_MT_DATA_NACK:
    case TW_MR_SLA_NACK:
        stop(bus, BUS_NACK);
        break;
    case TW_MT_ARB_LOST: /* another master has the bus; a stop would disturb it */
        TWCR = 1 << TWINT | 1 << TWEN;
        end(bus, BUS_ERROR);
        break;
    default:
        stop(bus, BUS_ERROR);
    }
}

/* External resistors pull the lines up: drive a line for low, release it for high. */
static void drive_low(uint8_t lines)
{
    DDRC = (uint8_t)(DDRC | lines);
    _delay_us(HALF_CLOCK_US);
}

static void let_go(uint8_t lines)
{
    DDRC = (uint8_t)(DDRC & ~lines);
    _delay_us(HALF_CLOCK_US);
}

void port_bus_recover(struct port *port)
{
    TWCR = 0;
    PORTC = (uint8_t)(PORTC & ~(DATA | CLOCK));
    for (uint8_t clock = 0; clock < 9; clock++) {
        drive_low(CLOCK);
        let_go(CLOCK);
    }
    drive_low(CLOCK);
    drive_low(DATA);
    let_go(CLOCK);
    let_go(DATA);
    TWCR = 1 << TWEN;
    if (port->bus.status == BUS_BUSY)
        port->bus.status = BUS_ERROR;
}

bool port_touch_changed(const struct port *port)
{
    (void)port;
    return !(CHANGED_PIN & 1 << WIRING_TOUCH_CHANGED_BIT);
}
