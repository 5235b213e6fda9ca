#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void spin_text_put(struct spin_text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char piece[256];
  const int length = vsnprintf(piece, sizeof piece, format, arguments);
  va_end(arguments);
  const size_t size = length < 0 ? 0 : (size_t)length;
  if (size >= sizeof piece || text->failed) {
    text->failed = 1;
    return;
  }
  if (text->size + size + 1 > text->capacity) {
    const size_t capacity = 2 * text->capacity + sizeof piece;
    char *bytes = realloc(text->bytes, capacity);
    if (!bytes) {
      text->failed = 1;
      return;
    }
    text->bytes = bytes;
    text->capacity = capacity;
  }
  memcpy(text->bytes + text->size, piece, size + 1);
  text->size += size;
}

void spin_text_put_string(struct spin_text *text, const char *string) {
  spin_text_put(text, "\"");
  for (; *string; ++string) {
    const unsigned char byte = (unsigned char)*string;
    if (byte == '"' || byte == '\\')
      spin_text_put(text, "\\%c", byte);
    else if (byte < 0x20 || byte > 0x7E)
      spin_text_put(text, "\\u%04x", byte);
    else
      spin_text_put(text, "%c", byte);
  }
  spin_text_put(text, "\"");
}
