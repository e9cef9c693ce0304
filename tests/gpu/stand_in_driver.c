/* A CUDA driver without a GPU, so that the way through cuda.core can be tested on any machine: libcuda.so.1.
 *
 * It offers what cuda.core needs to load a module and to launch a kernel on one device of compute capability 9.0.
 * Device memory is host memory. It does not run PTX: of the kernels of the tests it knows by name what they do.
 *
 * Environment: STAND_IN_CUDA version (13000), STAND_IN_LOAD and STAND_IN_SYNC statuses to return, STAND_IN_LOG a file
 * to which each call of interest is added as a line.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int Result;
typedef uint64_t Pointer;
enum { SUCCESS = 0, NO_CONTEXT = 201, NOT_FOUND = 500 };

static int from_environment(const char *name, int otherwise) {
    const char *value = getenv(name);
    return value ? atoi(value) : otherwise;
}

static void note(const char *form, ...) {
    const char *name = getenv("STAND_IN_LOG");
    FILE *file = name ? fopen(name, "a") : NULL;
    if (!file) return;
    va_list values;
    va_start(values, form);
    vfprintf(file, form, values);
    va_end(values);
    fputc('\n', file);
    fclose(file);
}

/* Everything below is found through this: function cuX of the driver is on_X here. */
Result cuGetProcAddress_v2(const char *name, void **address, int version, uint64_t flags, int *found) {
    char ours[128];
    snprintf(ours, sizeof ours, "on_%s", name + 2);
    *address = dlsym(dlopen("libcuda.so.1", RTLD_NOLOAD | RTLD_NOW), ours);
    if (found) *found = *address ? 0 : 1;
    return *address ? SUCCESS : NOT_FOUND;
}
Result cuGetProcAddress(const char *name, void **address, int version, uint64_t flags) {
    return cuGetProcAddress_v2(name, address, version, flags, NULL);
}
Result on_GetProcAddress(const char *name, void **address, int version, uint64_t flags, int *found) {
    return cuGetProcAddress_v2(name, address, version, flags, found);
}

/* Device and context */
static int context, stream, pool, library, module, kernels[3];
static void *current;

Result on_Init(unsigned flags) { return SUCCESS; }
Result on_DriverGetVersion(int *version) { *version = from_environment("STAND_IN_CUDA", 13000); return SUCCESS; }
Result on_DeviceGetCount(int *count) { *count = 1; return SUCCESS; }
Result on_DeviceGet(int *device, int index) { *device = index; return SUCCESS; }
Result on_DeviceGetName(char *name, int size, int device) { snprintf(name, size, "Stand-In"); return SUCCESS; }
Result on_DeviceGetUuid(char *uuid, int device) { memset(uuid, 7, 16); return SUCCESS; }
Result on_DeviceGetAttribute(int *value, int attribute, int device) {
    static const struct { int attribute, value; } known[] = {
        {1, 1024}, {2, 1024}, {3, 1024}, {4, 64}, {5, 0x7fffffff}, {6, 65535}, {7, 65535}, /* threads, block, grid */
        {16, 132}, {41, 1}, {75, 9}, {76, 0}, {97, 232448}, {115, 1}, /* SMs, unified, capability, shared, pools */
    };
    *value = 0;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].attribute == attribute) *value = known[i].value;
    return SUCCESS;
}
Result on_DevicePrimaryCtxRetain(void **result, int device) { *result = &context; return SUCCESS; }
Result on_DevicePrimaryCtxRelease(int device) { return SUCCESS; }
Result on_CtxSetCurrent(void *wanted) { current = wanted; return SUCCESS; }
Result on_CtxGetCurrent(void **result) { *result = current; return SUCCESS; }
Result on_CtxGetDevice(int *device) { *device = 0; return current ? SUCCESS : NO_CONTEXT; }
Result on_CtxGetId(void *of, uint64_t *id) { *id = 1; return SUCCESS; }
Result on_CtxGetStreamPriorityRange(int *least, int *greatest) { *least = 0; *greatest = -1; return SUCCESS; }
Result on_GetErrorName(int error, const char **name) { *name = "STAND_IN_ERROR"; return SUCCESS; }
Result on_GetErrorString(int error, const char **text) { *text = "as the test asked"; return SUCCESS; }

