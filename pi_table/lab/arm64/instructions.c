/* A plugin of qemu-user that counts the instructions of the program which QEMU runs.
 *
 * The count is a 64-bit number at the start of the file that the argument `counter` names. Others read it there while
 * the program runs: `qemu-aarch64 -plugin instructions.so,counter=FILE PROGRAM`.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

/* What is needed of qemu-plugin.h, which Debian's qemu-user lacks. */
#define WITHOUT_REGISTERS 0
typedef uint64_t plugin_id;
struct qemu_plugin_tb;
struct qemu_info_t;
typedef void (*on_execution)(unsigned int cpu, void *data);
typedef void (*on_translation)(plugin_id id, struct qemu_plugin_tb *block);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *block, on_execution call, int registers, void *data);
void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id, on_translation call);

extern int qemu_plugin_version;
int qemu_plugin_version = 1; /* the only one that QEMU 7.2 loads */
int qemu_plugin_install(plugin_id id, const struct qemu_info_t *info, int argc, char **argv);

static uint64_t *counter;

/* QEMU calls this before each block of instructions. Threads do so at the same time, so the addition is atomic. */
static void count(unsigned int cpu, void *instructions)
{
    (void)cpu;
    __atomic_fetch_add(counter, (uintptr_t)instructions, __ATOMIC_RELAXED);
}

static void translate(plugin_id id, struct qemu_plugin_tb *block)
{
    (void)id;
    uintptr_t instructions = qemu_plugin_tb_n_insns(block);
    qemu_plugin_register_vcpu_tb_exec_cb(block, count, WITHOUT_REGISTERS, (void *)instructions);
}

int qemu_plugin_install(plugin_id id, const struct qemu_info_t *info, int argc, char **argv)
{
    static const char name[] = "counter=";
    (void)info;
    if (argc != 1 || strncmp(argv[0], name, strlen(name)) != 0) {
        fputs("The plugin needs one argument: counter=FILE\n", stderr);
        return 1;
    }
    int file = open(argv[0] + strlen(name), O_RDWR | O_CLOEXEC);
    void *mapped = mmap(NULL, sizeof *counter, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (mapped == MAP_FAILED) {
        perror(argv[0]);
        return 1;
    }
    counter = mapped;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
    return 0;
}
