#include "cpu.h"

#include <sim_core.h>
#include <sim_elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "registers.h"

#define FRESH 0xA5 /* content of RAM that was never written */

/* Instructions are executed in groups. A group with interrupts on is short: if interrupts are
 * turned off within it, the moment is unknown, and its beginning is used. */
#define STRETCH_INTERRUPTS_ON 16

#define MAX_TURNS 1000000 /* calls at one moment; more are an endless loop */

static void say_nothing(avr_t *avr, const int level, const char *format, va_list arguments)
{
    (void)avr, (void)level, (void)format, (void)arguments;
}

static uint16_t static_end(const elf_firmware_t *elf)
{
    for (uint32_t i = 0; i < elf->symbolcount; i++)
        if (strcmp(elf->symbol[i]->symbol, "_end") == 0)
            return (uint16_t)elf->symbol[i]->addr;
    return (uint16_t)(RAM_FIRST + elf->datasize + elf->bsssize);
}

static void free_elf(elf_firmware_t *elf)
{
    for (uint32_t i = 0; i < elf->symbolcount; i++)
        free(elf->symbol[i]);
    free(elf->symbol);
    free(elf->flash);
    free(elf->eeprom);
}

/* Return the address of the endless loop after the program's end. */
static uint32_t loop_of(const elf_firmware_t *elf)
{
    enum { JUMP_TO_ITSELF_LOW = 0xFF, JUMP_TO_ITSELF_HIGH = 0xCF };
    uint32_t at = 0;
    while (at + 1 < elf->flashsize && !(elf->flash[at] == JUMP_TO_ITSELF_LOW &&
                                        elf->flash[at + 1] == JUMP_TO_ITSELF_HIGH))
        at += 2;
    return at;
}

static bool is_for_avr(const char *firmware)
{
    enum { MACHINE_AT = 18, MACHINE_AVR = 83 };
    unsigned char head[20] = {0};
    FILE *file = fopen(firmware, "rb");
    if (!file) {
        fprintf(stderr, "%s: cannot be opened. Make it: make -C firmware avr\n", firmware);
        return false;
    }
    size_t got = fread(head, 1, sizeof head, file);
    fclose(file);
    if (got == sizeof head && memcmp(head, "\177ELF", 4) == 0 && head[MACHINE_AT] == MACHINE_AVR)
        return true;
    fprintf(stderr, "%s: this is no ELF file for the AVR.\n", firmware);
    return false;
}

bool cpu_make(struct cpu *cpu, const char *firmware)
{
    elf_firmware_t elf = {0};
    memset(cpu, 0, sizeof *cpu);
    avr_global_logger_set(say_nothing);
    if (!is_for_avr(firmware))
        return false;
    if (elf_read_firmware(firmware, &elf) != 0) {
        fprintf(stderr, "%s: simavr cannot read it.\n", firmware);
        return false;
    }
    cpu->avr = avr_make_mcu_by_name("atmega328p");
    avr_init(cpu->avr);
    elf.frequency = CPU_HZ;
    avr_load_firmware(cpu->avr, &elf);
    cpu->run = cpu->avr->run;
    cpu->flash_bytes = elf.flashsize;
    cpu->static_end = static_end(&elf);
    cpu->loop = loop_of(&elf);
    cpu->due = CPU_NEVER;
    free_elf(&elf);
    return true;
}

void cpu_free(struct cpu *cpu)
{
    avr_terminate(cpu->avr);
    free(cpu->avr);
}

void cpu_attach(struct cpu *cpu, struct unit *unit)
{
    unit->due = CPU_NEVER;
    cpu->units[cpu->unit_count++] = unit;
}

void cpu_schedule(struct cpu *cpu, struct unit *unit, cycles due)
{
    unit->due = due;
    cpu->due = CPU_NEVER;
    for (size_t i = 0; i < cpu->unit_count; i++)
        if (cpu->units[i]->due < cpu->due)
            cpu->due = cpu->units[i]->due;
    cpu->avr->run_cycle_count = 1; /* ends the current group */
}

/* Write into simavr's table directly: its function would share the register with simavr's own unit.
 */
void cpu_on_write(struct cpu *cpu, uint16_t address, avr_io_write_t write, void *self)
{
    cpu->avr->io[AVR_DATA_TO_IO(address)].w.c = write;
    cpu->avr->io[AVR_DATA_TO_IO(address)].w.param = self;
}

void cpu_on_read(struct cpu *cpu, uint16_t address, avr_io_read_t read, void *self)
{
    cpu->avr->io[AVR_DATA_TO_IO(address)].r.c = read;
    cpu->avr->io[AVR_DATA_TO_IO(address)].r.param = self;
}

static avr_int_vector_t *vector_numbered(struct cpu *cpu, uint8_t number)
{
    avr_int_table_t *table = &cpu->avr->interrupts;
    for (unsigned i = 0; i < table->vector_count; i++)
        if (table->vector[i]->vector == number)
            return table->vector[i];
    abort(); /* never: this chip has the vector */
}

void cpu_raise(struct cpu *cpu, uint8_t vector)
{
    avr_raise_interrupt(cpu->avr, vector_numbered(cpu, vector));
}

void cpu_clear(struct cpu *cpu, uint8_t vector)
{
    avr_clear_interrupt(cpu->avr, vector_numbered(cpu, vector));
}

/* simavr clears the flags of the reset's cause; on the chip they stay until the program clears
 * them. */
