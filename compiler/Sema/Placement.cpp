// sta-6, sta-7: where state lies. What has no `in …` is in L1, if target pspin
// has the operations on it there (it compares and swaps in L2 only), and if
// there is room.
#include "compiler/AST/Walk.h"
#include "compiler/Sema/Analyzer.h"
#include "runtime/abi/MessageBlocks.h"

using llvm::alignTo;

namespace spinc::sema {

namespace {

/// Looks for `….field.cas(…)` and `….field[i].cas(…)`.
class CasFinder {
public:
  explicit CasFinder(llvm::StringRef field) : field(field) {}

  void visit(const ast::Stmt &stmt) {
    ast::forEachExpr(stmt, [&](const ast::Expr &expr) { visit(expr); });
    ast::forEachStmt(stmt, [&](const ast::Stmt &inner) { visit(inner); });
  }
  bool found = false;

private:
  void visit(const ast::Expr &expr) {
    if (const auto *call = llvm::dyn_cast<ast::CallExpr>(&expr))
      found |= isCas(*call);
    ast::forEachOperand(expr, [&](const ast::Expr &inner) { visit(inner); });
  }

  bool isCas(const ast::CallExpr &call) const {
    const auto *method = llvm::dyn_cast<ast::FieldExpr>(call.callee.get());
    if (!method || method->member.text != "cas")
      return false;
    const ast::Expr *place = method->base.get();
    if (const auto *element = llvm::dyn_cast<ast::IndexExpr>(place))
      place = element->base.get();
    const auto *of = llvm::dyn_cast<ast::FieldExpr>(place);
    return of && of->member.text == field;
  }

  llvm::StringRef field;
};

/// Fields start at multiples of this, and so do parameter blocks.
constexpr unsigned fieldAlign = 8;
/// Where the parameters of all contexts start.
constexpr unsigned paramsAlign = 16;

/// Where the state of all contexts starts, as far as alignment is concerned.
constexpr uint64_t startOf(StateSpace space) {
  return space == StateSpace::L2 ? PSPIN_L2_CONTEXT_BASE
                                 : PSPIN_L1_STATE_OFFSET;
}

/// hdl-9: what the header handler decides takes one more byte of a message.
unsigned verdictBytes(const ast::ContextDecl &decl, StateSpace space) {
  bool hasHeader = llvm::any_of(decl.handlers, [](const auto &handler) {
    return handler->handlerKind == HandlerKind::Header;
  });
  return hasHeader && decl.handlers.size() > 1 && space == StateSpace::L1;
}

/// What a memory holds with the state of a context behind what is there: the
/// blocks of messages of all contexts, then the fields of all contexts.
class Layout {
public:
  Layout(StateSpace space, const ProgramInfo &program,
         const ast::ContextDecl &decl)
      : space(space), hidden(verdictBytes(decl, space)),
        before(space == StateSpace::L2 ? program.l2State : program.l1State),
        fields(before.fields) {
    if (space == StateSpace::L1)
      for (const std::unique_ptr<ContextInfo> &context : program.contexts)
        otherParams += alignTo(context->paramBytes, fieldAlign);
  }

  /// Gives the field its offset.
  void add(StateField &field) {
    uint64_t &last = field.kind == StateKind::Param   ? params
                     : field.kind == StateKind::Plain ? message
                                                      : fields;
    field.size = sizeInBytes(field.type);
    bool isBlock =
        field.kind == StateKind::Param || field.kind == StateKind::Plain;
    uint64_t offset =
        alignTo(last, isBlock ? alignInBytes(field.type) : fieldAlign);
    field.offset = unsigned(offset);
    uint64_t bytes = field.size;
    if (field.kind == StateKind::PerHpu) // sta-11
      bytes = alignTo(bytes, fieldAlign) * PSPIN_HPUS_PER_CLUSTER;
    last = offset + bytes;
  }

  /// sta-10: the plain fields, once for each message that may be in flight.
  MessageBlock messages() const {
    abi::MessageBlocks all = blocks();
    return {unsigned(message), unsigned(all.stride), unsigned(all.copies)};
  }
  StateBytes state() const {
    abi::MessageBlocks all = blocks();
    uint64_t end = before.messages;
    if (all.stride != 0)
      end = alignTo(startOf(space) + end, all.alignment) - startOf(space) +
            all.bytes();
    return {end, fields};
  }
  uint64_t paramBytes() const { return params; }

