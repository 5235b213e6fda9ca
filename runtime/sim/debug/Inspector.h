//===- Inspector.h - Somebody who watches the card run --------------------===//
//
// What the card tells a debugger, before it goes on. A debugger may take its
// time, look at everything and change registers and memory.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_DEBUG_INSPECTOR_H
#define SPINC_RUNTIME_SIM_DEBUG_INSPECTOR_H

#include <cstdint>

namespace spinc::sim {

class Card;
class Hpu;

class Inspector {
public:
  virtual ~Inspector() = default;
  /// The card is there and nothing has run on it.
  virtual void attach(Card &card) = 0;
  /// `hpu` is about to execute an instruction. False ends the run.
  virtual bool beforeInstruction(Hpu &hpu) = 0;
  /// The instruction under way accesses memory or a device.
  virtual void onAccess(Hpu &hpu, uint32_t address, unsigned size,
                        bool isStore) = 0;
  /// The handler on `hpu` is about to be ended by a fault. False ends the run.
  virtual bool onFault(Hpu &hpu, uint32_t cause) = 0;
  /// All packets are done.
  virtual void onEnd() = 0;
};

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_DEBUG_INSPECTOR_H
