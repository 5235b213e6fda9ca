; One loop a function, for hardware_loops.test.

define i32 @Sum_ph(ptr %p, i32 %n) {
entry:
  %some = icmp ne i32 %n, 0
  br i1 %some, label %body, label %done
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %sum = phi i32 [ 0, %entry ], [ %more, %body ]
  %at = getelementptr i32, ptr %p, i32 %i
  %word = load i32, ptr %at
  %more = xor i32 %sum, %word
  %next = add nuw i32 %i, 1
  %again = icmp ult i32 %next, %n
  br i1 %again, label %body, label %done
done:
  %result = phi i32 [ 0, %entry ], [ %more, %body ]
  ret i32 %result
}

define i32 @Constant_ph(ptr %p) {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %at = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %at
  %next = add i32 %i, 1
  %again = icmp ne i32 %next, 16
  br i1 %again, label %body, label %done
done:
  ret i32 0
}

; Three levels: the outermost stays a plain loop.
define i32 @Deep_ph(ptr %p, i32 %n) {
entry:
  br label %first
first:
  %i = phi i32 [ 0, %entry ], [ %i1, %firstEnd ]
  br label %second
second:
  %j = phi i32 [ 0, %first ], [ %j1, %secondEnd ]
  %base = mul i32 %j, %n
  br label %third
third:
  %k = phi i32 [ 0, %second ], [ %k1, %third ]
  %index = add i32 %base, %k
  %at = getelementptr i32, ptr %p, i32 %index
  %old = load volatile i32, ptr %at
  %new = xor i32 %old, %i
  store volatile i32 %new, ptr %at
  %k1 = add i32 %k, 1
  %k2 = icmp ne i32 %k1, 9
  br i1 %k2, label %third, label %secondEnd
secondEnd:
  %j1 = add i32 %j, 1
  %j2 = icmp ne i32 %j1, 7
  br i1 %j2, label %second, label %firstEnd
firstEnd:
  store volatile i32 %i, ptr %p
  %i1 = add i32 %i, 1
  %i2 = icmp ne i32 %i1, 5
  br i1 %i2, label %first, label %done
done:
  ret i32 0
}

define i32 @Find_ph(ptr %p, i32 %n, i32 %what) {
entry:
  %some = icmp ne i32 %n, 0
  br i1 %some, label %body, label %done
body:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %at = getelementptr i32, ptr %p, i32 %i
  %word = load i32, ptr %at
  %found = icmp eq i32 %word, %what
  br i1 %found, label %done, label %latch
latch:
  %next = add nuw i32 %i, 1
  %again = icmp ult i32 %next, %n
  br i1 %again, label %body, label %done
done:
  %result = phi i32 [ 0, %entry ], [ 1, %body ], [ 0, %latch ]
  ret i32 %result
}

; Turns that only a division would tell.
define i32 @Steps_ph(ptr %p, i32 %n, i32 %step) {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %at = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %at
  %next = add nuw i32 %i, %step
  %again = icmp ult i32 %next, %n
  br i1 %again, label %body, label %done
done:
  ret i32 0
}

; The callee has a loop of its own.
define i32 @Calls_ph(ptr %p) {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %done = call i32 @loops(ptr %p)
  %next = add i32 %i, 1
  %again = icmp ne i32 %next, 16
  br i1 %again, label %body, label %end
end:
  ret i32 0
}

define i32 @loops(ptr %p) noinline {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  store volatile i32 %i, ptr %p
  %next = add i32 %i, 1
  %again = icmp ne i32 %next, 20
  br i1 %again, label %body, label %end
end:
  ret i32 0
}

; Nothing is left for the body: it gets instructions.
define i32 @Empty_ph() {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  call void asm sideeffect "", ""()
  %next = add i32 %i, 1
  %again = icmp ne i32 %next, 16
  br i1 %again, label %body, label %end
end:
  ret i32 0
}
