/* The runtime's share of each HPU's stack: the handler_args_t that it passes
 * to handlers lies at the top. What is left is the handler's. Used by the
 * runtime (assembly) and by the compiler's stack check.
 */
#ifndef SPINC_RUNTIME_DEVICE_FRAME_H
#define SPINC_RUNTIME_DEVICE_FRAME_H

#define SPINC_RUNTIME_FRAME_BYTES 16

/* The most that one routine of runtime/device/math takes. None calls another;
 * the build refuses one that takes more. */
#define SPINC_MATH_FRAME_BYTES 64

/* The routines, by the names that LLVM calls them. */
#define SPINC_MATH_ROUTINES(ROUTINE)                                           \
  ROUTINE(__udivdi3)                                                           \
  ROUTINE(__umoddi3)                                                           \
  ROUTINE(__divdi3)                                                            \
  ROUTINE(__moddi3)

/* Handler arguments, as offsets from a0. */
#define SPINC_ARGS_TASK 0
#define SPINC_ARGS_HPU_GLOBAL 4
#define SPINC_ARGS_CLUSTER 8
#define SPINC_ARGS_HPU 12

/* TASK_ERROR of a handler that returned a code other than 0. */
#define SPINC_RETURN_CODE_FLAG 0x100

#endif /* SPINC_RUNTIME_DEVICE_FRAME_H */
