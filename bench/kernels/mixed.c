/* A mix in the manner of embedded benchmarks: list processing with calls
 * through pointers, a small matrix product, a state machine over text, CRC. */
#include "kernel.h"

struct Node {
  struct Node *next;
  int16_t key, value;
};
static struct Node nodes[128];

static int byKey(const struct Node *a, const struct Node *b) {
  return a->key - b->key;
}
static int byValue(const struct Node *a, const struct Node *b) {
  return a->value - b->value;
}

/* Merge sort of a list, bottom up. */
static struct Node *sortList(struct Node *list,
                             int (*compare)(const struct Node *,
                                            const struct Node *)) {
  for (int size = 1;; size *= 2) {
    struct Node *p = list, *tail = NULL;
    int merges = 0;
    list = NULL;
    while (p) {
      struct Node *q = p;
      int left = 0, right = size;
      ++merges;
      for (; left < size && q; ++left)
        q = q->next;
      while (left > 0 || (right > 0 && q)) {
        struct Node *e;
        if (left == 0 || (right > 0 && q && compare(p, q) > 0))
          e = q, q = q->next, --right;
        else
          e = p, p = p->next, --left;
        if (tail)
          tail->next = e;
        else
          list = e;
        tail = e;
      }
      p = q;
    }
    tail->next = NULL;
    if (merges <= 1)
      return list;
  }
}

static uint32_t crc(uint32_t value, uint32_t sum) {
  for (unsigned i = 0; i < 16; ++i) {
    uint32_t bit = (value ^ sum) & 1;
    value >>= 1;
    sum = bit ? (sum >> 1) ^ 0xa001 : sum >> 1;
  }
  return sum;
}

static uint32_t lists(uint32_t *seed) {
  for (unsigned i = 0; i < 128; ++i) {
    nodes[i].next = i < 127 ? &nodes[i + 1] : NULL;
    nodes[i].key = (int16_t)nextRandom(seed);
    nodes[i].value = (int16_t)i;
  }
  struct Node *list = sortList(nodes, byKey);
  uint32_t sum = 0;
  for (struct Node *p = list; p; p = p->next)
    sum = crc((uint16_t)p->key, sum);
  for (struct Node *p = sortList(list, byValue); p; p = p->next)
    sum = crc((uint16_t)p->value, sum);
  return sum;
}

static uint32_t matrix(uint32_t *seed) {
  enum { N = 12 };
  static int16_t a[N][N], b[N][N];
  static int32_t c[N][N];
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) {
      a[i][j] = (int16_t)nextRandom(seed);
      b[i][j] = (int16_t)nextRandom(seed);
    }
  uint32_t sum = 0;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) {
      c[i][j] = 0;
      for (int k = 0; k < N; ++k)
        c[i][j] += a[i][k] * b[k][j];
      sum = crc((uint32_t)c[i][j] & 0xffff, sum);
    }
  return sum;
}

enum State { Start, Sign, Whole, Point, Exponent, Bad };

static enum State step(enum State state, char c) {
  int digit = c >= '0' && c <= '9';
  switch (state) {
  case Start:
    return digit ? Whole : c == '-' || c == '+' ? Sign : c == '.' ? Point : Bad;
  case Sign:
    return digit ? Whole : c == '.' ? Point : Bad;
  case Whole:
    return digit ? Whole : c == '.' ? Point : c == 'e' ? Exponent : Bad;
  case Point:
    return digit ? Point : c == 'e' ? Exponent : Bad;
  case Exponent:
    return digit || c == '-' ? Exponent : Bad;
  default:
    return Bad;
  }
}

static uint32_t machine(uint32_t *seed) {
  static const char letters[16] = "0123456789.-+e,x";
  uint32_t counts[6] = {0};
  for (unsigned word = 0; word < 64; ++word) {
    enum State state = Start;
    for (unsigned i = 0; i < 8; ++i) {
      state = step(state, letters[nextRandom(seed) & 15]);
      ++counts[state];
    }
  }
  return counts[0] + 3 * counts[2] + 5 * counts[3] + 7 * counts[5];
}

int main(int argc, char **argv) {
  uint32_t seed = 5, sum = 0;
  for (unsigned round = rounds(argc, argv, 20); round; --round)
    sum = crc(lists(&seed) ^ matrix(&seed) ^ machine(&seed), sum);
  return checksum(&sum, sizeof sum);
}
