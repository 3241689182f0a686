#include "twi_unit.h"

#include "registers.h"

enum status {
    STARTED = 0x08,
    STARTED_AGAIN = 0x10,
    ADDRESS_WRITE_ACK = 0x18,
    ADDRESS_WRITE_NACK = 0x20,
    WRITE_ACK = 0x28,
    WRITE_NACK = 0x30,
    LOST = 0x38,
    ADDRESS_READ_ACK = 0x40,
    ADDRESS_READ_NACK = 0x48,
    READ_ACK = 0x50,
    READ_NACK = 0x58,
    NOTHING = 0xF8
};

static uint8_t *control(struct twi_unit *twi)
{
    return &twi->cpu->avr->data[TWCR];
}

static cycles bit(const struct twi_unit *twi)
{
    const uint8_t *data = twi->cpu->avr->data;
    return 16 + 2 * (cycles)data[TWBR] * (1U << 2 * (data[TWSR] & TWPS));
}

static bool held(const struct twi_unit *twi)
{
    return world_bus_held_until(twi->world) > cpu_now_us(twi->cpu);
}

/* Return the cycle from which a start or a stop may begin: both wait while the data line is low. */
static cycles free_from(const struct twi_unit *twi)
{
    cycles now = twi->cpu->avr->cycle;
    return held(twi) ? world_bus_held_until(twi->world) * CPU_CYCLES_A_US : now;
}

static void begin(struct twi_unit *twi, enum twi_phase phase, cycles done)
{
    twi->phase = phase;
    cpu_schedule(twi->cpu, &twi->unit, done);
}

static void tell(struct twi_unit *twi, enum status status)
{
    uint8_t *data = twi->cpu->avr->data;
    data[TWSR] = (uint8_t)((data[TWSR] & TWPS) | status);
    cpu_schedule(twi->cpu, &twi->unit, CPU_NEVER);
    if (status != NOTHING)
        cpu_raise(twi->cpu, TWI_VECTOR);
}

static void lose(struct twi_unit *twi)
{
    twi->phase = TWI_IDLE;
    twi->owner = false;
    world_bus_stop(twi->world);
    tell(twi, LOST);
}

static void address_sent(struct twi_unit *twi)
{
    uint8_t address = twi->cpu->avr->data[TWDR];
    bool reading = address & 1;
    bool answered = world_bus_start(twi->world, address >> 1, reading, cpu_now_us(twi->cpu));
    twi->phase = reading ? TWI_READ : TWI_WRITE;
    if (reading)
        tell(twi, answered ? ADDRESS_READ_ACK : ADDRESS_READ_NACK);
    else
        tell(twi, answered ? ADDRESS_WRITE_ACK : ADDRESS_WRITE_NACK);
}

static void byte_sent(struct twi_unit *twi)
{
    uint8_t byte = twi->cpu->avr->data[TWDR];
    bool taken = world_bus_write(twi->world, byte, cpu_now_us(twi->cpu));
    tell(twi, taken ? WRITE_ACK : WRITE_NACK);
}

static void byte_read(struct twi_unit *twi)
{
    uint8_t byte = world_bus_read(twi->world, cpu_now_us(twi->cpu));
    twi->cpu->avr->data[TWDR] = held(twi) ? 0 : byte;
    tell(twi, twi->acknowledge ? READ_ACK : READ_NACK);
}

static void started(struct twi_unit *twi)
{
    enum status status = twi->owner ? STARTED_AGAIN : STARTED;
    twi->owner = true;
    twi->phase = TWI_ADDRESS;
    tell(twi, status);
}

static void stopped(struct twi_unit *twi)
{
    world_bus_stop(twi->world);
    twi->owner = false;
    *control(twi) &= (uint8_t)~TWSTO;
    tell(twi, NOTHING);
    if (twi->start_after)
        begin(twi, TWI_START, free_from(twi) + bit(twi));
    else
        twi->phase = TWI_IDLE;
}

