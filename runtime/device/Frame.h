/* The runtime's share of each HPU's stack: the handler_args_t that it passes
 * to handlers lies at the top, with what handlers of this compiler find behind
 * it. What is left is the handler's. Used by the runtime (assembly) and by the
 * compiler.
 */
#ifndef SPINC_RUNTIME_DEVICE_FRAME_H
#define SPINC_RUNTIME_DEVICE_FRAME_H

#define SPINC_RUNTIME_FRAME_BYTES 32

/* The most that one routine of runtime/device/math takes. None calls another;
 * the build refuses one that takes more. */
#define SPINC_MATH_FRAME_BYTES 64

/* The routines, by the names that LLVM calls them. */
#define SPINC_MATH_ROUTINES(ROUTINE)                                           \
  ROUTINE(__udivdi3)                                                           \
  ROUTINE(__umoddi3)                                                           \
  ROUTINE(__divdi3)                                                            \
  ROUTINE(__moddi3)                                                            \
  ROUTINE(__extendsfdf2)                                                       \
  ROUTINE(__truncdfsf2)                                                        \
  ROUTINE(__addsf3)                                                            \
  ROUTINE(__subsf3)                                                            \
  ROUTINE(__mulsf3)                                                            \
  ROUTINE(__divsf3)                                                            \
  ROUTINE(__lesf2)                                                             \
  ROUTINE(__ltsf2)                                                             \
  ROUTINE(__eqsf2)                                                             \
  ROUTINE(__nesf2)                                                             \
  ROUTINE(__gesf2)                                                             \
  ROUTINE(__gtsf2)                                                             \
  ROUTINE(__unordsf2)                                                          \
  ROUTINE(__fixsfsi)                                                           \
  ROUTINE(__fixsfdi)                                                           \
  ROUTINE(__fixunssfsi)                                                        \
  ROUTINE(__fixunssfdi)                                                        \
  ROUTINE(__floatsisf)                                                         \
  ROUTINE(__floatdisf)                                                         \
  ROUTINE(__floatunsisf)                                                       \
  ROUTINE(__floatundisf)                                                       \
  ROUTINE(__adddf3)                                                            \
  ROUTINE(__subdf3)                                                            \
  ROUTINE(__muldf3)                                                            \
  ROUTINE(__divdf3)                                                            \
  ROUTINE(__ledf2)                                                             \
  ROUTINE(__ltdf2)                                                             \
  ROUTINE(__eqdf2)                                                             \
  ROUTINE(__nedf2)                                                             \
  ROUTINE(__gedf2)                                                             \
  ROUTINE(__gtdf2)                                                             \
  ROUTINE(__unorddf2)                                                          \
  ROUTINE(__fixdfsi)                                                           \
  ROUTINE(__fixdfdi)                                                           \
  ROUTINE(__fixunsdfsi)                                                        \
  ROUTINE(__fixunsdfdi)                                                        \
  ROUTINE(__floatsidf)                                                         \
  ROUTINE(__floatdidf)                                                         \
  ROUTINE(__floatunsidf)                                                       \
  ROUTINE(__floatundidf)

/* Handler arguments, as offsets from a0. */
#define SPINC_ARGS_TASK 0
#define SPINC_ARGS_HPU_GLOBAL 4
#define SPINC_ARGS_CLUSTER 8
#define SPINC_ARGS_HPU 12
/* Where the HPU's part of the area for local arrays is, by the address that
 * engines know. */
#define SPINC_ARGS_LOCALS 16
#define SPINC_ARGS_BYTES 20

/* TASK_ERROR of a handler that returned a code other than 0. */
#define SPINC_RETURN_CODE_FLAG 0x100

#endif /* SPINC_RUNTIME_DEVICE_FRAME_H */
