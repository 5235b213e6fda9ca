// Reads the nodes of a description.
#ifndef SPINC_COMPILER_DDT_DESCRIPTION_TYPEREADER_H
#define SPINC_COMPILER_DDT_DESCRIPTION_TYPEREADER_H

#include "compiler/Ddt/Description/JsonFields.h"
#include "compiler/Ddt/Description/Type.h"

#include <memory>

namespace spinc::ddt {

class TypeReader {
public:
  /// `folder` is where files are that lists stand in; bounds must be those of
  /// the standard if the description is `strict`.
  TypeReader(Mistake &mistake, llvm::StringRef folder, bool strict)
      : mistake(mistake), folder(folder), strict(strict) {}

  /// What it returns is incomplete if a mistake was found.
  std::unique_ptr<Type> read(const llvm::json::Value *value,
                             const JsonPath &path, unsigned depth = 0);

private:
  void readFields(Type &type, JsonFields &fields, unsigned depth);
  void readBasic(Type &type, JsonFields &fields);
  void readMap(Type &type, JsonFields &fields);
  void readStrided(Type &type, JsonFields &fields);
  void readListed(Type &type, JsonFields &fields);
  void readStruct(Type &type, JsonFields &fields, unsigned depth);
  void readArray(Type &type, JsonFields &fields);
  void readDarray(Type &type, JsonFields &fields);
  void readDataloop(Type &type, JsonFields &fields, unsigned depth);
  void readDataloopStruct(Type &type, JsonFields &fields, unsigned depth);
  void addChild(Type &type, const llvm::json::Value *value,
                const JsonPath &path, unsigned depth);
  std::unique_ptr<Type> bytesOf(int64_t size);
  /// In bytes, from elements of the child.
  int64_t scaled(int64_t elements, const Type &type, JsonFields &fields,
                 llvm::StringRef name);
  void readBounds(Type &type, JsonFields &fields);

  Mistake &mistake;
  llvm::StringRef folder;
  bool strict;
};

} // namespace spinc::ddt

#endif // SPINC_COMPILER_DDT_DESCRIPTION_TYPEREADER_H
