/* The chip's core in simavr, and the units around it that the rig replaces.
 *
 * There is no real time: a sleeping chip jumps to the next event. The units do not use simavr's
 * cycle timers, because a reset clears them; each unit schedules its next event here.
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
    void (*reset)(void *self, bool power); /* the chip was reset; `power` is true at power-on */
    void *self;
    cycles due;
};

struct cpu {
    avr_t *avr;
    avr_run_t run; /* simavr's run function; it is replaced when the watchdog fires */
    struct unit *units[CPU_UNITS];
    size_t unit_count;
    cycles due;    /* the earliest `due` of all units */
    bool hung;     /* halted until a reset */
    cycles stall;  /* length of a stall that is due, or until which cycle it lasts if `stalled` */
    bool stalled;
    uint32_t stalled_at; /* the program goes on here */
    uint32_t loop;       /* address of an instruction that jumps to itself */
    bool stop;     /* `cpu_run` must return */
    bool counting; /* interrupts have been on since the start */
    bool off;
    cycles off_since;
    /* Measured: */
    cycles off_worst; /* longest time with interrupts off, after they were first on */
    cycles awake;     /* all cycles in which it neither slept nor was halted */
    uint64_t starts, watchdog;
    uint32_t flash_bytes;
    uint16_t static_end; /* first address after the variables */
};

/* Make a chip with the program of an ELF file; it does not run yet. If it fails, print the reason
 * on standard error and return false. */
bool cpu_make(struct cpu *cpu, const char *firmware);
void cpu_free(struct cpu *cpu);

/* Add a unit. Call it before `cpu_switch_on`. */
void cpu_attach(struct cpu *cpu, struct unit *unit);

void cpu_schedule(struct cpu *cpu, struct unit *unit, cycles due);
void cpu_on_write(struct cpu *cpu, uint16_t address, avr_io_write_t write, void *self);
void cpu_on_read(struct cpu *cpu, uint16_t address, avr_io_read_t read, void *self);
void cpu_raise(struct cpu *cpu, uint8_t vector);
void cpu_clear(struct cpu *cpu, uint8_t vector);

/* Switch the power on. */
void cpu_switch_on(struct cpu *cpu);

/* Pulse the reset line. */
void cpu_reset(struct cpu *cpu);

/* Halt with interrupts off, until a reset (the watchdog's reset included). */
void cpu_hang(struct cpu *cpu);

/* Keep the main program from going on for so many cycles, with interrupts on. */
void cpu_stall(struct cpu *cpu, cycles length);

/* Run until the cycle `until`, or until a unit sets `stop`. */
void cpu_run(struct cpu *cpu, cycles until);

uint64_t cpu_now_us(const struct cpu *cpu);

/* Return the used bytes of RAM: variables, and the stack at its greatest depth so far. */
uint32_t cpu_ram(const struct cpu *cpu);

#endif
