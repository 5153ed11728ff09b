/**
 * The tap stream between two processes of one machine: memory that both map, one ring for each relay loop.
 *
 * <pre>
 * tap process (production's side)             │ lane process (debug's side)
 *                                             │
 * TapGuard ─▶ RingFeed ─▶ RingWriter ═══ ring file ═══▶ RingReader ─▶ RecordReceiver ─▶ Tap
 *                ▲             │ lost, counted│               ▲
 *                └── wanted ───┴──────── ControlBlock ────────┘
 * </pre>
 *
 * <p>A ring is a file of fixed size on tmpfs with one writer and one reader. The writer appends a record or counts a
 * loss: it never waits, takes no lock, makes no system call and no object. The reader may be stopped, killed or
 * replaced at any time; what the ring still holds is read by the next one. Neither believes what the other has written:
 * positions and lengths are checked.
 *
 * <pre>
 *   file     magic "URNG" · version · capacity · … tail at 256 · … head at 512 · … records from 4096
 *   record   length · event · flags · listener · connection · nanoTime · position · bytes, to a multiple of 32
 * </pre>
 *
 * <p>Head and tail count bytes since the ring was made; a record may wrap around the end, its 32 bytes of header don't.
 * The event is one of {@link dev.understudy.relay.stream.StreamEvent}, as in recordings; the position counts the connection's
 * bytes in that direction before this record, so that a hole shows. Numbers are in the machine's own order: a ring
 * never leaves it.
 */
@NullMarked
package dev.understudy.relay.ring;

import org.jspecify.annotations.NullMarked;
