module {
  "no.such.operation"() : () -> ()
}