static void started(struct cpu *cpu, uint8_t flags, bool power)
{
    cpu->avr->data[MCUSR] = flags;
    cpu->starts++;
    cpu->hung = cpu->stalled = false;
    cpu->stall = 0;
    cpu->counting = false;
    cpu->off = false;
    for (size_t i = 0; i < cpu->unit_count; i++)
        cpu->units[i]->reset(cpu->units[i]->self, power);
}

void cpu_switch_on(struct cpu *cpu)
{
    avr_t *avr = cpu->avr;
    if (cpu->starts == 0)
        memset(avr->data + RAM_FIRST, FRESH, avr->ramend + 1U - RAM_FIRST);
    avr_reset(avr);
    started(cpu, PORF, true);
}

void cpu_reset(struct cpu *cpu)
{
    const uint8_t flags = cpu->avr->data[MCUSR];
    avr_reset(cpu->avr);
    started(cpu, flags | EXTRF, false);
}

/* The watchdog has fired: simavr has replaced its run function by one that resets the chip. */
static void bark(struct cpu *cpu)
{
    const uint8_t flags = cpu->avr->data[MCUSR];
    cpu->avr->run(cpu->avr);
    cpu->watchdog++;
    started(cpu, flags | WDRF, false);
}

void cpu_hang(struct cpu *cpu)
{
    cpu->hung = true;
    cpu->off = false;
    cpu->counting = false;
}

void cpu_stall(struct cpu *cpu, cycles length)
{
    if (!cpu->stalled)
        cpu->stall = length;
}

/* With interrupts on, the main program is at its turn. During a stall it runs in a loop instead. */
static void begin_or_end_stall(struct cpu *cpu)
{
    avr_t *avr = cpu->avr;
    if (cpu->stall == 0 || !avr->sreg[S_I] || avr->state != cpu_Running)
        return;
    if (!cpu->stalled) {
        cpu->stalled = true;
        cpu->stall += avr->cycle;
        cpu->stalled_at = avr->pc;
        avr->pc = cpu->loop;
    } else if (avr->cycle >= cpu->stall) {
        cpu->stalled = false;
        cpu->stall = 0;
        avr->pc = cpu->stalled_at;
    }
}

static void note_interrupts(struct cpu *cpu, cycles before)
{
    bool on = cpu->avr->sreg[S_I];
    if (on && cpu->off && cpu->avr->cycle - cpu->off_since > cpu->off_worst)
        cpu->off_worst = cpu->avr->cycle - cpu->off_since;
    if (!on && !cpu->off && cpu->counting)
        cpu->off_since = before;
    cpu->counting = cpu->counting || on;
    cpu->off = !on && cpu->counting;
}

static void step(struct cpu *cpu, cycles until)
{
    avr_t *avr = cpu->avr;
    cycles before = avr->cycle;
    cycles stretch = until > before ? until - before : 1;
    if (avr->sreg[S_I] && stretch > STRETCH_INTERRUPTS_ON)
        stretch = STRETCH_INTERRUPTS_ON;
    avr->run_cycle_count = stretch;
    avr->pc = avr_run_one(avr);
    cpu->awake += avr->cycle - before;
    note_interrupts(cpu, before);
}

static cycles timer_due(const avr_t *avr)
{
    return avr->cycle_timers.timer ? avr->cycle_timers.timer->when : CPU_NEVER;
}

static void do_what_is_due(struct cpu *cpu)
{
    avr_t *avr = cpu->avr;
    if (timer_due(avr) <= avr->cycle)
        avr_cycle_timer_process(avr);
    if (avr->run != cpu->run)
        bark(cpu);
    for (size_t i = 0; i < cpu->unit_count && cpu->due <= avr->cycle; i++)
        if (cpu->units[i]->due <= avr->cycle)
            cpu->units[i]->act(cpu->units[i]->self);
}

static void serve_interrupts(struct cpu *cpu)
{
    avr_service_interrupts(cpu->avr);
    note_interrupts(cpu, cpu->avr->cycle);
}

void cpu_run(struct cpu *cpu, cycles until)
{
    avr_t *avr = cpu->avr;
    unsigned turns = 0;
    cpu->stop = false;
    while (avr->cycle < until && !cpu->stop) {
        cycles next = timer_due(avr) < cpu->due ? timer_due(avr) : cpu->due;
        if (next > until)
            next = until;
        const cycles before = avr->cycle;
        begin_or_end_stall(cpu);
        if (avr->state == cpu_Running && !cpu->hung)
            step(cpu, next);
        else if (next > avr->cycle)
            avr->cycle = next;
        do_what_is_due(cpu);
        if (avr->interrupt_state && !cpu->hung)
            serve_interrupts(cpu);
        turns = avr->cycle > before ? 0 : turns + 1;
        if (turns > MAX_TURNS) {
            fprintf(stderr, "The emulated chip stands still at %llu us: something is due for ever.\n",
                    (unsigned long long)cpu_now_us(cpu));
            abort();
        }
    }
}

uint64_t cpu_now_us(const struct cpu *cpu)
{
    return cpu->avr->cycle / CPU_CYCLES_A_US;
}

uint32_t cpu_ram(const struct cpu *cpu)
{
    const avr_t *avr = cpu->avr;
    uint32_t lowest = cpu->static_end;
    while (lowest <= avr->ramend && avr->data[lowest] == FRESH)
        lowest++;
    return cpu->static_end - (uint32_t)RAM_FIRST + avr->ramend + 1U - lowest;
}