/* Streams and memory */
Result on_StreamCreateWithPriority(void **result, unsigned flags, int priority) { *result = &stream; return SUCCESS; }
Result on_StreamDestroy(void *of) { return SUCCESS; }
Result on_StreamGetCtx(void *of, void **result) { *result = &context; return SUCCESS; }
Result on_StreamIsCapturing(void *of, int *status) { *status = 0; return SUCCESS; }
Result on_StreamSynchronize(void *of) { note("wait"); return from_environment("STAND_IN_SYNC", SUCCESS); }
Result on_DeviceGetMemPool(void **result, int device) { *result = &pool; return SUCCESS; }
Result on_DeviceGetDefaultMemPool(void **result, int device) { *result = &pool; return SUCCESS; }
Result on_MemPoolGetAttribute(void *of, int attribute, void *value) { memset(value, 0, 4); return SUCCESS; }
Result on_MemPoolSetAttribute(void *of, int attribute, void *value) { return SUCCESS; }
Result on_MemAllocFromPoolAsync(Pointer *result, size_t size, void *from, void *on) {
    note("allocate %zu", size);
    *result = (Pointer)aligned_alloc(256, (size + 255) / 256 * 256);
    memset((void *)*result, 0xEE, size);
    return SUCCESS;
}
Result on_MemFreeAsync(Pointer memory, void *on) { note("free"); free((void *)memory); return SUCCESS; }
Result on_MemcpyAsync(Pointer to, Pointer from, size_t size, void *on) {
    note("copy %zu", size);
    memcpy((void *)to, (void *)from, size);
    return SUCCESS;
}
Result on_PointerGetAttribute(void *value, int attribute, Pointer of) {
    if (attribute == 1) *(void **)value = &context;
    else *(int *)value = attribute == 2 ? 2 : 0; /* memory type: device; device ordinal: 0 */
    return SUCCESS;
}
Result on_PointerGetAttributes(unsigned count, int *attributes, void **values, Pointer of) {
    for (unsigned i = 0; i < count; i++) on_PointerGetAttribute(values[i], attributes[i], of);
    return SUCCESS;
}

/* Modules. Like a driver that loads lazily, it writes its log when the module is asked for. */
static const char *names[] = {"saxpy", "keep", "nothing"};
static char *info;

Result on_LibraryLoadData(void **result, const char *code, int *options, void **values, unsigned count, void *a,
                          void *b, unsigned c) {
    char *errors = NULL;
    size_t info_size = 0, verbose = 0;
    info = NULL;
    for (unsigned i = 0; i < count; i++) {
        if (options[i] == 3) info = values[i];
        if (options[i] == 4) info_size = (size_t)values[i];
        if (options[i] == 5) errors = values[i];
        if (options[i] == 12) verbose = (size_t)values[i];
    }
    int status = from_environment("STAND_IN_LOAD", SUCCESS);
    if (*code == 0x7F) {
        note("load cubin");
        status = SUCCESS;
    } else {
        note("load PTX of %zu bytes%s%s", strlen(code), info_size ? ", logged" : "", verbose ? ", verbose" : "");
    }
    if (status && errors) strcpy(errors, "ptxas application ptx input, line 3; error   : as the test asked");
    *result = &library;
    return status;
}
Result on_LibraryGetModule(void **result, void *of) {
    if (info) strcpy(info, "ptxas info    : (C7508) said when loaded\nptxas info    : Used 4 registers\n");
    *result = &module;
    return SUCCESS;
}
Result on_LibraryUnload(void *of) { note("unload"); return SUCCESS; }
Result on_LibraryGetKernel(void **result, void *of, const char *name) {
    for (int i = 0; i < 3; i++)
        if (!strcmp(name, names[i])) return *result = &kernels[i], SUCCESS;
    return NOT_FOUND;
}
Result on_KernelGetLibrary(void **result, void *kernel) { *result = &library; return SUCCESS; }
Result on_KernelGetAttribute(int *value, int attribute, void *kernel, int device) {
    *value = attribute == 0 ? 512 : attribute == 1 ? 128 : 0; /* threads of a block, static shared memory */
    return SUCCESS;
}
Result on_KernelSetAttribute(int attribute, int value, void *kernel, int device) {
    note("set attribute %d to %d", attribute, value);
    return SUCCESS;
}

/* Launches */
typedef struct {
    unsigned grid[3], block[3], shared;
    void *stream;
    struct { unsigned id, padding, value[16]; } *attributes;
    unsigned count;
} Config;

Result on_LaunchKernelEx(const Config *config, void *function, void **parameters, void **extra) {
    int which = (int)((int *)function - kernels);
    const unsigned *g = config->grid, *b = config->block;
    note("launch %s (%u %u %u) (%u %u %u) shared %u stream %zu", names[which], g[0], g[1], g[2], b[0], b[1], b[2],
         config->shared, (size_t)config->stream);
    for (unsigned i = 0; i < config->count; i++) {
        const unsigned *v = config->attributes[i].value;
        if (config->attributes[i].id == 4) note("cluster (%u %u %u)", v[0], v[1], v[2]);
    }
    if (which == 0) {
        const float *x = *(float **)parameters[2];
        float *y = *(float **)parameters[3];
        for (unsigned i = 0; i < *(unsigned *)parameters[0]; i++) y[i] += *(float *)parameters[1] * x[i];
    }
    if (which == 1) memcpy(*(void **)parameters[1], parameters[0], 16);
    return SUCCESS;
}
