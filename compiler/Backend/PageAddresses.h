// Addresses of pages, which one instruction makes.
#ifndef SPINC_COMPILER_BACKEND_PAGEADDRESSES_H
#define SPINC_COMPILER_BACKEND_PAGEADDRESSES_H

namespace llvm {
class Module;
} // namespace llvm

namespace spinc::backend {

/// Makes each number that is the address of a symbol at a page's start (the
/// blocks of messages: runtime/abi/MessageBlocks.h) an inline assembly of one
/// `lui`. LLVM would add the lower 12 bits, which it does not take to be zero.
/// For optimised code, behind all that moves constants about.
void selectPageAddresses(llvm::Module &module);

} // namespace spinc::backend

#endif // SPINC_COMPILER_BACKEND_PAGEADDRESSES_H
