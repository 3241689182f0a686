/* Preloaded into a program: writes down every change that it makes to files below a folder.

   CUT_ROOT is that folder, CUT_LOG the file of the log. A record is a line, and where it says how
   many bytes follow, those: "W inode offset length\n" and the bytes. The change is made first, then
   written down. What the log could not tell (a copy inside the kernel) ends the program. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int log_fd = -1;
static const char *root;
static size_t root_length;

__attribute__((constructor)) static void begin(void)
{
    root = getenv("CUT_ROOT");
    const char *log = getenv("CUT_LOG");
    if (root == NULL || log == NULL) {
        return;
    }
    root_length = strlen(root);
    log_fd = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC,
                          0600);
}

static void put(const void *data, size_t length)
{
    if (syscall(SYS_write, log_fd, data, length) != (long)length) {
        _exit(99);
    }
}

static void note(const char *format, ...)
{
    char line[3 * PATH_MAX];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof line) {
        _exit(99);
    }
    put(line, (size_t)length);
}

/* The path below a folder's descriptor; whether it is below the root. */
static int whole(int folder, const char *path, char *out)
{
    if (log_fd < 0) {
        return 0;
    }
    if (path[0] == '/') {
        snprintf(out, PATH_MAX, "%s", path);
    } else {
        char link[64], base[PATH_MAX];
        if (folder == AT_FDCWD) {
            snprintf(link, sizeof link, "/proc/self/cwd");
        } else {
            snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
        }
        ssize_t length = readlink(link, base, sizeof base - 1);
        if (length < 0) {
            return 0;
        }
        base[length] = 0;
        if (snprintf(out, PATH_MAX, "%s/%s", base, path) >= PATH_MAX) {
            _exit(99);
        }
    }
    return strncmp(out, root, root_length) == 0 && out[root_length] == '/';
}

/* Whether a descriptor is of something below the root. */
static int below(int fd, struct stat *found)
{
    char link[64], path[PATH_MAX];
    if (log_fd < 0) {
        return 0;
    }
    int before = errno;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    int inside = 0;
    if (length > 0) {
        path[length] = 0;
        inside = strncmp(path, root, root_length) == 0 &&
                 (path[root_length] == '/' || path[root_length] == 0) && fstat(fd, found) == 0;
    }
    errno = before;
    return inside;
}

static int opened(int folder, const char *path, int flags, mode_t mode)
{
    char name[PATH_MAX];
    struct stat found;
    int inside = whole(folder, path, name);
    int made = inside && (flags & O_CREAT) && lstat(name, &found) != 0;
    int fd = (int)syscall(SYS_openat, folder, path, flags, mode);
    if (fd >= 0 && inside && (made || (flags & O_TRUNC)) && fstat(fd, &found) == 0) {
        note(made ? "C %lu %s\n" : "T %lu 0\n", (unsigned long)found.st_ino, name);
    }
    return fd;
}

#define MODE_OF(flags, mode)                                                                       \
    mode_t mode = 0;                                                                               \
    if ((flags) & (O_CREAT | O_TMPFILE)) {                                                         \
        va_list arguments;                                                                         \
        va_start(arguments, flags);                                                                \
        mode = va_arg(arguments, mode_t);                                                          \
        va_end(arguments);                                                                         \
    }

int open(const char *path, int flags, ...)
{
    MODE_OF(flags, mode)
    return opened(AT_FDCWD, path, flags, mode);
}
int open64(const char *path, int flags, ...)
{
    MODE_OF(flags, mode)
    return opened(AT_FDCWD, path, flags, mode);
}
int openat(int folder, const char *path, int flags, ...)
{
    MODE_OF(flags, mode)
    return opened(folder, path, flags, mode);
}
int openat64(int folder, const char *path, int flags, ...)
{
    MODE_OF(flags, mode)
    return opened(folder, path, flags, mode);
}

static ssize_t wrote(int fd, const void *data, ssize_t length, off_t offset)
{
    struct stat found;
    if (length > 0 && below(fd, &found) && S_ISREG(found.st_mode)) {
        note("W %lu %lld %zd\n", (unsigned long)found.st_ino, (long long)offset, length);
        put(data, (size_t)length);
    }
    return length;
}

ssize_t write(int fd, const void *data, size_t length)
{
    ssize_t done = syscall(SYS_write, fd, data, length);
    return wrote(fd, data, done, lseek(fd, 0, SEEK_CUR) - done);
}
ssize_t pwrite(int fd, const void *data, size_t length, off_t offset)
{
    return wrote(fd, data, syscall(SYS_pwrite64, fd, data, length, offset), offset);
}
ssize_t pwrite64(int fd, const void *data, size_t length, off_t offset)
{
    return pwrite(fd, data, length, offset);
}

