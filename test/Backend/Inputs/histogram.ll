; A payload handler as the lowering makes it: task registers, a marked loop,
; state and a parameter in L1.
@Histogram.bin = global [1024 x i32] zeroinitializer, section ".spin.l1", align 4
@Histogram.scale = global i32 zeroinitializer, section ".spin.params", align 4

define i32 @Histogram_ph() {
entry:
  %packet = load volatile ptr, ptr inttoptr (i32 455102480 to ptr)
  %size = load volatile i32, ptr inttoptr (i32 455102484 to ptr)
  %scale = load i32, ptr @Histogram.scale
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void asm sideeffect ".Lspinloop${:uid}:\0A.pushsection .spin.loops,\22\22,@progbits\0A.word .Lspinloop${:uid}, 0\0A.popsection", ""()
  %place = getelementptr i8, ptr %packet, i32 %i
  %word = load i32, ptr %place
  %index = and i32 %word, 1023
  %bin = getelementptr i32, ptr @Histogram.bin, i32 %index
  %old = atomicrmw add ptr %bin, i32 %scale monotonic
  %next = add i32 %i, 4
  %more = icmp ult i32 %next, %size
  br i1 %more, label %loop, label %done

done:
  ret i32 0
}
