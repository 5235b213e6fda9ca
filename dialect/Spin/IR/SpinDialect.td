// The spin dialect: sPIN execution contexts, their state and packets, and the
// actions of handlers. Control flow inside handlers, and arithmetic, stay in
// scf and arith.
#ifndef SPIN_DIALECT_TD
#define SPIN_DIALECT_TD

include "mlir/IR/OpBase.td"

def Spin_Dialect : Dialect {
  let name = "spin";
  let cppNamespace = "::spinc::spin";
  let summary = "execution contexts and handlers of sPIN on a network card";
  let description = [{
    A module holds *contexts*. A context (`spin.context`) is one sPIN execution
    context: its matching rules, its state in NIC memory (`spin.state`), the
    host memory it may touch (`spin.host`), what the host promises at
    installation (`spin.contract`), and up to three handlers (`spin.handler`).

    Memory is reached only through *slices*, which carry their length. Every
    access is an obligation: `spin-prove-bounds` either attaches a proof to the
    operation or rejects the program, and the conversion to LLVM refuses an
    access without a proof.

    Handlers are structured (scf) with two operations that leave the handler
    early: `spin.require` and `spin.exit`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
}

class Spin_Op<string mnemonic, list<Trait> traits = []>
    : Op<Spin_Dialect, mnemonic, traits>;

#endif // SPIN_DIALECT_TD
