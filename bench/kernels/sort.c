/* Quicksort of random words by recursion, insertion sort at the leaves, and a
 * heap sort of the same: unpredictable branches and calls. */
#include "kernel.h"

enum { Count = 4096 };

static void insertion(int32_t *low, int32_t *high) {
  for (int32_t *p = low + 1; p <= high; ++p) {
    int32_t value = *p, *q = p;
    for (; q > low && q[-1] > value; --q)
      *q = q[-1];
    *q = value;
  }
}

__attribute__((noinline)) static void quick(int32_t *low, int32_t *high) {
  if (high - low < 12) {
    insertion(low, high);
    return;
  }
  int32_t pivot = low[(high - low) / 2], *i = low, *j = high;
  while (i <= j) {
    while (*i < pivot)
      ++i;
    while (*j > pivot)
      --j;
    if (i <= j) {
      int32_t value = *i;
      *i++ = *j;
      *j-- = value;
    }
  }
  quick(low, j);
  quick(i, high);
}

__attribute__((noinline)) static void sift(int32_t *heap, unsigned at,
                                           unsigned size) {
  for (unsigned child; (child = 2 * at + 1) < size; at = child) {
    if (child + 1 < size && heap[child + 1] > heap[child])
      ++child;
    if (heap[at] >= heap[child])
      return;
    int32_t value = heap[at];
    heap[at] = heap[child];
    heap[child] = value;
  }
}

int main(int argc, char **argv) {
  static int32_t a[Count], b[Count];
  uint32_t seed = 3, bad = 0;
  for (unsigned round = rounds(argc, argv, 10); round; --round) {
    for (unsigned i = 0; i < Count; ++i)
      a[i] = b[i] = (int32_t)(nextRandom(&seed) << 8);
    quick(a, a + Count - 1);
    for (unsigned i = Count / 2; i-- > 0;)
      sift(b, i, Count);
    for (unsigned size = Count; size-- > 1;) {
      int32_t value = b[0];
      b[0] = b[size];
      b[size] = value;
      sift(b, 0, size);
    }
    for (unsigned i = 0; i < Count; ++i)
      bad += a[i] != b[i];
  }
  return bad ? 255 : checksum(a, sizeof a);
}
