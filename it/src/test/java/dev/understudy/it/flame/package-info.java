/** A service whose debug copy is slower, run twice under the tee, and where its time is seen to go. */
@NullMarked
package dev.understudy.it.flame;

import org.jspecify.annotations.NullMarked;
