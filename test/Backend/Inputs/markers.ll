; Markers that LLVM leaves at the end of a block: one in a block of its own, one
; after a store.
@State.flag = global i32 zeroinitializer, section ".spin.l1", align 4

define i32 @Alone_ph(i32 %condition) {
entry:
  %taken = icmp eq i32 %condition, 0
  br i1 %taken, label %marked, label %end

marked:
  call void asm sideeffect ".Lspinloop${:uid}:\0A.pushsection .spin.loops,\22\22,@progbits\0A.word .Lspinloop${:uid}, 7\0A.popsection", ""()
  br label %end

end:
  store volatile i32 1, ptr @State.flag
  ret i32 0
}

define i32 @Last_ph(i32 %condition) {
entry:
  %taken = icmp eq i32 %condition, 0
  br i1 %taken, label %marked, label %end

marked:
  store volatile i32 2, ptr @State.flag
  call void asm sideeffect ".Lspinloop${:uid}:\0A.pushsection .spin.loops,\22\22,@progbits\0A.word .Lspinloop${:uid}, 8\0A.popsection", ""()
  br label %end

end:
  store volatile i32 1, ptr @State.flag
  ret i32 0
}
