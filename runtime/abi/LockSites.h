/* Section .spin.locks of an image: pairs of words, the address of an
 * instruction and the lock's number times SPIN_LOCK_PLACES plus which place of
 * the lock that is. The compiler writes it, the cycle bound reads it. */
#ifndef SPINC_RUNTIME_ABI_LOCKSITES_H
#define SPINC_RUNTIME_ABI_LOCKSITES_H

#define SPIN_LOCK_PLACES 8

#define SPIN_LOCK_BEGIN 0      /* first instruction of taking the lock */
#define SPIN_LOCK_END 1        /* last one of giving it back */
#define SPIN_LOCK_OTHER_END 2  /* the same, on another way */
#define SPIN_LOCK_LINK_BEGIN 3 /* enters the queue */
#define SPIN_LOCK_LINK_END 4   /* has told the one before */

#endif /* SPINC_RUNTIME_ABI_LOCKSITES_H */
