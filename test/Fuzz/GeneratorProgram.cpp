// Random programs: packet layout, matching, state, and the handlers.
#include "test/Fuzz/Generator.h"

using namespace spinc::fuzz;

static const IntKind u32{false, 32};

const char *Generator::success() const {
  return kind == Handler::Header ? "PROCESS_DATA" : "SUCCESS";
}

/// IPv4 and UDP with a header of our own or not, Ethernet before them or not,
/// headers of fixed and of run-time size, or a portals message.
void Generator::chooseLayout() {
  isPortals = chance(15);
  if (isPortals) {
    matchText = chance(50) ? "  match portals { bits: 5, ignore: 3 }\n" : "";
    headerBytes = 32;
    static const std::vector<std::pair<std::string, IntKind>> kinds = {
        {"u32", {false, 32}}, {"be16", {false, 16}}, {"u8", {false, 8}}};
    std::string text;
    for (unsigned i = unsigned(pick(3)); i-- > 0;) {
      const auto &[spelled, type] = any(kinds);
      userFields.push_back({"c" + std::to_string(i), type});
      text += spelled + " c" + std::to_string(i) + "; ";
    }
    if (!text.empty())
      matchText += "  user { " + text + "}\n";
    return;
  }
  bool ethernet = chance(25);
  if (ethernet)
    headerBytes += 14;
  headerBytes += 28;
  packetText =
      ethernet ? "Ethernet eth; Ipv4 ip; Udp udp; " : "Ipv4 ip; Udp udp; ";
  headerFields = {{"udp.src_port", {false, 16}}, {"udp.checksum", {false, 16}},
                  {"ip.tos", {false, 8}},        {"ip.source", {false, 32}},
                  {"ip.frag", {false, 16}},      {"ip.id", {false, 16}}};
  if (ethernet)
    headerFields.push_back({"eth.src", {false, 48}});
  hasOptions = chance(25);
  matchText =
      hasOptions
          ? "  match { ip.protocol == PROTOCOL_UDP }\n"
          : "  match { udp.dst_port == 7; ip.protocol == PROTOCOL_UDP }\n";
  if (hasOptions)
    headerFields.push_back({"udp.dst_port", {false, 16}});
  if (chance(70))
    ownHeader();
  hasAlternatives = !ethernet && !hasHeader && chance(20);
  if (hasAlternatives)
    chooseAlternatives();
}

/// Udp or a header of our own behind Ipv4, whichever it says.
void Generator::chooseAlternatives() {
  headerBytes = 20;
  hasOptions = true;
  headerTypes = {"header Other follows(protocol == 6) { be32 mark; u8 size; "
                 "u8 rest; }\n"};
  headerFields = {{"ip.tos", {false, 8}},
                  {"ip.source", {false, 32}},
                  {"ip.id", {false, 16}}};
  packetText = "Ipv4 ip; Udp | Other up; ";
  matchText = "";
}

/// `header My { … }`: bit fields and wire integers; sometimes of a size that
/// its first field says, with the rest as a slice.
void Generator::ownHeader() {
  std::string fieldsText, sized, rest;
  unsigned count = 0, bytes = 0;
  auto add = [&](const std::string &type, IntKind kind) {
    std::string name = "f" + std::to_string(count++);
    fieldsText += type + " " + name + "; ";
    headerFields.push_back({"my." + name, kind});
  };
  hasHeader = chance(25);
  if (hasHeader) {
    fieldsText = "u8 size; ";
    bytes = 1;
    sized = chance(50) ? " sized(size)" : " sized(size * 4)";
    rest = "u8 rest[]; ";
  }
  for (unsigned part = unsigned(1 + pick(4)); part-- > 0;) {
    static const std::vector<std::pair<std::string, unsigned>> wires = {
        {"be16", 16}, {"le16", 16}, {"be32", 32}, {"le32", 32},
        {"be48", 48}, {"be64", 64}, {"le64", 64}};
    if (chance(40)) {
      const auto &[type, width] = any(wires);
      add(type, {false, width});
      bytes += width / 8;
      continue;
    }
    unsigned left = any(std::vector<unsigned>{8, 16, 24, 32, 40, 64});
    bytes += left / 8;
    while (left) {
      unsigned bits = unsigned(1 + pick(std::min(left, 32u)));
      add("u" + std::to_string(bits), {false, bits});
      left -= bits;
    }
  }
  // The smallest size of a sized header holds its fields.
  headerBytes += bytes;
  headerTypes.push_back("header My" + sized + " { " + fieldsText + rest +
                        "}\n");
  packetText += "My my; ";
}