/* End the current operation. If a chip holds the data line low, a start or a stop waits, and a
 * sender loses the bus. A read that is acknowledged is not disturbed, because it needs no high from
 * us. */
static void act(void *self)
{
    struct twi_unit *twi = self;
    if (held(twi) && (twi->phase == TWI_START || twi->phase == TWI_STOP)) {
        begin(twi, twi->phase, free_from(twi) + bit(twi));
        return;
    }
    if (held(twi) && !(twi->phase == TWI_READ && twi->acknowledge)) {
        lose(twi);
        return;
    }
    switch (twi->phase) {
    case TWI_START:
        started(twi);
        break;
    case TWI_ADDRESS:
        address_sent(twi);
        break;
    case TWI_WRITE:
        byte_sent(twi);
        break;
    case TWI_READ:
        byte_read(twi);
        break;
    case TWI_STOP:
        stopped(twi);
        break;
    case TWI_IDLE:
        cpu_schedule(twi->cpu, &twi->unit, CPU_NEVER);
    }
}

static void let_go(struct twi_unit *twi)
{
    if (twi->owner)
        world_bus_stop(twi->world);
    twi->phase = TWI_IDLE;
    twi->owner = twi->start_after = false;
    cpu_clear(twi->cpu, TWI_VECTOR);
    tell(twi, NOTHING);
}

static void go_on(struct twi_unit *twi, uint8_t value)
{
    cycles now = twi->cpu->avr->cycle;
    if (value & TWSTO && !twi->owner) {
        *control(twi) &= (uint8_t)~TWSTO; /* "only the internal hardware is affected" */
        twi->phase = TWI_IDLE;
        tell(twi, NOTHING);
    } else if (value & TWSTO) {
        twi->start_after = value & TWSTA;
        begin(twi, TWI_STOP, free_from(twi) + bit(twi));
    } else if (value & TWSTA) {
        begin(twi, TWI_START, (twi->owner ? now : free_from(twi)) + bit(twi));
    } else if (twi->phase >= TWI_ADDRESS) {
        twi->acknowledge = value & TWEA;
        begin(twi, twi->phase, now + 9 * bit(twi));
    }
}

static void write_control(avr_t *avr, avr_io_addr_t address, uint8_t value, void *self)
{
    struct twi_unit *twi = self;
    bool flagged = avr->data[address] & TWINT;
    bool stopping = twi->phase == TWI_STOP;
    avr->data[address] = (uint8_t)(value & ~TWINT);
    if (!(value & TWEN)) {
        let_go(twi);
        return;
    }
    if (flagged && !(value & TWINT)) {
        avr->data[address] |= TWINT;
        if (value & TWIE)
            cpu_raise(twi->cpu, TWI_VECTOR);
        return;
    }
    if (flagged)
        cpu_clear(twi->cpu, TWI_VECTOR);
    if (stopping)
        twi->start_after = value & TWSTA;
    else if (flagged || (twi->phase == TWI_IDLE && value & TWSTA))
        go_on(twi, value);
}

static void write_status(avr_t *avr, avr_io_addr_t address, uint8_t value, void *self)
{
    (void)self;
    avr->data[address] = (uint8_t)((avr->data[address] & ~TWPS) | (value & TWPS));
}

static void reset(void *self, bool power)
{
    (void)power;
    let_go(self);
}

void twi_unit_start(struct twi_unit *twi, struct cpu *cpu, struct world *world)
{
    twi->cpu = cpu;
    twi->world = world;
    twi->unit = (struct unit){.act = act, .reset = reset, .self = twi};
    cpu_attach(cpu, &twi->unit);
    cpu_on_write(cpu, TWCR, write_control, twi);
    cpu_on_write(cpu, TWSR, write_status, twi);
    cpu_on_write(cpu, TWDR, NULL, NULL);
    cpu_on_read(cpu, TWDR, NULL, NULL);
}
