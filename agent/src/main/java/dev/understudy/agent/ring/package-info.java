/**
 * A file of fixed size that keeps the latest of what the agent saw and decided, and that can be read after the JVM was
 * killed.
 *
 * <pre>
 * bootstrap.Probes ──▶ Witness ──▶ RingLog ──▶ Ring (mapped file) ··· understudy ring show FILE
 * budget.Governor, Standing ──▶ RingLog.tick ──┘
 * </pre>
 *
 * <p>The format, version 1, is little-endian. A head of 64 bytes: {@code USTDRING}, then as ints the version, the size
 * of the names, the number of slots and the process id, then as longs when it was begun (microseconds since 1970) and
 * how many bytes of names there are. Names follow, each a kind and a length (two shorts), a number (int) and UTF-8:
 * kind 1 is a method by its probe's number, kind 2 a reason. Behind the names are slots of 64 bytes:
 *
 * <pre>
 *    0  long  sequence number, from 1; it is in slot (number − 1) mod slots; 0 while it is written
 *    8  int   kind 1 call, 2 cost, 3 stance, 4 decision, 5 dropped; +256 if a call threw
 *   12  int   the probe's or the reason's number
 *   16  long  when, in microseconds since 1970
 *   24  long  a: call nanos     | cost hits          | stance 0, 1, 2 (below) | decision: budget*| dropped observations
 *   32  long  b: CPU nanos or −1| nanos of a sample* |                        | spent*           | spans
 *   40  long  c: bytes or −1    | hits per second*   |                        | window used*     | samples refused
 *   48  long  d: debug span     | samples            |                        | lag in ms        | stacks
 *   56  int   e: thread id      | period             |                        | samples a second | not measured
 *   60  int   check: h = 0; for each long x at 0, 8, …, 48, and e unsigned:
 *             h = (h ^ x) · 0x9E3779B97F4A7C15, h ^= h >>> 32
 *   (stance: 0 free, 1 armed, 2 off)
 *   (* the bits of a double)
 * </pre>
 *
 * <p>A slot whose number is 0, or doesn't belong there, or whose check is wrong, is empty or was being written.
 */
@NullMarked
package dev.understudy.agent.ring;

import org.jspecify.annotations.NullMarked;
