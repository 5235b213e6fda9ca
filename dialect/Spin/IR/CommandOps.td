// Actions that leave the HPU: DMA to and from the host, notification, put,
// send. Each issues one command; `spin.wait` waits for it.
#ifndef SPIN_COMMAND_OPS_TD
#define SPIN_COMMAND_OPS_TD

include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialect/Spin/IR/MeaningInterface.td"
include "dialect/Spin/IR/SpinAttrs.td"
include "dialect/Spin/IR/SpinTypes.td"

def Spin_DmaToHostOp : Spin_Op<"dma_to_host", [
    DeclareOpInterfaceMethods<MeaningOpInterface, ["getObligations"]>, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "copies NIC memory to host memory";
  let description = [{
    Obligation: `bytes(source) <= bytes(dest)`. A slice of length 0 moves
    nothing.

    Example: `%c = spin.dma_to_host %dst, %src : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>`
  }];
  let arguments = (ins Spin_HostSlice:$dest, Spin_NicSlice:$source,
                       OptionalAttr<Spin_ProofAttr>:$proof);
  let results = (outs Spin_CommandType:$command);
  let assemblyFormat = "$dest `,` $source (`proof` $proof^)? attr-dict `:` qualified(type($dest)) `,` qualified(type($source))";
}

def Spin_DmaFromHostOp : Spin_Op<"dma_from_host", [
    DeclareOpInterfaceMethods<MeaningOpInterface, ["getObligations"]>, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "copies host memory to NIC memory";
  let description = [{
    Obligation: `bytes(source) <= bytes(dest)`.

    Example: `%c = spin.dma_from_host %dst, %src : !spin.slice<i8, packet_l1>, !spin.slice<i8, host>`
  }];
  let arguments = (ins Spin_WritableSlice:$dest, Spin_HostSlice:$source,
                       OptionalAttr<Spin_ProofAttr>:$proof);
  let results = (outs Spin_CommandType:$command);
  let assemblyFormat = "$dest `,` $source (`proof` $proof^)? attr-dict `:` qualified(type($dest)) `,` qualified(type($source))";
}

def Spin_NotifyOp : Spin_Op<"notify", [
    DeclareOpInterfaceMethods<MeaningOpInterface, ["getObligations"]>, MemoryEffects<[MemWrite]>]> {
  let summary = "writes an 8-byte value to host memory";
  let description = [{
    Obligations: `dest` has length 8 and starts at a multiple of 8 of its region
    (regions are 64-byte aligned, and the write may not cross a bus beat).

    Example: `%c = spin.notify %slot, %one : !spin.slice<i8, host>`
  }];
  let arguments = (ins Spin_HostSlice:$dest, I64:$value,
                       OptionalAttr<Spin_ProofAttr>:$proof);
  let results = (outs Spin_CommandType:$command);
  let assemblyFormat = "$dest `,` $value (`proof` $proof^)? attr-dict `:` qualified(type($dest))";
  let hasVerifier = 1;
}

def Spin_SendOp : Spin_Op<"send", [
    DeclareOpInterfaceMethods<MeaningOpInterface, ["getObligations"]>, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "sends a slice as a raw packet";
  let description = [{
    Obligation: the slice is no longer than the context's `mtu`.

    Example: `%c = spin.send %all : !spin.slice<i8, packet_l1>`
  }];
  let arguments = (ins Spin_NicSlice:$data, OptionalAttr<Spin_ProofAttr>:$proof);
  let results = (outs Spin_CommandType:$command);
  let assemblyFormat = "$data (`proof` $proof^)? attr-dict `:` qualified(type($data))";
}

def Spin_PutOp : Spin_Op<"put", [
    MeaningOpInterface, MemoryEffects<[MemRead, MemWrite]>,
                                 AttrSizedOperandSegments]> {
  let summary = "Portals put from NIC memory";
  let description = [{
    Sends `data` (nothing if absent) to process `to` with match bits and
    header data.

    Example: `%c = spin.put %s to %who match %bits : !spin.slice<i8, packet_l1>`
  }];
  let arguments = (ins Optional<Spin_NicSlice>:$data, I32:$to, I64:$matchBits,
                       Optional<I32>:$hdrData);
  let results = (outs Spin_CommandType:$command);
  let assemblyFormat = [{
    ($data^)? `to` $to `match` $matchBits (`hdr_data` $hdrData^)? attr-dict (`:` qualified(type($data))^)?
  }];
}

def Spin_WaitOp : Spin_Op<"wait", [
    MeaningOpInterface, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "waits until a command has completed";
  let description = "Example: `spin.wait %c`";
  let arguments = (ins Spin_CommandType:$command);
  let assemblyFormat = "$command attr-dict";
}

#endif // SPIN_COMMAND_OPS_TD
