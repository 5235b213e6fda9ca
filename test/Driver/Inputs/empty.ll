; The smallest payload handler.
define i32 @Empty_ph() {
  ret i32 0
}
