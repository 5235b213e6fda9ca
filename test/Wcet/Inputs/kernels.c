// Programs that spinc did not make, with start-up code: each kernel runs on
// its worst input. KERNEL is the number of the program. The number at the end
// of a loop's line is how often its header runs at most.
typedef unsigned int u32;
typedef unsigned char u8;

static u32 data[64];
static volatile u32 sink;

__attribute__((noinline)) u32 sum(const u32 *words, u32 count) {
  u32 total = 0;
  for (u32 i = 0; i < count; ++i) // 65
    total += words[i];
  return total;
}

__attribute__((noinline)) void sort(u32 *words, u32 count) {
  for (u32 i = 1; i < count; ++i) { // 16
    u32 value = words[i], at = i;
    while (at > 0 && words[at - 1] > value) { // 16, 120 in all
      words[at] = words[at - 1];
      --at;
    }
    words[at] = value;
  }
}

__attribute__((noinline)) u32 checksum(const u8 *bytes, u32 count) {
  u32 total = 0xffffffff;
  for (u32 i = 0; i < count; ++i) { // 41
    total ^= bytes[i];
    for (u32 bit = 0; bit < 8; ++bit) // 9
      total = total & 1 ? total >> 1 ^ 0xedb88320 : total >> 1;
  }
  return total;
}

__attribute__((noinline)) u32 divide(u32 a, u32 b) {
  return b == 0 ? 0 : a / b + a % b;
}

void run(void) {
#if KERNEL == 0
  sink = sum(data, 64);
#elif KERNEL == 1
  for (u32 i = 0; i < 16; ++i) // 17
    data[i] = 16 - i;
  sort(data, 16);
#elif KERNEL == 2
  sink = checksum((const u8 *)data, 40);
#else
  sink = divide(12345, 1);
#endif
}

__attribute__((naked)) void _start(void) {
  __asm__("call run\n li a7, 93\n li a0, 0\n ecall");
}
