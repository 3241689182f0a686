/* The chip's core in simavr, and the units round it that are the rig's own.
 *
 * It keeps no real time: a sleeping chip jumps to whatever comes next. The units do not use
 * simavr's cycle timers, which a reset wipes; each says here when it has something to do.
 *
 * Three differences from the chip remain. An interrupt's entry takes no cycles; on the chip it
 * takes 4, or 8 from sleep. After `sei` and `reti` two instructions run before an interrupt. An
 * access to the EEPROM does not halt the core.
 */
#ifndef CPU_H
#define CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sim_avr.h>

#define CPU_HZ 16000000U
#define CPU_CYCLES_A_US 16U
#define CPU_NEVER UINT64_MAX
#define CPU_UNITS 4

typedef avr_cycle_count_t cycles;

struct unit {
    void (*act)(void *self);               /* called when `due` has come */
    void (*reset)(void *self, bool power); /* the chip was reset; `power`: it had none */
    void *self;
    cycles due;
};

struct cpu {
    avr_t *avr;
    avr_run_t run; /* simavr's run function; it is replaced when the watchdog fires */
    struct unit *units[CPU_UNITS];
    size_t unit_count;
    cycles due;    /* of the units, the first */
    bool hung;     /* halted until a reset */
    bool stop;     /* `cpu_run` is to come back */
    bool counting; /* interrupts have been on since the start */
    bool off;
    cycles off_since;
    /* Measured: */
    cycles off_worst; /* interrupts off at a stretch, from when the program first allowed them */
    cycles awake;     /* cycles awake in all; the rest it slept or was halted */
    uint64_t starts, watchdog;
    uint32_t flash_bytes;
    uint16_t static_end; /* the first address that holds no variable */
};

/* A chip with the program of an ELF file, not yet running; false: why is on standard error. */
bool cpu_make(struct cpu *cpu, const char *firmware);
void cpu_free(struct cpu *cpu);

/* Before it is switched on. */
void cpu_attach(struct cpu *cpu, struct unit *unit);

void cpu_schedule(struct cpu *cpu, struct unit *unit, cycles due);
void cpu_on_write(struct cpu *cpu, uint16_t address, avr_io_write_t write, void *self);
void cpu_on_read(struct cpu *cpu, uint16_t address, avr_io_read_t read, void *self);
void cpu_raise(struct cpu *cpu, uint8_t vector);
void cpu_clear(struct cpu *cpu, uint8_t vector);

/* It has had no power, and has it now. */
void cpu_switch_on(struct cpu *cpu);

/* The reset line goes low and up. */
void cpu_reset(struct cpu *cpu);

/* Halt with interrupts off, until a reset, also by the watchdog. */
void cpu_hang(struct cpu *cpu);

/* Run until then, or until somebody sets `stop`. */
void cpu_run(struct cpu *cpu, cycles until);

uint64_t cpu_now_us(const struct cpu *cpu);

/* Bytes of RAM: variables, and the stack at its deepest so far. */
uint32_t cpu_ram(const struct cpu *cpu);

#endif
