/* f64 to f32, rounded. */
#define SPIN_FLOAT_BITS 32
#include "runtime/device/math/Float.h"
#include "runtime/device/math/Resize.h"

uint32_t __truncdfsf2(uint64_t a) { return spin_shorten(a); }
