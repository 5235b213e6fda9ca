#include "compiler/tools/spinc-ddt-mpi/MpiBuilder.h"

#include <cstdint>
#include <functional>
#include <vector>

using namespace llvm;

namespace spinc::ddt {
namespace {

struct Named {
  StringRef name;
  MPI_Datatype type;
};

MPI_Datatype namedType(StringRef name) {
  const Named all[] = {
#define NAMED(TYPE) {#TYPE, TYPE}
      NAMED(MPI_CHAR),
      NAMED(MPI_SIGNED_CHAR),
      NAMED(MPI_UNSIGNED_CHAR),
      NAMED(MPI_BYTE),
      NAMED(MPI_WCHAR),
      NAMED(MPI_SHORT),
      NAMED(MPI_UNSIGNED_SHORT),
      NAMED(MPI_INT),
      NAMED(MPI_UNSIGNED),
      NAMED(MPI_LONG),
      NAMED(MPI_UNSIGNED_LONG),
      NAMED(MPI_LONG_LONG_INT),
      NAMED(MPI_UNSIGNED_LONG_LONG),
      NAMED(MPI_FLOAT),
      NAMED(MPI_DOUBLE),
      NAMED(MPI_LONG_DOUBLE),
      NAMED(MPI_INT8_T),
      NAMED(MPI_INT16_T),
      NAMED(MPI_INT32_T),
      NAMED(MPI_INT64_T),
      NAMED(MPI_UINT8_T),
      NAMED(MPI_UINT16_T),
      NAMED(MPI_UINT32_T),
      NAMED(MPI_UINT64_T),
      NAMED(MPI_C_BOOL),
      NAMED(MPI_C_FLOAT_COMPLEX),
      NAMED(MPI_C_DOUBLE_COMPLEX),
      NAMED(MPI_C_LONG_DOUBLE_COMPLEX),
      NAMED(MPI_AINT),
      NAMED(MPI_OFFSET),
      NAMED(MPI_COUNT),
      NAMED(MPI_FLOAT_INT),
      NAMED(MPI_DOUBLE_INT),
      NAMED(MPI_LONG_INT),
      NAMED(MPI_2INT),
      NAMED(MPI_SHORT_INT),
      NAMED(MPI_LONG_DOUBLE_INT),
#undef NAMED
  };
  for (const Named &each : all)
    if (each.name == name)
      return each.type;
  return MPI_DATATYPE_NULL;
}

/// The arguments of one constructor, in the types of the classic and of the
/// large calls.
struct Arguments {
  const json::Object &node;
  std::string &error;

  int64_t number(StringRef key) {
    if (std::optional<int64_t> value = node.getInteger(key))
      return *value;
    error = ("'" + key + "' is missing").str();
    return 0;
  }

