/* The message header in front of the payload of every portals packet, and the
 * Ethernet framing that carries it. Little endian, as PsPIN's cores are; a
 * handler finds it at the start of packet memory. Same users as pspin.h.
 */
#ifndef SPINC_RUNTIME_ABI_PORTALS_H
#define SPINC_RUNTIME_ABI_PORTALS_H

/* The network interface strips Ethernet frames of this type before it hands
 * the packet to the card. */
#define PORTALS_ETHERTYPE 0x88B5
#define PORTALS_HEADER_BYTES 32

/* Ethernet pads shorter frames to this size (IEEE 802.3). */
#define PORTALS_MIN_FRAME_BYTES 64

/* Offsets of the fields from the start of the packet. */
#define PORTALS_MATCH_BITS 0
#define PORTALS_HDR_DATA 8
#define PORTALS_MESSAGE_LENGTH 16
#define PORTALS_OFFSET 20
#define PORTALS_SOURCE 24
#define PORTALS_MESSAGE_ID 28
#define PORTALS_TYPE 30
#define PORTALS_FLAGS 31

#define PORTALS_TYPE_PUT 1
#define PORTALS_FLAG_EOM 1

#ifndef __ASSEMBLER__
#include <stdint.h>

typedef struct PortalsHeader {
  uint64_t matchBits;
  uint64_t hdrData;
  uint32_t messageLength; /* payload bytes of the whole message */
  uint32_t offset;        /* of this packet's payload in the message */
  uint32_t source;        /* node that sent it */
  uint16_t messageId;     /* distinguishes messages of one source */
  uint8_t type;
  uint8_t flags; /* PORTALS_FLAG_EOM on the message's last packet */
} PortalsHeader;

#ifdef __cplusplus
static_assert(sizeof(PortalsHeader) == PORTALS_HEADER_BYTES,
              "the message header has no padding");
#else
_Static_assert(sizeof(PortalsHeader) == PORTALS_HEADER_BYTES,
               "the message header has no padding");
#endif
#endif /* __ASSEMBLER__ */

#endif /* SPINC_RUNTIME_ABI_PORTALS_H */
