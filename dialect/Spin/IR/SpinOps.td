// All operations of the spin dialect, one group per file.
#ifndef SPIN_OPS_TD
#define SPIN_OPS_TD

include "dialect/Spin/IR/SpinAttrs.td"
include "dialect/Spin/IR/SpinTypes.td"
include "dialect/Spin/IR/ContextOps.td"
include "dialect/Spin/IR/ControlOps.td"
include "dialect/Spin/IR/MemoryOps.td"
include "dialect/Spin/IR/LaneOps.td"
include "dialect/Spin/IR/StateOps.td"
include "dialect/Spin/IR/LockOps.td"
include "dialect/Spin/IR/HostOps.td"
include "dialect/Spin/IR/CommandOps.td"

#endif // SPIN_OPS_TD
