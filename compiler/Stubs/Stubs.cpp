// Writes the two C files; Stubs.h says what is in them. The texts are meant to
// be read: each check carries the condition as it was written.
#include "compiler/Stubs/Stubs.h"

#include "compiler/Stubs/CText.h"
#include "compiler/Stubs/Conditions.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <set>

namespace spinc::stubs {

namespace {

bool isParameter(const sema::StateField &field) {
  return field.kind == sema::StateKind::Param;
}

bool hasParameters(const sema::ContextInfo &context) {
  return llvm::any_of(context.state, isParameter);
}

llvm::StringRef linkWords(sema::Link link) {
  switch (link) {
  case sema::Link::Ethernet:
    return "packets from the Ethernet header on";
  case sema::Link::Ip:
    return "packets from the IP header on";
  case sema::Link::Portals:
    return "packets of Portals messages";
  }
  return "";
}

/// Writes the files of one program, context by context.
class Writer {
public:
  Writer(const sema::ProgramInfo &info, llvm::StringRef program,
         bool checksTables)
      : info(info), program(program), symbol(identifier(program) + "_program"),
        checksTables(checksTables) {}

  std::string header() const;
  llvm::Expected<std::string> source(llvm::ArrayRef<uint8_t> image) const;

private:
  void describe(llvm::raw_ostream &os, const sema::ContextInfo &context) const;
  void declareTypes(llvm::raw_ostream &os,
                    const sema::ContextInfo &context) const;
  void declareFunctions(llvm::raw_ostream &os,
                        const sema::ContextInfo &context) const;
  void assertLayout(llvm::raw_ostream &os,
                    const sema::ContextInfo &context) const;
  llvm::Error defineCheck(llvm::raw_ostream &os,
                          const sema::ContextInfo &context) const;
  llvm::Error writeCondition(llvm::raw_ostream &os, const ast::Expr &condition,
                             const std::string &text,
                             const sema::ContextInfo &context,
                             llvm::ArrayRef<Value> values,
                             std::set<unsigned> &reads) const;
  void defineInstall(llvm::raw_ostream &os,
                     const sema::ContextInfo &context) const;

