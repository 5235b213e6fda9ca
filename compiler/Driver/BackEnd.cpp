// The stages from LLVM IR to the image, its bounds and the host's side.
#include "compiler/Backend/Metadata.h"
#include "compiler/Driver/Compilation.h"
#include "runtime/abi/pspin.h"
#include "runtime/device/Frame.h"

using namespace llvm;
using namespace spinc;
using namespace spinc::driver;

namespace {

bool isHandler(StringRef symbol) {
  return symbol.ends_with("_hh") || symbol.ends_with("_ph") ||
         symbol.ends_with("_th");
}

} // namespace

bool Compilation::emitCode() {
  backend::CodeForm form = options.emit == Stage::Asm
                               ? backend::CodeForm::Assembly
                               : backend::CodeForm::Object;
  Expected<backend::Code> made =
      backend::emitCode(*llvmModule, *machine, form);
  if (!made) {
    session.failInternally(toString(made.takeError()));
    return false;
  }
  code = std::move(*made);
  auto print = [&](raw_ostream &out) { out << backend::asText(code.bytes); };
  return !endsAt(Stage::Asm, print) && !endsAt(Stage::Obj, print);
}

bool Compilation::checkStack() {
  constexpr uint64_t available = PSPIN_STACK_SIZE - SPINC_RUNTIME_FRAME_BYTES;
  for (const Function &function : *llvmModule) {
    if (function.isDeclaration() || !isHandler(function.getName()))
      continue;
    auto depth = code.stack.find(function.getName());
    // Without a depth the linker or the cycle bound names the cause.
    if (depth != code.stack.end() && depth->second > available)
      session.fail(diag::StackTooLarge, function.getName(), depth->second,
                   available);
  }
  return !session.failed();
}

bool Compilation::link() {
  if (options.target != TargetKind::Pspin) {
    session.fail(diag::TargetNotLowered, targetName(options.target));
    return false;
  }
  if (!checkStack())
    return false;
  Expected<backend::Bytes> linked =
      backend::linkImage(backend::asText(code.bytes), installed(""));
  if (!linked) {
    session.fail(diag::CannotLink, toString(linked.takeError()));
    return false;
  }
  image = std::move(*linked);
  if (Error error = backend::reencodeImage(image)) {
    session.failInternally(toString(std::move(error)));
    return false;
  }
  if (Error error = backend::checkInstructions(backend::asText(image))) {
    session.fail(diag::BadInstruction, toString(std::move(error)));
    return false;
  }
  return true;
}

void Compilation::writeImage() {
  Expected<backend::ImageLayout> layout =
      backend::readLayout(backend::asText(image));
  if (!layout)
    return session.failInternally(toString(layout.takeError()));
  backend::MetadataInput input;
  input.program = programName();
  input.mtu = options.mtu;
  input.card = {options.lineRate, options.lineRateGiven, options.hpus};
  input.info = &types.program();
  input.facts = &facts;
  input.stack = &code.stack;
  input.layout = &*layout;
  Expected<backend::Bytes> finished = backend::finishImage(
      backend::asText(image), backend::makeMetadata(input), options.debugInfo);
  if (!finished)
    return session.failInternally(toString(finished.takeError()));
  image = std::move(*finished);
  session.writeOutput(backend::asText(image));
}
