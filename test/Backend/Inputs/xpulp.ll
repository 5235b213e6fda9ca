; Selected to post-increment loads, maximum and a branch on an immediate.
define i32 @Xpulp_ph(ptr %words, i32 %count) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %best = phi i32 [ 0, %entry ], [ %better, %loop ]
  %place = getelementptr i32, ptr %words, i32 %i
  %word = load i32, ptr %place
  %better = call i32 @llvm.smax.i32(i32 %best, i32 %word)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %count
  br i1 %more, label %loop, label %check

check:
  %isFive = icmp eq i32 %better, 5
  br i1 %isFive, label %five, label %other

five:
  store volatile i32 1, ptr %words
  ret i32 0

other:
  ret i32 1
}

declare i32 @llvm.smax.i32(i32, i32)