  const sema::ProgramInfo &info;
  std::string program;
  std::string symbol;
  bool checksTables;
};

void Writer::describe(llvm::raw_ostream &os,
                      const sema::ContextInfo &context) const {
  os << "/* Context " << context.name << ": " << linkWords(context.packet.link)
     << ",\n * the payload after " << context.packet.headerBytes;
  if (context.packet.hasRunTimeSize())
    os << " to " << context.packet.maxHeaderBytes;
  os << " bytes, at most " << context.mtu << " bytes in all.\n";
  for (const sema::MatchRule &rule : context.packet.rules)
    if (!rule.text.empty())
      os << " *   match    " << commentText(rule.text) << '\n';
  if (context.portals)
    os << " *   match    bits " << context.portals->bits << ", ignoring "
       << context.portals->ignore << '\n';
  for (const sema::HandlerInfo &handler : context.handlers) {
    os << " *   handler  " << ast::spelling(handler.kind);
    for (size_t i = 0; i < handler.budgets.size(); ++i)
      os << (i ? ", " : " budget(") << commentText(handler.budgets[i].text);
    os << (handler.budgets.empty() ? "\n" : ")\n");
  }
  os << " */\n\n";
}

void Writer::declareTypes(llvm::raw_ostream &os,
                          const sema::ContextInfo &context) const {
  if (hasParameters(context)) {
    os << "/* Fixed when the context is installed. */\ntypedef struct "
       << context.name << "_params {\n";
    for (const sema::StateField &field : context.state) {
      if (!isParameter(field))
        continue;
      os << "  " << member(field.type, memberName(field.name, context)) << ';';
      for (size_t i = 0; i < field.where.size(); ++i)
        os << (i ? " && " : " /* where ")
           << commentText(field.where[i]->range.text());
      os << (field.where.empty() ? "\n" : " */\n");
    }
    os << "} " << context.name << "_params;\n\n";
  }
  if (llvm::any_of(context.state, std::not_fn(isParameter))) {
    os << "/* State on the card: how a copy of a field looks to the host. */\n"
       << "typedef struct " << context.name << "_state {\n";
    for (const sema::StateField &field : context.state)
      if (!isParameter(field))
        os << "  " << member(field.type, memberName(field.name, context))
           << ";\n";
    os << "} " << context.name << "_state;\n\n";
  }
  os << "typedef struct " << context.name << "_setup {\n";
  if (hasParameters(context))
    os << "  " << context.name << "_params params;\n";
  if (context.host)
    os << "  spin_region " << memberName(context.host->name, context)
       << "; /* memory of the host */\n";
  if (!hasParameters(context) && !context.host)
    os << "  char nothing; /* this context needs no setup */\n";
  os << "} " << context.name << "_setup;\n\n";
}

void Writer::declareFunctions(llvm::raw_ostream &os,
                              const sema::ContextInfo &context) const {
  const std::string &name = context.name;
  os << "/* Whether `setup` meets every `where` and `contract` of the "
        "context:\n"
        " * SPIN_OK, or SPIN_VIOLATION and a message in `error`. */\n"
     << "int " << name << "_check(const " << name
     << "_setup *setup, spin_error *error);\n\n"
     << "/* Checks `setup` and puts the context on `card`. Host memory of\n"
        " * `setup` must stay until the card is closed. */\n"
     << "int " << name << "_install(spin_card *card, const " << name
     << "_setup *setup,\n"
     << std::string(name.size() + 13, ' ') << "spin_error *error);\n\n"
     << "/* Opens a card with this context alone; `options` may be NULL. The\n"
        " * caller closes it with spin_card_close(). */\n"
     << "int " << name << "_connect(const spin_card_options *options,\n"
     << std::string(name.size() + 13, ' ') << "const " << name
     << "_setup *setup, spin_card **card,\n"
     << std::string(name.size() + 13, ' ') << "spin_error *error);\n\n";
}

std::string Writer::header() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  std::string guard =
      "SPINC_STUB_" + llvm::StringRef(identifier(program)).upper() + "_H";
  os << "/* The host side of " << commentText(program)
     << ".spinc, written by spinc: do not edit.\n"
        " * C11; needs runtime/host. Functions return SPIN_OK (0) or another\n"
        " * spin_status and then say why in `error`.\n */\n"
     << "#ifndef " << guard << "\n#define " << guard
     << "\n\n#include \"spin_host.h\"\n\n"
        "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
        "/* The image for the card, with every context below. */\n"
     << "extern const spin_program " << symbol << ";\n\n";
  for (const auto &context : info.contexts) {
    describe(os, *context);
    declareTypes(os, *context);
    declareFunctions(os, *context);
  }
  os << "#ifdef __cplusplus\n}\n#endif\n\n#endif /* " << guard << " */\n";
  return text;
}

/// The card reads parameters at fixed offsets: the C structure must agree.
void Writer::assertLayout(llvm::raw_ostream &os,
                          const sema::ContextInfo &context) const {
  for (const sema::StateField &field : context.state) {
    if (!isParameter(field))
      continue;
    std::string name = memberName(field.name, context);
    os << "_Static_assert(offsetof(" << context.name << "_params, " << name
       << ") == " << field.offset << " &&\n"
       << "                   sizeof(((" << context.name << "_params *)0)->"
       << name << ") == " << field.size << ",\n"
       << "               \"layout of parameter " << name << "\");\n";
  }
  if (hasParameters(context))
    os << '\n';
}

llvm::Error Writer::writeCondition(llvm::raw_ostream &os,
                                   const ast::Expr &condition,
                                   const std::string &text,
                                   const sema::ContextInfo &context,
                                   llvm::ArrayRef<Value> values,
                                   std::set<unsigned> &reads) const {
  llvm::Expected<Condition> translated = translate(condition, context, values);
  if (!translated)
    return translated.takeError();
  reads.insert(translated->reads.begin(), translated->reads.end());
  os << "  {\n";
  print(os, "    const spin_number holds = ", translated->expr, ";");
  std::string list = "NULL, 0";
  if (!translated->reads.empty()) {
    os << "    const spin_value values[] = {";
    for (size_t i = 0; i < translated->reads.size(); ++i) {
      const Value &value = values[translated->reads[i]];
      os << (i ? ",\n                                 " : "") << "{"
         << literal(value.name) << ", " << value.local << "}";
    }
    os << "};\n";
    list = "values, " + std::to_string(translated->reads.size());
  }
  os << "    if (!spin_holds(holds))\n"
     << "      return spin_violation(error, " << literal(context.name) << ",\n"
     << "                            " << literal(text) << ",\n"
     << "                            holds, " << list << ");\n  }\n";
  return llvm::Error::success();
}

llvm::Error Writer::defineCheck(llvm::raw_ostream &os,
                                const sema::ContextInfo &context) const {
  std::string body;
  llvm::raw_string_ostream checks(body);
  std::vector<Value> values = valuesOf(context);
  std::set<unsigned> reads;
  auto check = [&](llvm::StringRef word, const ast::Expr &condition) {
    return writeCondition(checks, condition,
                          (word + " " + condition.range.text()).str(), context,
                          values, reads);
  };
  for (const sema::StateField &field : context.state)
    for (const ast::Expr *where : field.where)
      if (llvm::Error error = check("where", *where))
        return error;
  for (const sema::Contract &contract : context.contracts)
    if (llvm::Error error = check("contract", *contract.condition))
      return error;

  os << "int " << context.name << "_check(const " << context.name
     << "_setup *setup, spin_error *error) {\n";
  for (unsigned index : reads)
    print(os, "  const spin_number " + values[index].local + " = ",
          values[index].reads, ";");
  if (reads.empty())
    os << "  (void)setup;\n";
  os << body << "  return spin_success(error);\n}\n\n";
  return llvm::Error::success();
}

void Writer::defineInstall(llvm::raw_ostream &os,
                           const sema::ContextInfo &context) const {
  const std::string &name = context.name;
  std::string indent(name.size() + 13, ' ');
  os << "int " << name << "_install(spin_card *card, const " << name
     << "_setup *setup,\n"
     << indent << "spin_error *error) {\n"
     << "  " << (checksTables ? "" : "const ") << "int status = " << name
     << "_check(setup, error);\n"
     << "  if (status != SPIN_OK)\n    return status;\n";
  if (checksTables)
    os << "  status = " << name << "_check_tables(&setup->params, error);\n"
       << "  if (status != SPIN_OK)\n    return status;\n";
  os << "  return spin_card_install(card, &" << symbol << ", " << literal(name)
     << ",\n                           ";
  if (hasParameters(context))
    os << "&setup->params, sizeof setup->params,\n"
          "                           ";
  else
    os << "NULL, 0, ";
  os << (context.host ? "&setup->" + memberName(context.host->name, context)
                      : "NULL")
     << ", error);\n}\n\n";

  os << "int " << name << "_connect(const spin_card_options *options,\n"
     << indent << "const " << name << "_setup *setup, spin_card **card,\n"
     << indent << "spin_error *error) {\n"
     << "  int status = spin_card_open(options, card, error);\n"
     << "  if (status != SPIN_OK)\n    return status;\n"
     << "  status = " << name << "_install(*card, setup, error);\n"
     << "  if (status != SPIN_OK) {\n"
        "    spin_card_close(*card);\n    *card = NULL;\n  }\n"
        "  return status;\n}\n";
}

llvm::Expected<std::string>
Writer::source(llvm::ArrayRef<uint8_t> image) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "/* The host side of " << commentText(program)
     << ".spinc, written by spinc: do not edit. */\n#include "
     << literal(program + ".h") << "\n\n#include <stddef.h>\n\n"
     << "static const unsigned char image[" << image.size() << "] = {\n";
  printBytes(os, image);
  os << "};\n\nconst spin_program " << symbol << " = {" << literal(program)
     << ", image, sizeof image};\n";
  for (const auto &context : info.contexts) {
    os << '\n';
    assertLayout(os, *context);
    if (llvm::Error error = defineCheck(os, *context))
      return error;
    defineInstall(os, *context);
  }
  return text;
}

} // namespace

llvm::Expected<Files> generate(const sema::ProgramInfo &info,
                               llvm::StringRef program,
                               llvm::ArrayRef<uint8_t> image,
                               bool checksTables) {
  Writer writer(info, program, checksTables);
  Files files;
  files.header = writer.header();
  llvm::Expected<std::string> source = writer.source(image);
  if (!source)
    return source.takeError();
  files.source = std::move(*source);
  return files;
}

} // namespace spinc::stubs
