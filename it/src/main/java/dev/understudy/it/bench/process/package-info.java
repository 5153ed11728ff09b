/** Programs that are run beside each other, and what they cost by the kernel's count. */
@NullMarked
package dev.understudy.it.bench.process;

import org.jspecify.annotations.NullMarked;
