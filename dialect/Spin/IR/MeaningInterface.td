// What an operation of a handler means to those who prove, certify and check:
// what must hold where it stands, and what is known of its results.
#ifndef SPIN_MEANING_INTERFACE_TD
#define SPIN_MEANING_INTERFACE_TD

include "mlir/IR/OpBase.td"

def MeaningOpInterface : OpInterface<"MeaningOpInterface"> {
  let description = [{
    Each operation in a handler has it, or `spin-check-proofs` refuses the
    handler. An operation that can go wrong gives its obligations; one that
    gives numbers may say which. Forms are over unbounded integers. Operations
    of arith and scf have it from ArithMeaning.cpp and LoopMeaning.cpp.
  }];
  let cppNamespace = "::spinc::spin";
  let methods = [
    InterfaceMethod<"What must hold where the operation stands.",
      "::spinc::spin::meaning::Obligations", "getObligations",
      (ins "::spinc::spin::meaning::Numbers &":$numbers), "", "return {};">,
    InterfaceMethod<[{
        The number that a result, or an argument of a region, is in this
        reading; nothing if it is better known in the other one, or not at all.
      }],
      "::std::optional<::spinc::spin::meaning::Form>", "getNumber",
      (ins "::mlir::Value":$value, "bool":$isSigned,
           "::spinc::spin::meaning::Numbers &":$numbers),
      "", "return ::std::nullopt;">,
    InterfaceMethod<"The elements of a slice, a result or an argument.",
      "::std::optional<::spinc::spin::meaning::Form>", "getLength",
      (ins "::mlir::Value":$slice, "::spinc::spin::meaning::Numbers &":$numbers),
      "", "return ::std::nullopt;">,
    InterfaceMethod<[{
        What holds for a result or an argument in this reading, or for the
        length of a slice, beyond what its type says.
      }],
      "::spinc::spin::meaning::Constraints", "getAxioms",
      (ins "::mlir::Value":$value, "bool":$isSigned,
           "::spinc::spin::meaning::Numbers &":$numbers),
      "", "return {};">,
    InterfaceMethod<"What follows from the result, a condition, having this truth.",
      "::spinc::spin::meaning::Constraints", "getTruth",
      (ins "bool":$truth, "::spinc::spin::meaning::Numbers &":$numbers),
      "", "return {};">,
    InterfaceMethod<[{
        Two cases of which one holds, for a condition because of its truth.
      }],
      "::std::optional<::spinc::spin::meaning::Cases>", "getCases",
      (ins "::std::optional<bool>":$truth,
           "::spinc::spin::meaning::Numbers &":$numbers),
      "", "return ::std::nullopt;">,
  ];
}

#endif // SPIN_MEANING_INTERFACE_TD