void Generator::chooseState() {
  static const std::vector<IntKind> kinds = {
      {false, 8}, {false, 16}, {false, 32}, {false, 64},
      {true, 32}, {true, 8},   {true, 64}};
  static const std::vector<uint64_t> counts = {0, 4, 16, 33};
  for (unsigned i = unsigned(pick(3)); i-- > 0;) {
    Wide low = any(std::vector<Wide>{0, 1, 4});
    Wide high = low + any(std::vector<Wide>{3, 60, 1000});
    IntKind type =
        any(std::vector<IntKind>{{false, 16}, {false, 32}, {false, 64}});
    params.push_back({"state.k" + std::to_string(i), type, low, high});
  }
  unsigned number = 0;
  for (unsigned i = unsigned(1 + pick(4)); i-- > 0;)
    fields.push_back({"s" + std::to_string(number++), any(kinds), any(counts),
                      chance(25) ? '2' : 'p'});
  fields.push_back({"one", {false, 32}, 0, 'a'});
  fields.push_back(
      {"arr", {false, 32}, any(std::vector<uint64_t>{4, 16, 100}), 'a'});
  if (chance(60))
    fields.push_back({"cl", {false, 32}, 8, 'c'});
  if (chance(50))
    fields.push_back({"h0", any(kinds), any(counts), 'h'});
  if (chance(40))
    fields.push_back({"n0", {false, 32}, any(counts), 'n'});
  if (chance(25)) {
    lock = any(std::vector<std::string>{"spin_lock", "mcs_lock", "rw_lock"});
    fields.push_back({"g0", any(kinds), 0, 'g'});
    if (chance(60))
      fields.push_back({"g1", any(kinds), any(counts), 'g'});
  }
  hasHost = chance(70);
  hostLeast = hasHost ? any(std::vector<uint64_t>{64, 4096, 8192}) : 0;
}

std::string Generator::layoutText() const {
  if (isPortals)
    return matchText;
  return "  packet { " + packetText + "u8 payload[]; }\n" + matchText;
}

std::string Generator::stateText() const {
  std::string text = "  state {\n";
  for (const Term &param : params) {
    std::string name = param.text.substr(6);
    text += "    param " + param.type.text() + " " + name + " where " +
            std::to_string(uint64_t(param.low)) + " <= " + name + " && " +
            name + " <= " + std::to_string(uint64_t(param.high)) + ";\n";
  }
  if (isPortals)
    text += "    process who;\n";
  if (!lock.empty())
    text += "    " + lock + " door;\n";
  for (const Field &field : fields) {
    text += "    ";
    if (field.kind == 'g')
      text += "guarded(door) ";
    if (field.kind == 'c')
      text += "per_cluster ";
    if (field.kind == 'a' || field.kind == 'c')
      text += "atomic ";
    if (field.kind == 'h')
      text += "per_hpu ";
    text +=
        (field.kind == 'n' ? "counter" : field.type.text()) + " " + field.name;
    if (field.count && field.kind != 'f')
      text += "[" + std::to_string(field.count) + "]";
    text += field.kind == '2' ? " in L2;\n" : ";\n";
  }
  if (stateStruct >= 0)
    text += "    " + structs[size_t(stateStruct)].name + " r;\n";
  text += "  }\n";
  if (hasHost)
    text += "  host out;\n  contract out.size >= " + std::to_string(hostLeast) +
            ";\n";
  return text;
}

std::string Generator::handler(Handler which) {
  kind = which;
  out.clear();
  indent = 2;
  statements = flying = 0;
  packetBusy = false;
  variables.clear(), slices.clear(), arrays.clear(), records.clear();
  floatNames.clear(), flags.clear();
  lengthLeast = 0;
  if (which == Handler::Payload) {
    slices.push_back({"p.payload", 1, true, 0, 1500 - headerBytes});
    if (chance(30))
      slices.push_back({"p.all", 1, true, headerBytes, 1500});
    if (hasOptions)
      slices.push_back({"p.ip.options", 1, true, 0, 40});
    if (hasHeader)
      slices.push_back({"p.my.rest", 1, true, 0, 1020});
  }
  if (which == Handler::Header && isPortals)
    line("state.who = m.source;");
  if (stateStruct >= 0)
    records.push_back(
        {"state.r", size_t(stateStruct), 0, which != Handler::Payload});
  // What the header handler promises, the others may rely on (bnd-13).
  for (const Field &field : fields) {
    if (field.kind != 'f')
      continue;
    std::string name = "state." + field.name;
    if (which == Handler::Header)
      line(name + " = " + convert(expr(1), u32).text + " & " +
           std::to_string(field.count - 1) + ";");
    else
      variables.push_back({{name, u32, 0, Wide(field.count - 1)}, false});
  }
  unsigned count = unsigned(1 + pick(which == Handler::Payload ? 6 : 3));
  for (; count > 0; --count)
    chance(12) ? overlap(2) : statement(3);
  line("return " + std::string(success()) + ";");
  static const char *const heads[] = {"header(message m)", "payload(packet p)",
                                      "completion(message m)"};
  std::string budget =
      lock.empty() ? ""
                   : " budget(contention <= " + std::to_string(pick(32)) + ")";
  return std::string("  handler ") + heads[unsigned(which)] + budget + " {\n" +
         out + "  }\n";
}

std::string Generator::program() {
  static const std::vector<unsigned> risks = {0, 0, 0, 0, 5, 30, 120};
  risk = any(risks);
  chooseLayout();
  chooseTypes();
  std::string calls;
  for (unsigned count = unsigned(pick(3)); count-- > 0;)
    calls += function();
  chooseState();
  bool hasFacts = chance(60) || isPortals;
  if (hasFacts && chance(50))
    fields.push_back({"k", u32, any(std::vector<uint64_t>{2, 16, 64}), 'f'});
  std::string text = "import net.ethernet;\nimport net.ipv4;\n";
  for (const std::string &type : headerTypes)
    text += type;
  text += typesText() + calls;
  text += "context C {\n" + layoutText() + stateText();
  if (hasFacts)
    text += handler(Handler::Header);
  text += handler(Handler::Payload);
  if (chance(50))
    text += handler(Handler::Completion);
  return text + "}\n";
}
