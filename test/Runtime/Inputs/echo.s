# Handlers for the tests of the card: Echo sends each packet back unchanged.
#include "runtime/abi/pspin.h"
  .text
  .globl Echo_ph
  .type Echo_ph, @function
Echo_ph:
  lw a1, 0(a0)
  li a2, PSPIN_HPU_BASE
  lw a3, PSPIN_TASK_PACKET - PSPIN_TASK_HANDLER_MEM(a1)
  lw a4, PSPIN_TASK_PACKET_SIZE - PSPIN_TASK_HANDLER_MEM(a1)
  sw zero, PSPIN_CMD_WORD0(a2)
  sw zero, PSPIN_CMD_WORD0 + 4 * PSPIN_SEND_PROTOCOL(a2)
  sw a3, PSPIN_CMD_WORD0 + 4 * PSPIN_SEND_ADDRESS(a2)
  sw a4, PSPIN_CMD_WORD0 + 4 * PSPIN_SEND_LENGTH(a2)
  li a5, PSPIN_CMD_KIND_NIC_SEND << PSPIN_CMD_KIND_SHIFT
  sw a5, PSPIN_CMD_INFO(a2)
  lw a5, PSPIN_CMD_ISSUE(a2)
  li a0, PSPIN_RETURN_SUCCESS
  ret
  .size Echo_ph, . - Echo_ph
