/* The I²C bus, by the kernel's i2c-dev. */
#include <errno.h>
#include <fcntl.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "port_linux.h"
#include "status.h"

#define TIMEOUT_10MS 2 /* timeout of a transfer in units of 10 ms; the kernel's default is 1 s */

static bool reopen(struct bus *bus)
{
    unsigned long can = 0;
    bus->fd = open(bus->device, O_RDWR | O_CLOEXEC);
    if (bus->fd < 0) {
        status_set(PART_BUS, errno);
        return false;
    }
    if (ioctl(bus->fd, I2C_FUNCS, &can) == 0 && can & I2C_FUNC_I2C) {
        ioctl(bus->fd, I2C_TIMEOUT, (unsigned long)TIMEOUT_10MS);
        ioctl(bus->fd, I2C_RETRIES, 0UL);
        return true;
    }
    close(bus->fd);
    bus->fd = -1;
    errno = EOPNOTSUPP;
    status_set(PART_BUS, errno);
    return false;
}

bool bus_open(struct bus *bus, const char *device)
{
    *bus = (struct bus){.device = device, .status = BUS_DONE};
    return reopen(bus) || complain("The I²C bus cannot be opened:", device);
}

/* The address and the bytes of both directions go as one transfer with a repeated start (I2C_RDWR).
 * When this returns, the transfer is over. */
void port_bus_begin(struct port *port, uint8_t address, const uint8_t *out, uint8_t out_count,
                    uint8_t *in, uint8_t in_count)
{
    struct bus *bus = &port->bus;
    uint8_t copy[PORT_BUS_OUT];
    memcpy(copy, out, out_count);
    struct i2c_msg messages[] = {
        {.addr = address, .len = out_count, .buf = copy},
        {.addr = address, .flags = I2C_M_RD, .len = in_count, .buf = in},
    };
    struct i2c_rdwr_ioctl_data transfer = {.msgs = messages, .nmsgs = in_count > 0 ? 2 : 1};
    if (bus->fd < 0 && !reopen(bus)) {
        bus->status = BUS_ERROR;
        return;
    }
    int done;
    do
        done = ioctl(bus->fd, I2C_RDWR, &transfer);
    while (done < 0 && errno == EINTR);
    /* The kernel's documentation (i2c/fault-codes) has ENXIO for an address without an answer. The
     * drivers of the Raspberry Pi (bcm2835, designware) return EREMOTEIO. */
    bus->status = done == (int)transfer.nmsgs                      ? BUS_DONE
                  : errno == EREMOTEIO || errno == ENXIO ? BUS_NACK
                                                         : BUS_ERROR;
    status_set(PART_BUS, bus->status == BUS_ERROR ? errno : 0);
}

enum bus_status port_bus_status(const struct port *port) { return port->bus.status; }

/* A process cannot clock the bus. The kernel's driver has stopped the transfer by now, and resets
 * its unit before the next one. The device is opened again, in case its driver was loaded again. */
void port_bus_recover(struct port *port)
{
    struct bus *bus = &port->bus;
    if (bus->fd >= 0)
        close(bus->fd);
    bus->fd = -1;
    bus->status = BUS_ERROR;
}
