// A function with a place in a source, already in LLVM's dialect.
llvm.func @Lines_ph() -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32 loc("lines.spinc":3:5)
  llvm.return %zero : i32 loc("lines.spinc":4:5)
} loc("lines.spinc":2:1)