  uint64_t needed() const {
    uint64_t more = alignTo(params, fieldAlign) + otherParams;
    uint64_t bytes = state().total();
    return more == 0 ? bytes : alignTo(bytes, paramsAlign) + more;
  }
  uint64_t available() const {
    return space == StateSpace::L2 ? PSPIN_L2_CONTEXT_SIZE
                                   : PSPIN_L1_STATE_SIZE;
  }
  bool fits() const { return needed() <= available(); }

private:
  abi::MessageBlocks blocks() const {
    return abi::messageBlocks(message + hidden, space == StateSpace::L1);
  }

  StateSpace space;
  unsigned hidden;   // bytes of a message that are no field's
  StateBytes before; // of the contexts above
  uint64_t fields;
  uint64_t message = 0, params = 0, otherParams = 0;
};

Layout layOut(StateSpace space, const ProgramInfo &program,
              const ContextInfo &context) {
  Layout layout(space, program, *context.decl);
  for (StateField field : context.state)
    if (field.space == space)
      layout.add(field);
  return layout;
}

/// Whether the program leaves open where the field is, and L1 has it.
bool isMovable(const StateField &field) {
  return field.decl && field.decl->placement == ast::Placement::Default &&
         field.space == StateSpace::L1 &&
         (field.kind == StateKind::Plain || field.kind == StateKind::Atomic ||
          field.kind == StateKind::Guarded || field.kind == StateKind::Lock);
}

uint64_t bytesInL1(const StateField &field) {
  return uint64_t(sizeInBytes(field.type)) *
         (field.kind == StateKind::Plain ? PSPIN_MESSAGES_PER_CLUSTER : 1);
}

} // namespace

bool Analyzer::comparesAndSwaps(llvm::StringRef field) const {
  CasFinder finder(field);
  for (const std::unique_ptr<ast::HandlerDecl> &handlerDecl :
       context->decl->handlers)
    finder.visit(*handlerDecl->body);
  return finder.found;
}

/// As long as L1 has no room for all, or is not wanted, the largest field that
/// may be in L2 and fits there goes there.
void Analyzer::chooseSpaces() {
  const ProgramInfo &program = types.program();
  while (!options.stateInL1 ||
         !layOut(StateSpace::L1, program, *context).fits()) {
    const Layout inL2 = layOut(StateSpace::L2, program, *context);
    StateField *largest = nullptr;
    for (StateField &field : context->state) {
      Layout more = inL2;
      StateField copy = field;
      more.add(copy);
      if (isMovable(field) && more.fits() &&
          (!largest || bytesInL1(field) > bytesInL1(*largest)))
        largest = &field;
    }
    if (!largest)
      return;
    largest->space = StateSpace::L2;
    largest->hadNoRoom = options.stateInL1;
  }
}

/// Gives all fields their places; sta-7: those for which there is none, an
/// error.
void Analyzer::placeState(const ast::ContextDecl &decl) {
  ProgramInfo &program = types.program();
  chooseSpaces();
  Layout l1(StateSpace::L1, program, decl), l2(StateSpace::L2, program, decl);
  SourceRange range = decl.range;
  for (StateField &field : context->state) {
    bool isL2 = field.space == StateSpace::L2;
    Layout &layout = isL2 ? l2 : l1;
    if (field.decl)
      range = field.decl->range;
    Layout before = layout;
    layout.add(field);
    if (layout.fits())
      continue;
    DiagnosticBuilder report = diagnostics.report(
        diag::StateTooLarge, range, field.name, isL2 ? "L2" : "L1",
        layout.needed(), layout.available());
    if (field.kind == StateKind::Plain)
      report.reason("plain state belongs to a message, and " +
                    std::to_string(layout.messages().copies) +
                    " messages may be there at a time");
    layout = before;
  }
  context->l1Messages = l1.messages();
  context->l2Messages = l2.messages();
  program.l1State = l1.state();
  program.l2State = l2.state();
  context->paramBytes = unsigned(l1.paramBytes());
}

} // namespace spinc::sema