  template <typename T> std::vector<T> list(StringRef key) {
    std::vector<T> values;
    const json::Array *array = node.getArray(key);
    if (!array) {
      error = ("'" + key + "' is missing").str();
      return values;
    }
    for (const json::Value &value : *array)
      values.push_back(static_cast<T>(value.getAsInteger().value_or(0)));
    return values;
  }
};

int orderOf(const json::Object &node) {
  return node.getString("order") == StringRef("F") ? MPI_ORDER_FORTRAN
                                                   : MPI_ORDER_C;
}

std::vector<int> distributionsOf(const json::Object &node) {
  std::vector<int> values;
  if (const json::Array *array = node.getArray("distribs"))
    for (const json::Value &value : *array) {
      StringRef name = value.getAsString().value_or("");
      values.push_back(name == "block"    ? MPI_DISTRIBUTE_BLOCK
                       : name == "cyclic" ? MPI_DISTRIBUTE_CYCLIC
                                          : MPI_DISTRIBUTE_NONE);
    }
  return values;
}

std::vector<int> distributionArgumentsOf(const json::Object &node) {
  std::vector<int> values;
  if (const json::Array *array = node.getArray("dargs"))
    for (const json::Value &value : *array)
      values.push_back(static_cast<int>(
          value.getAsInteger().value_or(MPI_DISTRIBUTE_DFLT_DARG)));
  return values;
}

// The classic call and the large one take the same values in other types.
#if MPI_VERSION >= 4
#define CONSTRUCT(CALL, BODY)                                                  \
  if (options.large) {                                                         \
    using Count = MPI_Count;                                                   \
    using Address = MPI_Count;                                                 \
    constexpr auto call = CALL##_c;                                            \
    BODY                                                                       \
  } else {                                                                     \
    using Count = int;                                                         \
    using Address = MPI_Aint;                                                  \
    constexpr auto call = CALL;                                                \
    BODY                                                                       \
  }
#else
#define CONSTRUCT(CALL, BODY)                                                  \
  {                                                                            \
    using Count = int;                                                         \
    using Address = MPI_Aint;                                                  \
    constexpr auto call = CALL;                                                \
    BODY                                                                       \
  }
#endif

/// Constructors with one child, by name.
int construct(StringRef kind, Arguments &from, MPI_Datatype child,
              const BuilderOptions &options, MPI_Datatype &made) {
  int status = MPI_ERR_ARG;
  if (kind == "dup")
    return MPI_Type_dup(child, &made);
  if (kind == "contiguous") {
    CONSTRUCT(MPI_Type_contiguous, {
      [[maybe_unused]] Address unused = 0;
      status = call(static_cast<Count>(from.number("count")), child, &made);
    })
  } else if (kind == "vector") {
    CONSTRUCT(MPI_Type_vector, {
      [[maybe_unused]] Address unused = 0;
      status = call(static_cast<Count>(from.number("count")),
                    static_cast<Count>(from.number("blocklen")),
                    static_cast<Count>(from.number("stride")), child, &made);
    })
  } else if (kind == "hvector") {
    CONSTRUCT(MPI_Type_create_hvector, {
      status =
          call(static_cast<Count>(from.number("count")),
               static_cast<Count>(from.number("blocklen")),
               static_cast<Address>(from.number("stride_bytes")), child, &made);
    })
  } else if (kind == "indexed") {
    CONSTRUCT(MPI_Type_indexed, {
      [[maybe_unused]] Address unused = 0;
      auto lengths = from.list<Count>("blocklens");
      auto places = from.list<Count>("displs");
      status =
          call(lengths.size(), lengths.data(), places.data(), child, &made);
    })
  } else if (kind == "hindexed") {
    CONSTRUCT(MPI_Type_create_hindexed, {
      auto lengths = from.list<Count>("blocklens");
      auto places = from.list<Address>("displs_bytes");
      status =
          call(lengths.size(), lengths.data(), places.data(), child, &made);
    })
  } else if (kind == "indexed_block") {
    CONSTRUCT(MPI_Type_create_indexed_block, {
      [[maybe_unused]] Address unused = 0;
      auto places = from.list<Count>("displs");
      status = call(places.size(), static_cast<Count>(from.number("blocklen")),
                    places.data(), child, &made);
    })
  } else if (kind == "hindexed_block") {
    CONSTRUCT(MPI_Type_create_hindexed_block, {
      auto places = from.list<Address>("displs_bytes");
      status = call(places.size(), static_cast<Count>(from.number("blocklen")),
                    places.data(), child, &made);
    })
  } else if (kind == "resized") {
    CONSTRUCT(MPI_Type_create_resized, {
      [[maybe_unused]] Count unused = 0;
      status = call(child, static_cast<Address>(from.number("new_lb")),
                    static_cast<Address>(from.number("new_extent")), &made);
    })
  } else if (kind == "subarray") {
    CONSTRUCT(MPI_Type_create_subarray, {
      [[maybe_unused]] Address unused = 0;
      auto sizes = from.list<Count>("sizes");
      auto subsizes = from.list<Count>("subsizes");
      auto starts = from.list<Count>("starts");
      status =
          call(static_cast<int>(sizes.size()), sizes.data(), subsizes.data(),
               starts.data(), orderOf(from.node), child, &made);
    })
  } else if (kind == "darray") {
    CONSTRUCT(MPI_Type_create_darray, {
      [[maybe_unused]] Address unused = 0;
      auto gsizes = from.list<Count>("gsizes");
      auto psizes = from.list<int>("psizes");
      std::vector<int> distributions = distributionsOf(from.node);
      std::vector<int> arguments = distributionArgumentsOf(from.node);
      status = call(static_cast<int>(from.number("nprocs")),
                    static_cast<int>(from.number("rank")),
                    static_cast<int>(gsizes.size()), gsizes.data(),
                    distributions.data(), arguments.data(), psizes.data(),
                    orderOf(from.node), child, &made);
    })
  } else {
    from.error = ("there is no constructor '" + kind + "'").str();
  }
  return status;
}

int constructStruct(Arguments &from, std::vector<MPI_Datatype> &children,
                    const BuilderOptions &options, MPI_Datatype &made) {
  int status = MPI_ERR_ARG;
  CONSTRUCT(MPI_Type_create_struct, {
    auto lengths = from.list<Count>("blocklens");
    auto places = from.list<Address>("displs_bytes");
    status = call(children.size(), lengths.data(), places.data(),
                  children.data(), &made);
  })
  return status;
}

bool isPredefined(MPI_Datatype type) {
  int integers = 0, addresses = 0, types = 0, combiner = 0;
#if MPI_VERSION >= 4
  MPI_Count many[4];
  MPI_Type_get_envelope_c(type, &many[0], &many[1], &many[2], &many[3],
                          &combiner);
  (void)integers, (void)addresses, (void)types;
#else
  MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
#endif
  return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
         combiner == MPI_COMBINER_F90_COMPLEX ||
         combiner == MPI_COMBINER_F90_INTEGER;
}

} // namespace

void releaseType(MPI_Datatype type) {
  if (type != MPI_DATATYPE_NULL && !isPredefined(type))
    MPI_Type_free(&type);
}

MPI_Datatype buildType(const json::Object &node, const BuilderOptions &options,
                       std::string &error) {
  StringRef kind = node.getString("k").value_or("");
  if (kind == "named") {
    MPI_Datatype type = namedType(node.getString("name").value_or(""));
    if (type == MPI_DATATYPE_NULL)
      error = "unknown name of a predefined type";
    return type;
  }
  std::vector<const json::Object *> nodes;
  if (const json::Object *child = node.getObject("of"))
    nodes.push_back(child);
  if (const json::Array *array = node.getArray("types"))
    for (const json::Value &value : *array)
      if (const json::Object *child = value.getAsObject())
        nodes.push_back(child);
  std::vector<MPI_Datatype> children;
  for (const json::Object *each : nodes) {
    MPI_Datatype child = buildType(*each, options, error);
    if (child != MPI_DATATYPE_NULL)
      children.push_back(child);
  }
  MPI_Datatype made = MPI_DATATYPE_NULL;
  Arguments from{node, error};
  int status = MPI_ERR_ARG;
  if (!error.empty())
    status = MPI_ERR_ARG;
  else if (kind == "struct")
    status = constructStruct(from, children, options, made);
  else if (children.size() == 1)
    status = construct(kind, from, children.front(), options, made);
  for (MPI_Datatype child : children)
    releaseType(child);
  if (status == MPI_SUCCESS && error.empty())
    return made;
  if (error.empty())
    error = ("MPI refuses the arguments of '" + kind + "'").str();
  return MPI_DATATYPE_NULL;
}

} // namespace spinc::ddt
