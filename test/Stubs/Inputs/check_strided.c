/* Feeds Strided_check with good and bad setups and prints what it says. */
#include "strided.h"

#include <stdio.h>

static void try_setup(uint32_t block, uint32_t stride, uint32_t count,
                      size_t size) {
  const Strided_setup setup = {
      .params = {.block = block, .stride = stride, .count = count},
      .dst = {NULL, size},
  };
  spin_error error;
  const int status = Strided_check(&setup, &error);
  printf("%d %s\n", status, error.message);
  if (status != Strided_check(&setup, NULL))
    puts("the message changes the verdict");
}

int main(void) {
  try_setup(64, 100, 10, 964);
  try_setup(64, 100, 10, 963);
  try_setup(3, 100, 10, 964);
  try_setup(65536, 65536, 1, 65536);
  try_setup(65537, 65537, 1, 65537);
  try_setup(64, 63, 10, 964);
  try_setup(64, 1048577, 10, 1u << 30);
  try_setup(64, 100, 0, 964);
  /* (count - 1) * stride does not fit 32 bits; 64 bits hold it. */
  try_setup(64, 1048576, 0xFFFFFFFF, 0xFFFFFFFF);
  try_setup(64, 1048576, 0xFFFFFFFF, 4503599625273408u);
  try_setup(64, 1048576, 0xFFFFFFFF, 4503599625273407u);
  return 0;
}
