/* f32 to f64, which is exact. */
#define SPIN_FLOAT_BITS 32
#include "runtime/device/math/Float.h"
#include "runtime/device/math/Resize.h"

uint64_t __extendsfdf2(uint32_t a) { return spin_extend(a); }
