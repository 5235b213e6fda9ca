/* Two ranks exchange a halo twice: with MPI_Send and MPI_Recv of derived
 * datatypes, and through the simulated card, which gets the same message in
 * packets and puts every byte into the array itself. The arrays must be equal.
 *
 * Rank 0 is the left neighbour and the network: it packs the message, cuts it
 * into packets and mixes their order. Rank 1 is the right neighbour with a card
 * on which the handler of spinc-ddt is installed.
 */
#include "exchange.h"
#include "halo.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  PAYLOAD = 2048, /* bytes of a packet behind its message header */
  HEADER = 32,
  MESSAGE_TAG = 1,
  PACKET_TAG = 2
};

static double *new_array(double first) {
  /* The card reaches host memory from a multiple of 64 on. */
  double *array = aligned_alloc(SPIN_HOST_ALIGNMENT, CELLS * sizeof *array);
  if (!array)
    MPI_Abort(MPI_COMM_WORLD, 1);
  for (size_t i = 0; i < CELLS; ++i)
    array[i] = first + (double)i;
  return array;
}

/* ---- rank 0 ---- */

static void put_little(unsigned char *at, uint64_t value, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i)
    at[i] = (unsigned char)(value >> (8 * i));
}

/* The message header of docs/simulator.md, then the payload. */
static int make_packet(const unsigned char *message, int size, int offset,
                       unsigned char *packet) {
  const int length = size - offset < PAYLOAD ? size - offset : PAYLOAD;
  memset(packet, 0, HEADER);
  put_little(packet + 16, (uint64_t)size, 4);
  put_little(packet + 20, (uint64_t)offset, 4);
  put_little(packet + 28, 1, 2);                       /* message number */
  put_little(packet + 30, 1, 1);                       /* a put */
  put_little(packet + 31, offset + length == size, 1); /* the last one? */
  memcpy(packet + HEADER, message + offset, (size_t)length);
  return HEADER + length;
}

/* The network keeps the first and the last packet of a message in place. */
static void mix(int *order, int count) {
  srand(1);
  for (int i = count - 2; i > 1; --i) {
    const int j = 1 + rand() % i, kept = order[i];
    order[i] = order[j];
    order[j] = kept;
  }
}

static void send_packets(const double *array, MPI_Datatype owned) {
  int size, position = 0;
  MPI_Pack_size(1, owned, MPI_COMM_WORLD, &size);
  unsigned char *message = malloc((size_t)size);
  MPI_Pack(array, 1, owned, message, size, &position, MPI_COMM_WORLD);
  size = position;
  int count = (size + PAYLOAD - 1) / PAYLOAD;
  int *order = malloc((size_t)count * sizeof *order);
  for (int i = 0; i < count; ++i)
    order[i] = i;
  mix(order, count);
  MPI_Send(&count, 1, MPI_INT, 1, PACKET_TAG, MPI_COMM_WORLD);
  for (int i = 0; i < count; ++i) {
    unsigned char packet[HEADER + PAYLOAD];
    const int length = make_packet(message, size, order[i] * PAYLOAD, packet);
    MPI_Send(packet, length, MPI_BYTE, 1, PACKET_TAG, MPI_COMM_WORLD);
  }
  free(order);
  free(message);
}

static int left(void) {
  double *array = new_array(0);
  MPI_Datatype owned = halo_owned();
  MPI_Send(array, 1, owned, 1, MESSAGE_TAG, MPI_COMM_WORLD);
  send_packets(array, owned);
  MPI_Type_free(&owned);
  free(array);
  return 0;
}

/* ---- rank 1 ---- */

static int receive_packets(spin_card *card, spin_error *error) {
  int count, status = SPIN_OK;
  MPI_Recv(&count, 1, MPI_INT, 0, PACKET_TAG, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  for (int i = 0; i < count; ++i) {
    unsigned char packet[HEADER + PAYLOAD];
    MPI_Status received;
    int length;
    MPI_Recv(packet, sizeof packet, MPI_BYTE, 0, PACKET_TAG, MPI_COMM_WORLD,
             &received);
    MPI_Get_count(&received, MPI_BYTE, &length);
    if (status == SPIN_OK)
      status =
          spin_card_inject(card, SPIN_PORTALS, packet, (size_t)length, error);
  }
  return status == SPIN_OK ? spin_card_run(card, error) : status;
}

static int receive(double *array, MPI_Datatype ghosts, spin_card **card,
                   spin_error *error) {
  MPI_Aint first, span;
  MPI_Type_get_true_extent(ghosts, &first, &span);
  Halo_setup setup = {
      .params = {.start = (uint32_t)first},
      .dst = {array, CELLS * sizeof *array},
  };
  Halo_tables(&setup.params);
  const int status = Halo_connect(NULL, &setup, card, error);
  return status == SPIN_OK ? receive_packets(*card, error) : status;
}

static int right(void) {
  double *expected = new_array(1e6), *array = new_array(1e6);
  MPI_Datatype ghosts = halo_ghosts();
  MPI_Recv(expected, 1, ghosts, 0, MESSAGE_TAG, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  spin_card *card = NULL;
  spin_error error;
  if (receive(array, ghosts, &card, &error) != SPIN_OK) {
    fprintf(stderr, "mpi_datatype: error: %s\n", error.message);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  const spin_card_stats stats = spin_card_statistics(card);
  const spin_handler_stats handler =
      spin_card_handler(card, "Halo", SPIN_PAYLOAD);
  const int same = memcmp(array, expected, CELLS * sizeof *array) == 0 &&
                   handler.success == handler.runs;
  printf("{\"program\":\"mpi_datatype\",\"packets\":%" PRIu64
         ",\"bytes\":%" PRIu64 ",\"median_cycles\":%" PRIu64
         ",\"oracle\":\"%s\"}\n",
         stats.packets, stats.host_bytes, handler.median_cycles,
         same ? "pass" : "FAIL");
  spin_card_close(card);
  MPI_Type_free(&ghosts);
  free(array);
  free(expected);
  return same ? 0 : 1;
}

int main(int argc, char **argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int status = 2;
  if (ranks == 2)
    status = rank == 0 ? left() : right();
  else if (rank == 0)
    fputs("mpi_datatype: error: start it with two ranks\n", stderr);
  MPI_Finalize();
  return status;
}