int ftruncate(int fd, off_t size)
{
    struct stat found;
    int done = (int)syscall(SYS_ftruncate, fd, size);
    if (done == 0 && below(fd, &found)) {
        note("T %lu %lld\n", (unsigned long)found.st_ino, (long long)size);
    }
    return done;
}
int ftruncate64(int fd, off_t size)
{
    return ftruncate(fd, size);
}

static int synced(int fd)
{
    struct stat found;
    if (fstat(fd, &found) != 0) {
        return -1;
    }
    if (below(fd, &found)) {
        note("S %lu\n", (unsigned long)found.st_ino);
    }
    return 0; /* the real disk may take its time */
}
int fsync(int fd)
{
    return synced(fd);
}
int fdatasync(int fd)
{
    return synced(fd);
}

static int made_entry(char kind, int done, int folder, const char *path)
{
    char name[PATH_MAX];
    struct stat found;
    if (done == 0 && whole(folder, path, name) && lstat(name, &found) == 0) {
        note("%c %lu %s\n", kind, (unsigned long)found.st_ino, name);
    }
    return done;
}
int mkdir(const char *path, mode_t mode)
{
    return made_entry('D', (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode), AT_FDCWD, path);
}
int mkdirat(int folder, const char *path, mode_t mode)
{
    return made_entry('D', (int)syscall(SYS_mkdirat, folder, path, mode), folder, path);
}
int symlinkat(const char *to, int folder, const char *path)
{
    char name[PATH_MAX];
    int done = (int)syscall(SYS_symlinkat, to, folder, path);
    if (done == 0 && whole(folder, path, name)) {
        note("Y %s\t%s\n", name, to);
    }
    return done;
}
int symlink(const char *to, const char *path)
{
    return symlinkat(to, AT_FDCWD, path);
}

static int went(int folder, const char *path, int flags)
{
    char name[PATH_MAX];
    int inside = whole(folder, path, name);
    int done = (int)syscall(SYS_unlinkat, folder, path, flags);
    if (done == 0 && inside) {
        note("U %s\n", name);
    }
    return done;
}
int unlink(const char *path)
{
    return went(AT_FDCWD, path, 0);
}
int unlinkat(int folder, const char *path, int flags)
{
    return went(folder, path, flags);
}
int rmdir(const char *path)
{
    return went(AT_FDCWD, path, AT_REMOVEDIR);
}

static int moved(char kind, int done, int from, const char *old, int to, const char *new)
{
    char before[PATH_MAX], after[PATH_MAX];
    int inside = whole(from, old, before) + whole(to, new, after);
    if (done == 0 && inside != 0) {
        if (inside != 2) {
            _exit(99); /* something came into the folder, or left it */
        }
        note("%c %s\t%s\n", kind, before, after);
    }
    return done;
}
int rename(const char *old, const char *new)
{
    int done = (int)syscall(SYS_renameat2, AT_FDCWD, old, AT_FDCWD, new, 0);
    return moved('R', done, AT_FDCWD, old, AT_FDCWD, new);
}
int renameat(int from, const char *old, int to, const char *new)
{
    int done = (int)syscall(SYS_renameat2, from, old, to, new, 0);
    return moved('R', done, from, old, to, new);
}
int link(const char *old, const char *new)
{
    int done = (int)syscall(SYS_linkat, AT_FDCWD, old, AT_FDCWD, new, 0);
    return moved('L', done, AT_FDCWD, old, AT_FDCWD, new);
}
int linkat(int from, const char *old, int to, const char *new, int flags)
{
    int done = (int)syscall(SYS_linkat, from, old, to, new, flags);
    return moved('L', done, from, old, to, new);
}

static void refuse(int fd)
{
    struct stat found;
    if (below(fd, &found)) {
        _exit(99);
    }
}
ssize_t sendfile(int out, int in, off_t *offset, size_t count)
{
    refuse(out);
    return syscall(SYS_sendfile, out, in, offset, count);
}
ssize_t sendfile64(int out, int in, off_t *offset, size_t count)
{
    return sendfile(out, in, offset, count);
}
ssize_t copy_file_range(int in, off64_t *from, int out, off64_t *to, size_t count, unsigned flags)
{
    refuse(out);
    return syscall(SYS_copy_file_range, in, from, out, to, count, flags);
}
